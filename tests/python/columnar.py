"""Arrow IPC streams and Parquet files as pyarrow reads them.

In: {"op": "pyarrow", "format": "arrow" or "parquet", "path": "..."}. Out: {"columns": [{"name", "type", "nullable"}], "rows", "metadata"}.
"""

import pyarrow
import pyarrow.ipc
import pyarrow.parquet

import oracle


def run(request, _deadline):
    """Reads a whole file."""
    path = request["path"]
    if request["format"] == "parquet":
        table = pyarrow.parquet.read_table(path)
    else:
        with pyarrow.OSFile(path) as file, pyarrow.ipc.open_stream(file) as reader:
            table = reader.read_all()
    columns = [{"name": field.name, "type": str(field.type), "nullable": field.nullable} for field in table.schema]
    rows = zip(*(column.to_pylist() for column in table.columns))
    metadata = table.schema.metadata or {}
    return {
        "columns": columns,
        "rows": [[oracle.encode(value) for value in row] for row in rows],
        "metadata": {key.decode(): value.decode() for key, value in metadata.items()},
    }

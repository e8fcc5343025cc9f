"""Paimon tables as pypaimon reads them, queried by DuckDB: neither shares code with what wrote them.

In: {"op": "paimon", "warehouse": "...", "tables": {"alias": "database.table[$branch_name]"}, "sql": "..."}. Out: columns and rows, as for "duckdb".
"""

import duckdb
from pypaimon import CatalogFactory

import oracle


def run(request, deadline):
    """Reads the tables' heads and runs the query over them."""
    catalog = CatalogFactory.create({"warehouse": request["warehouse"]})
    connection = duckdb.connect(config=oracle.CONFIG)
    connection.execute("SET TimeZone = 'UTC'")
    deadline.on_timeout(connection.interrupt)
    try:
        for alias, name in request["tables"].items():
            builder = catalog.get_table(name).new_read_builder()
            splits = builder.new_scan().plan().splits()
            connection.register(alias, builder.new_read().to_arrow(splits))
        result = connection.execute(request["sql"])
        columns = [{"name": column[0], "type": str(column[1]).strip('"')} for column in result.description]
        return {"columns": columns, "rows": [[oracle.encode(value) for value in row] for row in result.fetchall()]}
    finally:
        connection.close()

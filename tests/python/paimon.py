"""Paimon tables as pypaimon reads them, queried by DuckDB: neither shares code with what wrote them. And tables that pypaimon makes and writes.

In: {"op": "paimon", "warehouse": "...", "tables": {"alias": "database.table[$branch_name]"}, "sql": "..."}. Out: columns and rows, as for "duckdb".
In: {"op": "paimon_make", "warehouse": "...", "table": "database.table", "schema": {"fields", ...}}. Out: {}.
In: {"op": "paimon_write", "warehouse": "...", "table": "database.table", "sql": "..."}: the rows of a query of DuckDB are added. Out: {}.
"""

import json

import duckdb
from pypaimon import CatalogFactory
from pypaimon.common.json_util import JSON
from pypaimon.schema.data_types import PyarrowFieldParser
from pypaimon.schema.schema import Schema

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


def make(request, _deadline):
    """Makes a table of the JSON of its schema."""
    catalog = CatalogFactory.create({"warehouse": request["warehouse"]})
    catalog.create_database(request["table"].split(".")[0], True)
    catalog.create_table(request["table"], JSON.from_json(json.dumps(request["schema"]), Schema), False)
    return {}


def write(request, deadline):
    """Commits the rows of a query, cast to the table's types."""
    table = CatalogFactory.create({"warehouse": request["warehouse"]}).get_table(request["table"])
    connection = duckdb.connect(config=oracle.CONFIG)
    connection.execute("SET TimeZone = 'UTC'")
    deadline.on_timeout(connection.interrupt)
    try:
        rows = connection.sql(request["sql"]).to_arrow_table()
    finally:
        connection.close()
    builder = table.new_batch_write_builder()
    writer, commit = builder.new_write(), builder.new_commit()
    writer.write_arrow(rows.cast(PyarrowFieldParser.from_paimon_schema(table.table_schema.fields)))
    commit.commit(writer.prepare_commit())
    writer.close()
    commit.close()
    return {}

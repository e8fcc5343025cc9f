"""DuckDB as the oracle: runs hand-written SQL and gives back columns with types and rows with exact values.

In: {"op": "duckdb", "setup": [sql...], "sql": "...", "session": "name"?}. Out: {"columns": [{"name", "type"}], "rows": [[...]]}.
A request has an in-memory database of its own, unless it names a session, which keeps its tables until it is closed.
"""

import datetime
import decimal
import math

import duckdb

# Larger integers do not survive a reader that takes JSON numbers for doubles.
EXACT_IN_DOUBLE = 2**53

# A missing extension is an error, never a download.
CONFIG = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}

SCALAR_TYPES = (
    "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
    "UHUGEINT", "FLOAT", "DOUBLE", "VARCHAR", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "NULL",
)

SESSIONS = {}


def run(request, deadline):
    """Runs the set-up statements and then the query."""
    name = request.get("session")
    connection = SESSIONS.get(name)
    if connection is None:
        connection = duckdb.connect(config=CONFIG)
        connection.execute("SET TimeZone = 'UTC'")
        if name is not None:
            SESSIONS[name] = connection
    deadline.on_timeout(connection.interrupt)
    try:
        for statement in request.get("setup", []):
            connection.execute(statement)
        if not request.get("sql"):
            return {"columns": [], "rows": []}
        result = connection.execute(request["sql"])
        # An untyped NULL has the type "NULL", with the quotes.
        columns = [{"name": column[0], "type": str(column[1]).strip('"')} for column in result.description]
        for column in columns:
            if column["type"] not in SCALAR_TYPES and not column["type"].startswith("DECIMAL("):
                raise ValueError(f"column {column['name']} has type {column['type']}, which has no exact text here")
        return {"columns": columns, "rows": [[encode(value) for value in row] for row in result.fetchall()]}
    finally:
        if name is None:
            connection.close()


def close(request, _deadline):
    """Drops a session and its tables."""
    connection = SESSIONS.pop(request.get("session"), None)
    if connection is not None:
        connection.close()
    return {"closed": connection is not None}


def encode(value):
    """A value as JSON that loses nothing."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= EXACT_IN_DOUBLE else str(value)
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return value
    if isinstance(value, datetime.datetime):
        # The session's zone is UTC, so an instant's clock is that of UTC.
        return value.replace(tzinfo=None).isoformat(sep=" ")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    raise ValueError(f"no encoding for a {type(value).__name__}")

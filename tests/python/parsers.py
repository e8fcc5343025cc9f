"""Parsers that are not ours: whether a dialect's SQL parses, and what it says in another dialect.

In: {"op": "sqlglot_parse", "dialect", "sql"} or {"op": "sqlglot_transpile", "read", "write", "sql"}.
Out: {"statements": n} or {"sql": [text of each statement]}; SQL that does not parse is an error.
"""

import sqlglot
from sqlglot import ErrorLevel, exp

import starrocks


def parse(request, _deadline):
    """Parses; StarRocks SQL is also searched for what the parser accepts and StarRocks does not."""
    statements = parse_strictly(request["sql"], request["dialect"])
    if request["dialect"] == "starrocks":
        found = starrocks.violations(request["sql"])
        if found:
            raise ValueError("; ".join(found))
    return {"statements": len(statements)}


def transpile(request, _deadline):
    """Parses in one dialect and prints in another; what the other cannot say is an error, not a best effort."""
    statements = parse_strictly(request["sql"], request["read"])
    return {"sql": [s.sql(dialect=request["write"], unsupported_level=ErrorLevel.RAISE) for s in statements]}


def parse_strictly(sql, dialect):
    """The statements of a text, none of them kept as text that the parser did not understand."""
    statements = [s for s in sqlglot.parse(sql, read=dialect, error_level=ErrorLevel.RAISE) if s is not None]
    if not statements:
        raise ValueError("no statement")
    for statement in statements:
        for command in statement.find_all(exp.Command):
            raise ValueError(f"not parsed, only kept as text: {command.name} ...")
    return statements

"""StarRocks by oracle: the text is translated to DuckDB by sqlglot, corrected where that is not what StarRocks does, and run there.

In: {"op": "starrocks", "setup": [sql...], "sql": "..."}; the set-up is DuckDB's SQL, the query StarRocks'. Out: as for "duckdb". An error that begins
with "unproved: " says that this oracle cannot know the answer. A correction follows StarRocks' documents (D, docs/en/sql-reference of
StarRocks/starrocks), its recorded tests (R, test/sql) or its source (S); where they leave a point open, it takes the reading that would hurt us.
"""

import duckdb
import sqlglot
from sqlglot import ErrorLevel, exp
from sqlglot.optimizer.annotate_types import annotate_types

import oracle
import parsers

TYPE = exp.DataType.Type
NARROW = (TYPE.BOOLEAN, TYPE.TINYINT, TYPE.SMALLINT, TYPE.INT, TYPE.BIGINT)
WHOLE = (*NARROW, TYPE.INT128)
DECIMALS = (TYPE.DECIMAL, TYPE.DECIMAL32, TYPE.DECIMAL64, TYPE.DECIMAL128)
FLOATS = (TYPE.DOUBLE, TYPE.FLOAT)
TEXTS = (TYPE.TEXT, TYPE.VARCHAR, TYPE.CHAR)
TIMES = (TYPE.DATE, TYPE.DATETIME, TYPE.TIMESTAMP)

# Names that StarRocks has and DuckDB lacks, or that mean something else there.
MACROS = (
    # D date-time-functions/week_iso.md: the ISO week.
    "CREATE MACRO week_iso(d) AS weekofyear(d)",
    # S be/src/exprs/utility_functions.cpp, assert_true: an error for FALSE and for NULL. DuckDB's own error() may not stand in a window's order.
    "CREATE MACRO assert_true(c) AS CASE WHEN c THEN TRUE ELSE CAST(concat('assert_true failed: ', CAST(c AS VARCHAR)) AS BIGINT) = 0 END",
    # S be/src/exprs/arithmetic_operation.h; issue 79263: BIGINT has no check, it wraps.
    "CREATE MACRO wrapped(h) AS CAST(((h + 9223372036854775808::HUGEINT) % 18446744073709551616::HUGEINT + 18446744073709551616::HUGEINT)"
    " % 18446744073709551616::HUGEINT - 9223372036854775808::HUGEINT AS BIGINT)",
    # Issue 49591: a DOUBLE past the range becomes the least number, not NULL. D: a cast cuts toward zero.
    "CREATE MACRO cut_double(x, least, greatest) AS CASE WHEN isnan(x) OR x < CAST(least AS DOUBLE) - 1 OR x > CAST(greatest AS DOUBLE) + 1 OR x >= 9223372036854775808e0"
    " THEN least ELSE CAST(trunc(x) AS HUGEINT) END",
    # D string-functions/substring.md: position 0 gives an empty text.
    "CREATE MACRO substring_from(s, a, n) AS CASE WHEN a = 0 OR n < 0 THEN '' ELSE substring(s, a, n) END",
    # D string-functions/split_part.md leaves open what a missing part is: NULL.
    "CREATE MACRO part_or_null(s, d, n) AS CASE WHEN n <= len(string_split(s, d)) THEN split_part(s, d, n) END",
)

# What the functions give that sqlglot does not know.
ANSWERS = {"week_iso": TYPE.INT, "assert_true": TYPE.BOOLEAN, "wrapped": TYPE.BIGINT}

RANGES = {TYPE.TINYINT: 7, TYPE.SMALLINT: 15, TYPE.INT: 31, TYPE.BIGINT: 63}


class Unproved(ValueError):
    """What this oracle cannot show, as its message says."""

    def __init__(self, why):
        super().__init__(f"unproved: {why}")


def run(request, deadline):
    """Runs the set-up, then the translated query."""
    tree = parsed(request["sql"])
    connection = duckdb.connect(config=oracle.CONFIG)
    connection.execute("SET TimeZone = 'UTC'")
    deadline.on_timeout(connection.interrupt)
    try:
        for statement in request.get("setup", []):
            connection.execute(statement)
        schema = starrocks_schema(connection)
        text = translated(tree, schema)
        for macro in MACROS:
            connection.execute(macro)
        result = connection.execute(text)
        columns = [{"name": column[0], "type": str(column[1]).strip('"')} for column in result.description]
        rows = [[oracle.encode(value) for value in row] for row in result.fetchall()]
        return {"columns": columns, "rows": rows, "sql": text}
    finally:
        connection.close()


def parsed(sql):
    """The tree of the one statement that StarRocks would take."""
    parsers.parse({"dialect": "starrocks", "sql": sql}, None)
    statements = parsers.parse_strictly(sql, "starrocks")
    if len(statements) != 1:
        raise ValueError(f"{len(statements)} statements, one was expected")
    return statements[0]


def starrocks_schema(connection):
    """The tables' columns with the types that StarRocks has for them; instants become the DATETIME of UTC, as a lake's do there."""
    schema = {}
    columns = connection.execute(
        "SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns ORDER BY ordinal_position").fetchall()
    for database, table, column, name in columns:
        quoted = f'"{database}"."{table}"'
        if name == "TIMESTAMP WITH TIME ZONE":
            connection.execute(f"ALTER TABLE {quoted} ALTER \"{column}\" TYPE TIMESTAMP USING timezone('UTC', \"{column}\")")
        if name in ("DOUBLE", "FLOAT"):
            odd = connection.execute(f'SELECT COUNT(*) FROM {quoted} WHERE isnan("{column}") OR isinf("{column}")').fetchone()
            if odd[0]:
                raise Unproved(f"{table}.{column} holds NaN or infinity, and how StarRocks orders them is not documented")
        name = {"TIMESTAMP WITH TIME ZONE": "DATETIME", "TIMESTAMP": "DATETIME", "HUGEINT": "LARGEINT", "INTEGER": "INT"}.get(name, name)
        schema.setdefault(database, {}).setdefault(table, {})[column] = name
    return schema


def translated(tree, schema):
    """DuckDB's text for the tree, with StarRocks' meaning."""
    tree = annotate_types(tree, schema=schema, dialect="starrocks")
    # Innermost first: a correction keeps the type of what it replaces, and wraps what is corrected already.
    for node in list(reversed(list(tree.walk(bfs=True)))):
        correction = CORRECTIONS.get(type(node))
        if correction is None:
            continue
        better = correction(node)
        if better is not node:
            better.type = node.type
            if node.parent is None:
                raise ValueError(f"no place for {node}")
            node.replace(better)
    return tree.sql(dialect="duckdb", unsupported_level=ErrorLevel.RAISE)


def kind(node):
    """The type of an expression, which must be known."""
    if isinstance(node, exp.Anonymous) and node.name.lower() in ANSWERS:
        return ANSWERS[node.name.lower()]
    if isinstance(node, exp.Null):
        return TYPE.NULL
    if isinstance(node, (exp.DateTrunc, exp.TimestampTrunc)):
        # S functions.py: a DATE stays one.
        return kind(node.this)
    if isinstance(node, exp.Literal) and not node.is_string and "." in node.this and "e" not in node.this.lower():
        # D: 1.5 is a DECIMAL, 1e0 a DOUBLE.
        return TYPE.DECIMAL
    found = node.type.this if node.type is not None else None
    if found in (None, TYPE.UNKNOWN):
        raise Unproved(f"the type of {node.sql(dialect='starrocks')} is not known to the translator")
    return found


def text_of(node):
    return node.sql(dialect="duckdb")


def function(name, *arguments):
    return exp.Anonymous(this=name, expressions=list(arguments))


def largeint(node):
    return exp.cast(node, "INT128", dialect="duckdb")


def nothing_is_zero(node):
    """D operators/arithmetic: x % 0 and x DIV 0 are NULL. `/` has its NULLIF from sqlglot."""
    zero = exp.Nullif(this=node.expression.copy(), expression=exp.Literal.number(0))
    return type(node)(this=node.this.copy(), expression=zero)


def divide(node):
    """S ArithmeticExpr.java: whole numbers and floats divide as DOUBLE, as in DuckDB; decimals have a rule that DuckDB lacks."""
    kinds = (kind(node.this), kind(node.expression))
    if any(k in DECIMALS for k in kinds) and not any(k in FLOATS for k in kinds):
        raise Unproved("division of decimals has a scale of its own in StarRocks")
    return node


def whole_division(node):
    """S ArithmeticExpr.java, INT_DIVIDE."""
    if kind(node.this) not in WHOLE or kind(node.expression) not in WHOLE:
        raise Unproved("DIV of other than whole numbers")
    return nothing_is_zero(node)


def modulo(node):
    return nothing_is_zero(node)


def arithmetic(node):
    """S ArithmeticExpr.java, getBiggerType: up to BIGINT, and there it wraps. LARGEINT and decimals: an overflow is an error here."""
    kinds = (kind(node.this), kind(node.expression))
    if TYPE.INTERVAL in kinds:
        return node
    if any(k in TEXTS or k in TIMES for k in kinds):
        raise Unproved(f"arithmetic of other than numbers: {node.sql(dialect='starrocks')}")
    if all(k in NARROW for k in kinds):
        return function("wrapped", type(node)(this=largeint(node.this.copy()), expression=largeint(node.expression.copy())))
    if TYPE.INT128 in kinds and any(k in DECIMALS for k in kinds):
        # S ArithmeticExpr.java, nonDecimalToDecimal: LARGEINT is DECIMAL(38, 0); DuckDB would go by way of DOUBLE.
        sides = [exp.cast(s.copy(), "DECIMAL(38, 0)") if k == TYPE.INT128 else s.copy() for s, k in zip((node.this, node.expression), kinds)]
        return type(node)(this=sides[0], expression=sides[1])
    if isinstance(node, exp.Mul) and all(k in DECIMALS for k in kinds):
        # S ArithmeticExpr.java: the product has the digits of both; DuckDB stays within 18 where both sides do.
        left = node.this.unnest()
        scale = scale_of(left)
        # A product has been looked at before, and is wide.
        if scale is not None and not isinstance(left, exp.Mul) and precision_of(left) < 19:
            return exp.Mul(this=exp.cast(node.this.copy(), f"DECIMAL(19, {scale})"), expression=node.expression.copy())
    return node


def scale_of(node):
    """Digits behind the point; sqlglot gives a sum or a product the type of one side. None where it is not known."""
    node = node.unnest()
    if isinstance(node, (exp.Mul, exp.Add, exp.Sub)):
        sides = (scale_of(node.this), scale_of(node.expression))
        if None in sides:
            return None
        return sum(sides) if isinstance(node, exp.Mul) else max(sides)
    if kind(node) in WHOLE:
        return 0
    sizes = node.type.expressions if kind(node) in DECIMALS else []
    return int(text_of(sizes[1])) if len(sizes) == 2 else None


def precision_of(node):
    """Digits in all, of a sum those of its wider side."""
    node = node.unnest()
    if isinstance(node, (exp.Add, exp.Sub)):
        return max(precision_of(node.this), precision_of(node.expression))
    sizes = node.type.expressions if kind(node) in DECIMALS else []
    return int(text_of(sizes[0])) if sizes else 0


def compare(node):
    """D: a text beside a number is compared as DOUBLE or as the column's type, by settings."""
    kinds = (kind(node.this), kind(node.expression))
    if TYPE.NULL not in kinds and any(k in TEXTS for k in kinds) and any(k in (*WHOLE, *DECIMALS, *FLOATS) for k in kinds):
        raise Unproved(f"a text beside a number: {node.sql(dialect='starrocks')}")
    return node


def cast(node):
    """D sql-reference, CAST: a value that does not fit is NULL, fractions are cut. R test_decimal_cast: a decimal's precision is not enforced."""
    source, to = kind(node.this), node.to.this
    value = node.this.copy()
    if source == TYPE.NULL:
        return node
    if to in TEXTS and source == TYPE.BOOLEAN:
        # D: BOOLEAN is 1 or 0.
        return exp.TryCast(this=exp.cast(value, "INT"), to=exp.DataType.build("TEXT"))
    if to in TEXTS and source in (*FLOATS, TYPE.DATETIME, TYPE.TIMESTAMP):
        raise Unproved(f"the text of a {source.value} is StarRocks' own")
    if to in RANGES and source in FLOATS:
        limit = 2 ** RANGES[to]
        return exp.TryCast(this=function("cut_double", value, largeint(exp.Literal.number(-limit)), largeint(exp.Literal.number(limit - 1))), to=node.to.copy())
    if to in WHOLE and source in DECIMALS:
        value = function("trunc", value)
    if to in DECIMALS:
        precision, scale = (int(text_of(size)) for size in node.to.expressions)
        # By storage: what 32 and 64 bits hold is more than 9 and 18 digits.
        wide = 10 if precision <= 9 else 19 if precision <= 18 else 38
        return exp.TryCast(this=value, to=exp.DataType.build(f"DECIMAL({max(wide, scale)}, {scale})"))
    return exp.TryCast(this=value, to=node.to.copy())


def summed(node):
    """S FunctionSet.java, registerBuiltinSumAggFunction: whole numbers up to BIGINT are summed in BIGINT, which wraps."""
    inner = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
    if kind(inner) not in NARROW:
        return node
    return over(node, lambda aggregate: aggregate, lambda value: function("wrapped", value))


def of_sample(node):
    """D Window_function.md shows 0 for one row where others give NULL; what the aggregate gives is open."""
    argument = node.this if not isinstance(node, exp.Anonymous) else node.expressions[0]

    def guarded(value):
        count = exp.Count(this=argument.copy())
        window = value.copy() if isinstance(value, exp.Window) else None
        if window is not None:
            window.set("this", count)
            count = window
        return exp.Case(ifs=[exp.If(this=exp.EQ(this=count, expression=exp.Literal.number(1)), true=exp.Literal.number("0e0"))], default=value)

    return over(node, lambda aggregate: aggregate, guarded)


def over(node, change, wrap):
    """An aggregate changed, and what stands around it wrapped: its window, if it has one."""
    window = node.parent if isinstance(node.parent, exp.Window) else None
    if window is None:
        return wrap(change(node.copy()))
    outer = window.copy()
    outer.set("this", change(node.copy()))
    wrapped = wrap(outer)
    wrapped.type = node.type
    window.replace(wrapped)
    return node


def average(node):
    """S DecimalV3FunctionAnalyzer: the scale is StarRocks' own for decimals."""
    if kind(node.this) in DECIMALS:
        raise Unproved("AVG of decimals has a scale of its own in StarRocks")
    return node


def percentile_disc(_node):
    raise Unproved("PERCENTILE_DISC gives the larger neighbour in StarRocks")


def length(node):
    """D string-functions/length.md: bytes. CHAR_LENGTH, which is characters, is marked by no `binary`."""
    return function("strlen", node.this.copy()) if node.args.get("binary") else node


def substring(node):
    length_of = node.args.get("length")
    return function("substring_from", node.this.copy(), node.args["start"].copy(), length_of.copy() if length_of else exp.Literal.number(2**31 - 1))


def trim(node):
    """D string-functions/trim.md: blanks, where DuckDB takes all of Unicode's."""
    if node.expression is None:
        node = node.copy()
        node.set("expression", exp.Literal.string(" "))
    return node


def split_part(node):
    return function("part_or_null", node.this.copy(), node.args["delimiter"].copy(), node.args["part_index"].copy())


def day_of_week(node):
    """D date-time-functions/dayofweek.md: 1 is Sunday; DuckDB counts from 0."""
    return exp.Paren(this=exp.Add(this=node.copy(), expression=exp.Literal.number(1)))


def week(node):
    if isinstance(node, exp.Extract) and text_of(node.this).upper() != "WEEK":
        return node
    raise Unproved("WEEK counts by MySQL's mode 0 in StarRocks; WEEK_ISO is the ISO week")


def whole_units(_node):
    raise Unproved("TIMESTAMPDIFF counts whole units in StarRocks")


CORRECTIONS = {
    exp.Add: arithmetic, exp.Sub: arithmetic, exp.Mul: arithmetic,
    exp.Div: divide, exp.IntDiv: whole_division, exp.Mod: modulo,
    exp.EQ: compare, exp.NEQ: compare, exp.LT: compare, exp.LTE: compare, exp.GT: compare, exp.GTE: compare, exp.NullSafeEQ: compare,
    exp.Cast: cast, exp.Sum: summed, exp.Avg: average, exp.StddevSamp: of_sample, exp.Variance: of_sample, exp.CovarSamp: of_sample,
    exp.PercentileDisc: percentile_disc, exp.Length: length, exp.Substring: substring, exp.SplitPart: split_part, exp.Trim: trim,
    exp.DayOfWeek: day_of_week, exp.Week: week, exp.Extract: week, exp.TimestampDiff: whole_units,
}

//! Texts: characters and not bytes, NULL where a part is NULL, counts that fit, patterns that all read alike.

use unisono_compiler::function::Scalar;
use unisono_compiler::relation::RelExpr;

use super::{Row, check, check_all, row, same};
use crate::tests::relations::{BIG, BOOLEAN, TEXT, b, column, i, integer, s, scalar, text};

fn x() -> RelExpr {
    text("x")
}

/// Counts are INT on DuckDB, Flink and StarRocks: a cast of a larger one would raise, wrap or be NULL, so it is held at the greatest INT.
const HELD: &str = "CAST(LEAST(t.b, 2147483647) AS INT)";

/// Reading a text as INT raises past 32 bits on Flink, where a cast wraps.
const RAISED: &str = "CAST(CONCAT(CAST(t.b AS STRING), '') AS INT)";

pub(super) fn rows() -> Vec<Row> {
    let mut rows = characters();
    rows.extend(parts());
    rows.extend(places());
    rows.extend(patterns());
    rows
}

/// A call over the subject alone; Flink's literals have their own length, to which some functions cut.
fn over_string(name: Scalar, called: &str) -> Row {
    let plain = format!("{called}(t.s)");
    let string = format!("{called}(CAST(t.s AS STRING))");
    row(scalar(name, vec![s()], TEXT), [plain.clone(), plain.clone(), string, plain])
}

/// DuckDB takes all blanks of Unicode if it is not told which.
fn blanks(name: Scalar, called: &str) -> Row {
    let plain = format!("{called}(t.s)");
    let of_blanks = format!("{called}(t.s, ' ')");
    row(scalar(name, vec![s()], TEXT), [plain.clone(), of_blanks, plain.clone(), plain])
}

fn characters() -> Vec<Row> {
    let trims = |name, called: &str, lead: &str| {
        let phrase = format!("TRIM({lead} 'x' FROM t.s)");
        let call = format!("{called}(t.s, 'x')");
        row(scalar(name, vec![s(), x()], TEXT), [phrase.clone(), phrase.clone(), phrase, call])
    };
    vec![
        row(
            scalar(Scalar::Concat, vec![s(), text("!"), s()], TEXT),
            ["t.s || '!' || t.s", "t.s || '!' || t.s", "CONCAT(t.s, '!', t.s)", "CONCAT(t.s, '!', t.s)"],
        ),
        row(
            scalar(Scalar::Length, vec![s()], BIG),
            [
                "CAST(CHARACTER_LENGTH(t.s) AS BIGINT)",
                "LENGTH(t.s)",
                "CAST(CHAR_LENGTH(t.s) AS BIGINT)",
                "CAST(CHAR_LENGTH(t.s) AS BIGINT)",
            ],
        ),
        over_string(Scalar::Upper, "UPPER"),
        over_string(Scalar::Lower, "LOWER"),
        over_string(Scalar::Reverse, "REVERSE"),
        row(
            scalar(Scalar::Initcap, vec![s()], TEXT),
            [
                "INITCAP(t.s)",
                "E_UNSUPPORTED_FUNCTION: `INITCAP` on DuckDB 2.0: ",
                "INITCAP(CAST(t.s AS STRING))",
                "E_UNSUPPORTED_FUNCTION: `INITCAP` on StarRocks 3.5: ",
            ],
        ),
        blanks(Scalar::Trim, "TRIM"),
        blanks(Scalar::TrimLeading, "LTRIM"),
        blanks(Scalar::TrimTrailing, "RTRIM"),
        trims(Scalar::Trim, "TRIM", "BOTH"),
        trims(Scalar::TrimLeading, "LTRIM", "LEADING"),
        trims(Scalar::TrimTrailing, "RTRIM", "TRAILING"),
    ]
}

/// A call with a count, which must be at least `least`; the counts as the engines take them.
fn counted(says: RelExpr, least: u8, counts: [&str; 4], call: impl Fn(&str) -> String) -> Row {
    row(says, counts.map(|count| format!("CASE WHEN t.b >= {least} THEN {} END", call(count))))
}

fn parts() -> Vec<Row> {
    let of = |name, arguments| scalar(name, arguments, TEXT);
    let held = ["t.b", "CAST(LEAST(t.b, 2147483647) AS INTEGER)", HELD, HELD];
    let cut = |name, called: &'static str| {
        counted(of(name, vec![s(), b()]), 0, held, move |count| format!("{called}(t.s, {count})"))
    };
    // Flink's own count halves of characters beyond 16 bits, and cut them through.
    let padded = |name, called: &'static str| {
        let counts = ["t.b", "CAST(t.b AS INTEGER)", RAISED, HELD];
        counted(of(name, vec![s(), b(), text("*")]), 0, counts, move |count| {
            if count != RAISED {
                return format!("{called}(t.s, {count}, '*')");
            }
            let (subject, length) = ("CAST(t.s AS STRING)", "CHAR_LENGTH(CAST(t.s AS STRING))");
            let fill = format!("LEFT(REPEAT(CAST('*' AS STRING), {count}), {count} - {length})");
            let parts = if called == "LPAD" { [&fill, subject] } else { [subject, &fill] };
            let all = parts.join(", ");
            format!("CASE WHEN {length} >= {count} THEN LEFT({subject}, {count}) ELSE CONCAT({all}) END")
        })
    };
    let split = |part: &str| format!("COALESCE(SPLIT_INDEX(t.s, ',', {part}), CAST('' AS STRING))");
    vec![
        counted(of(Scalar::Substring, vec![s(), b(), integer("2")]), 1, held, |count| {
            format!("SUBSTRING(t.s, {count}, 2)")
        }),
        cut(Scalar::Left, "LEFT"),
        cut(Scalar::Right, "RIGHT"),
        counted(of(Scalar::Repeat, vec![s(), b()]), 0, ["t.b", "t.b", RAISED, HELD], |count| {
            format!("REPEAT(t.s, {count})")
        }),
        padded(Scalar::PadLeft, "LPAD"),
        padded(Scalar::PadRight, "RPAD"),
        // Counts of 32 bits fit.
        row(
            of(Scalar::Left, vec![s(), i()]),
            [
                "CASE WHEN t.i >= 0 THEN LEFT(t.s, t.i) END",
                "CASE WHEN t.i >= 0 THEN LEFT(t.s, CAST(t.i AS INTEGER)) END",
                "CASE WHEN t.i >= 0 THEN LEFT(t.s, CAST(t.i AS INT)) END",
                "CASE WHEN t.i >= 0 THEN LEFT(t.s, CAST(t.i AS INT)) END",
            ],
        ),
        same(of(Scalar::Replace, vec![s(), x(), text("yy")]), "REPLACE(t.s, 'x', 'yy')"),
        same(
            of(Scalar::Replace, vec![s(), column("t", "u", TEXT), text("yy")]),
            "CASE WHEN t.u <> '' THEN REPLACE(t.s, t.u, 'yy') END",
        ),
        // Flink counts parts from 0 and gives NULL past the last; what StarRocks gives there is not known.
        row(
            of(Scalar::SplitPart, vec![s(), text(","), b()]),
            [
                "CASE WHEN t.b >= 1 THEN SPLIT_PART(t.s, ',', t.b) END".to_string(),
                "CASE WHEN t.b >= 1 THEN SPLIT_PART(t.s, ',', t.b) END".to_string(),
                format!("CASE WHEN t.s IS NOT NULL AND t.b >= 1 THEN {} END", split(&format!("{HELD} - 1"))),
                format!(
                    "CASE WHEN t.s IS NOT NULL AND t.b >= 1 THEN COALESCE(SPLIT_PART(t.s, ',', {HELD}), '') END"
                ),
            ],
        ),
        row(
            of(Scalar::SplitPart, vec![s(), text(","), integer("2")]),
            [
                "SPLIT_PART(t.s, ',', 2)".to_string(),
                "SPLIT_PART(t.s, ',', 2)".to_string(),
                format!("CASE WHEN t.s IS NOT NULL THEN {} END", split("1")),
                "CASE WHEN t.s IS NOT NULL THEN COALESCE(SPLIT_PART(t.s, ',', 2), '') END".to_string(),
            ],
        ),
    ]
}

fn places() -> Vec<Row> {
    let test = |name| scalar(name, vec![s(), x()], BOOLEAN);
    vec![
        row(
            scalar(Scalar::Position, vec![x(), s()], BIG),
            [
                "CAST(STRPOS(t.s, 'x') AS BIGINT)",
                "STRPOS(t.s, 'x')",
                "CAST(POSITION('x' IN t.s) AS BIGINT)",
                "CAST(LOCATE('x', t.s) AS BIGINT)",
            ],
        ),
        row(
            test(Scalar::Contains),
            ["CONTAINS(t.s, 'x')", "CONTAINS(t.s, 'x')", "POSITION('x' IN t.s) > 0", "LOCATE('x', t.s) > 0"],
        ),
        row(
            test(Scalar::StartsWith),
            [
                "STARTS_WITH(t.s, 'x')",
                "STARTS_WITH(t.s, 'x')",
                "STARTSWITH(t.s, 'x')",
                "STARTS_WITH(t.s, 'x')",
            ],
        ),
        row(
            test(Scalar::EndsWith),
            ["ENDS_WITH(t.s, 'x')", "ENDS_WITH(t.s, 'x')", "ENDSWITH(t.s, 'x')", "ENDS_WITH(t.s, 'x')"],
        ),
    ]
}

fn patterns() -> Vec<Row> {
    let like = |name| scalar(name, vec![s(), text("X%")], BOOLEAN);
    let letters = || text("[a-x]");
    vec![
        same(like(Scalar::Like), "t.s LIKE 'X%'"),
        row(
            like(Scalar::ILike),
            [
                "t.s ILIKE 'X%'",
                "t.s ILIKE 'X%'",
                "LOWER(CAST(t.s AS STRING)) LIKE LOWER(CAST('X%' AS STRING))",
                "LOWER(t.s) LIKE LOWER('X%')",
            ],
        ),
        // The `_` of Flink's LIKE passes over no end of a line.
        row(
            scalar(Scalar::Like, vec![s(), text("a_.%")], BOOLEAN),
            ["t.s LIKE 'a_.%'", "t.s LIKE 'a_.%'", r"REGEXP(t.s, '(?s)\Aa.\..*\z')", "t.s LIKE 'a_.%'"],
        ),
        row(
            scalar(Scalar::ILike, vec![s(), text("A_")], BOOLEAN),
            [
                "t.s ILIKE 'A_'",
                "t.s ILIKE 'A_'",
                r"REGEXP(LOWER(CAST(t.s AS STRING)), '(?s)\Aa.\z')",
                "LOWER(t.s) LIKE LOWER('A_')",
            ],
        ),
        // Java's `.` passes over `\r` too, StarRocks' over no end of a line; their `$` stops before a last one.
        row(
            scalar(Scalar::RegexpLike, vec![s(), text("a.$")], BOOLEAN),
            [
                "REGEXP_LIKE(t.s, 'a.$')",
                "REGEXP_MATCHES(t.s, 'a.$')",
                r"REGEXP(t.s, 'a[^\n]\z')",
                r"REGEXP(t.s, 'a[^\\n]\\z')",
            ],
        ),
        // StarRocks takes the longest match, and others the first.
        row(
            scalar(Scalar::RegexpExtract, vec![s(), text("a|ab")], TEXT),
            [
                "(REGEXP_MATCH(t.s, 'a|ab'))[1]",
                "NULLIF(REGEXP_EXTRACT(t.s, 'a|ab'), '')",
                "REGEXP_EXTRACT(t.s, 'a|ab')",
                "E_UNSUPPORTED_PATTERN: `REGEXP_EXTRACT` on StarRocks 3.5: takes the longest",
            ],
        ),
        row(
            scalar(Scalar::RegexpLike, vec![s(), letters()], BOOLEAN),
            [
                "REGEXP_LIKE(t.s, '[a-x]')",
                "REGEXP_MATCHES(t.s, '[a-x]')",
                "REGEXP(t.s, '[a-x]')",
                "REGEXP(t.s, '[a-x]')",
            ],
        ),
        // Without 'g' DataFusion and DuckDB replace the first match only.
        row(
            scalar(Scalar::RegexpReplace, vec![s(), letters(), text("q")], TEXT),
            [
                "REGEXP_REPLACE(t.s, '[a-x]', 'q', 'g')",
                "REGEXP_REPLACE(t.s, '[a-x]', 'q', 'g')",
                "REGEXP_REPLACE(t.s, '[a-x]', 'q')",
                "REGEXP_REPLACE(t.s, '[a-x]', 'q')",
            ],
        ),
        // DuckDB and StarRocks give an empty text where nothing matches.
        row(
            scalar(Scalar::RegexpExtract, vec![s(), letters()], TEXT),
            [
                "(REGEXP_MATCH(t.s, '[a-x]'))[1]",
                "NULLIF(REGEXP_EXTRACT(t.s, '[a-x]'), '')",
                "REGEXP_EXTRACT(t.s, '[a-x]')",
                "NULLIF(REGEXP_EXTRACT(t.s, '[a-x]', 0), '')",
            ],
        ),
        // DataFusion counts 0 in NULL.
        row(
            scalar(Scalar::RegexpCount, vec![s(), letters()], BIG),
            [
                "CASE WHEN t.s IS NOT NULL THEN REGEXP_COUNT(t.s, '[a-x]') END",
                "LEN(REGEXP_EXTRACT_ALL(t.s, '[a-x]'))",
                "CAST(REGEXP_COUNT(t.s, '[a-x]') AS BIGINT)",
                "E_UNSUPPORTED_FUNCTION: `REGEXP_COUNT` on StarRocks 3.5: ",
            ],
        ),
    ]
}

#[test]
fn texts_on_every_engine() {
    check_all(&rows());
}

#[test]
fn texts_on_other_versions() {
    let starts = scalar(Scalar::StartsWith, vec![s(), x()], BOOLEAN);
    check(&starts, "flink@1.20", "POSITION('x' IN t.s) = 1");
    let ends = scalar(Scalar::EndsWith, vec![s(), x()], BOOLEAN);
    check(&ends, "flink@1.20", "RIGHT(t.s, CHAR_LENGTH('x')) = 'x'");
    let count = scalar(Scalar::RegexpCount, vec![s(), text("[a-x]")], BIG);
    check(&count, "flink@1.20", "E_UNSUPPORTED_FUNCTION: `REGEXP_COUNT` on Flink 1.20: ");
    check(&count, "starrocks@4.1", "CAST(REGEXP_COUNT(t.s, '[a-x]') AS BIGINT)");
    let initcap = scalar(Scalar::Initcap, vec![s()], TEXT);
    check(&initcap, "starrocks@4.0", "E_UNSUPPORTED_FUNCTION: `INITCAP` on StarRocks 4.0: ");
    check(&initcap, "starrocks@4.1", "INITCAP(t.s)");
}

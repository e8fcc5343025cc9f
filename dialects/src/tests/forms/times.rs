//! Dates and times: weeks from Monday, days of the week from Sunday as 1, boundaries and not whole units, a date stays a date.

use unisono_compiler::data_type::DataType;
use unisono_compiler::function::{Function, Part, Scalar, Unit};
use unisono_compiler::relation::RelExpr;

use super::{Row, check, check_all, row, same};
use crate::tests::relations::{BIG, DATE, TEXT, TIMESTAMP, b, cast, column, function, i, integer, scalar};

fn day() -> RelExpr {
    column("t", "day", DATE)
}
fn ts() -> RelExpr {
    column("t", "ts", TIMESTAMP)
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for unit in Unit::ALL {
        rows.extend([cut_timestamp(unit), moved_timestamp(unit), difference(unit)]);
    }
    rows.extend([Unit::Year, Unit::Quarter, Unit::Month, Unit::Week].map(cut_date));
    rows.push(same(function(Function::DateTrunc(Unit::Day), vec![day()], DATE), "t.day"));
    rows.extend(Part::ALL.map(part));
    rows.extend(moved_dates());
    rows.extend(read());
    rows
}

/// DataFusion's first day of a unit, of a column.
fn first_day(unit: Unit, x: &str) -> String {
    let part = |part: &str| format!("CAST(DATE_PART('{part}', {x}) AS INT)");
    let month = match unit {
        Unit::Quarter => format!("{} * 3 - 2", part("quarter")),
        Unit::Month => part("month"),
        _ => "1".to_string(),
    };
    match unit {
        Unit::Week => format!("CAST({x} AS DATE) + (1 - {})", part("isodow")),
        _ => format!("MAKE_DATE({}, {month}, 1)", part("year")),
    }
}

/// Flink's Monday: its FLOOR to a week goes to Sunday.
fn monday(x: &str) -> String {
    flink_back("ISODOW", x)
}

fn flink_back(part: &str, x: &str) -> String {
    format!("TIMESTAMPADD(DAY, 1 - CAST(EXTRACT({part} FROM {x}) AS INT), {x})")
}

/// Flink's first day: its FLOOR takes days before 15 October 1582 for those of the Julian calendar.
fn flink_first(unit: Unit, x: &str) -> String {
    match unit {
        Unit::Year => flink_back("DOY", x),
        Unit::Quarter => {
            let months = format!("0 - MOD(CAST(EXTRACT(MONTH FROM {x}) AS INT) - 1, 3)");
            format!("TIMESTAMPADD(MONTH, {months}, {})", flink_back("DAY", x))
        }
        Unit::Month => flink_back("DAY", x),
        _ => monday(x),
    }
}

const MIDNIGHT: &str = "FLOOR(t.ts TO DAY)";

/// Whole units of the clock since a million days before 1970, on DataFusion, whose own truncation ends in 2262.
fn since(unit: Unit) -> String {
    format!("(CAST(CAST(t.ts AS TIMESTAMP(6)) AS BIGINT) + 86400000000000000) / {}", micros(unit))
}

fn micros(unit: Unit) -> &'static str {
    match unit {
        Unit::Hour => "3600000000",
        Unit::Minute => "60000000",
        _ => "1000000",
    }
}

fn cut_timestamp(unit: Unit) -> Row {
    let word = unit.as_str().to_uppercase();
    let start = match unit {
        Unit::Day => "CAST(t.ts AS DATE)".to_string(),
        Unit::Hour | Unit::Minute | Unit::Second => {
            format!("{} * {} - 86400000000000000", since(unit), micros(unit))
        }
        _ => first_day(unit, "t.ts"),
    };
    let flink = match unit {
        Unit::Week => format!("CAST({} AS TIMESTAMP(6))", monday(MIDNIGHT)),
        // A cast to a day goes toward 1970, FLOOR downward.
        Unit::Year | Unit::Quarter | Unit::Month => {
            format!("CAST({} AS TIMESTAMP(6))", flink_first(unit, &format!("CAST({MIDNIGHT} AS DATE)")))
        }
        _ => format!("FLOOR(t.ts TO {word})"),
    };
    let name = unit.as_str();
    row(
        function(Function::DateTrunc(unit), vec![ts()], TIMESTAMP),
        [
            format!("CAST({start} AS TIMESTAMP(6))"),
            format!("DATE_TRUNC('{name}', t.ts)"),
            flink,
            format!("CAST(DATE_TRUNC('{name}', t.ts) AS DATETIME)"),
        ],
    )
}

/// DataFusion and DuckDB give a timestamp for a date.
fn cut_date(unit: Unit) -> Row {
    let name = unit.as_str();
    let flink = flink_first(unit, "t.day");
    let cut = format!("CAST(DATE_TRUNC('{name}', t.day) AS DATE)");
    row(
        function(Function::DateTrunc(unit), vec![day()], DATE),
        [first_day(unit, "t.day"), cut.clone(), flink, cut],
    )
}

fn part(part: Part) -> Row {
    let clock = |longer: &str, unit: &str| {
        format!("CAST(TIMESTAMPDIFF({unit}, FLOOR(t.ts TO {longer}), t.ts) AS BIGINT)")
    };
    let of_day = |word: &str| format!("EXTRACT({word} FROM {MIDNIGHT})");
    let (standard, flink, starrocks) = match part {
        Part::Year => ("DATE_PART('year', t.ts)", of_day("YEAR"), "YEAR(t.ts)"),
        Part::Quarter => ("DATE_PART('quarter', t.ts)", of_day("QUARTER"), "QUARTER(t.ts)"),
        Part::Month => ("DATE_PART('month', t.ts)", of_day("MONTH"), "MONTH(t.ts)"),
        // MySQL's mode 0 by StarRocks' WEEK and EXTRACT.
        Part::Week => ("DATE_PART('week', t.ts)", of_day("WEEK"), "WEEK_ISO(t.ts)"),
        Part::Day => ("DATE_PART('day', t.ts)", of_day("DAY"), "DAY(t.ts)"),
        Part::DayOfYear => ("DATE_PART('doy', t.ts)", of_day("DOY"), "DAYOFYEAR(t.ts)"),
        // From 0 on DataFusion and DuckDB.
        Part::DayOfWeek => ("DATE_PART('dow', t.ts) + 1", of_day("DOW"), "DAYOFWEEK(t.ts)"),
        Part::Hour => ("DATE_PART('hour', t.ts)", clock("DAY", "HOUR"), "HOUR(t.ts)"),
        Part::Minute => ("DATE_PART('minute', t.ts)", clock("HOUR", "MINUTE"), "MINUTE(t.ts)"),
        Part::Second => ("DATE_PART('second', t.ts)", clock("MINUTE", "SECOND"), "SECOND(t.ts)"),
        // With the seconds on DataFusion and DuckDB; below zero before 1970 on Flink.
        Part::Millisecond => (
            "DATE_PART('millisecond', t.ts) % 1000",
            "MOD(EXTRACT(MILLISECOND FROM t.ts) + 1000, 1000)".to_string(),
            "CAST(DATE_FORMAT(t.ts, '%f') AS BIGINT) DIV 1000",
        ),
    };
    row(
        function(Function::Extract(part), vec![ts()], BIG),
        [
            format!("CAST({standard} AS BIGINT)"),
            standard.to_string(),
            flink,
            format!("CAST({starrocks} AS BIGINT)"),
        ],
    )
}

/// How far a count may move a date on Flink before it raises, where an INT reaches further.
fn held(most: &str, x: &str, count: &str) -> String {
    format!(
        "CASE WHEN {count} < -{most} OR {count} > {most} THEN CAST(CONCAT('overflow of ', CAST({x} AS STRING), ' and ', CAST({count} AS STRING)) AS INT) ELSE CAST({count} AS INT) END"
    )
}

fn moved_timestamp(unit: Unit) -> Row {
    let word = unit.as_str().to_uppercase();
    let (datafusion, duckdb, most) = match unit {
        Unit::Year => ("t.i * 12 AS VARCHAR) || ' months'", "TO_MONTHS(CAST(t.i * 12 AS INTEGER))", "10000"),
        Unit::Quarter => ("t.i * 3 AS VARCHAR) || ' months'", "TO_MONTHS(CAST(t.i * 3 AS INTEGER))", "40000"),
        Unit::Month => ("t.i AS VARCHAR) || ' months'", "TO_MONTHS(CAST(t.i AS INTEGER))", "120000"),
        Unit::Week => ("t.i * 7 AS VARCHAR) || ' days'", "TO_DAYS(CAST(t.i * 7 AS INTEGER))", "530000"),
        Unit::Day => ("t.i AS VARCHAR) || ' days'", "TO_DAYS(CAST(t.i AS INTEGER))", "3660000"),
        Unit::Hour => ("t.i AS VARCHAR) || ' hours'", "TO_HOURS(CAST(t.i AS BIGINT))", "87840000"),
        Unit::Minute => ("t.i AS VARCHAR) || ' minutes'", "TO_MINUTES(CAST(t.i AS BIGINT))", "2147483647"),
        Unit::Second => ("t.i AS VARCHAR) || ' seconds'", "TO_SECONDS(CAST(t.i AS BIGINT))", "2147483647"),
    };
    let count = held(most, "t.ts", "t.i");
    row(
        function(Function::DateAdd(unit), vec![i(), ts()], TIMESTAMP),
        [
            format!("CAST(t.ts + CAST(CAST({datafusion} AS INTERVAL) AS TIMESTAMP(6))"),
            format!("CAST(t.ts + {duckdb} AS TIMESTAMP)"),
            format!("TIMESTAMPADD({word}, {count}, t.ts)"),
            format!("CAST(DATE_ADD(t.ts, INTERVAL t.i {word}) AS DATETIME)"),
        ],
    )
}

fn moved_dates() -> Vec<Row> {
    let moved = |unit, count| function(Function::DateAdd(unit), vec![count, day()], DATE);
    vec![
        // StarRocks and DuckDB give a timestamp for a date.
        row(
            moved(Unit::Month, integer("-1")),
            [
                "CAST(t.day + INTERVAL '-1' MONTH AS DATE)",
                "CAST(t.day + TO_MONTHS(CAST(-1 AS INTEGER)) AS DATE)",
                "TIMESTAMPADD(MONTH, -1, t.day)",
                "CAST(DATE_ADD(t.day, INTERVAL (-1) MONTH) AS DATE)",
            ],
        ),
        row(
            moved(Unit::Day, i()),
            [
                "t.day + t.i".to_string(),
                "CAST(t.day + TO_DAYS(CAST(t.i AS INTEGER)) AS DATE)".to_string(),
                format!("TIMESTAMPADD(DAY, {}, t.day)", held("3660000", "t.day", "t.i")),
                "CAST(DATE_ADD(t.day, INTERVAL t.i DAY) AS DATE)".to_string(),
            ],
        ),
        // `date + n` of DataFusion wraps past 32 bits, and so does `n * 12` past 64.
        row(
            moved(Unit::Day, b()),
            [
                "CAST(t.day + CAST(CAST(t.b AS VARCHAR) || ' days' AS INTERVAL) AS DATE)".to_string(),
                "CAST(t.day + TO_DAYS(CAST(t.b AS INTEGER)) AS DATE)".to_string(),
                format!("TIMESTAMPADD(DAY, {}, t.day)", held("3660000", "t.day", "t.b")),
                "CAST(DATE_ADD(t.day, INTERVAL t.b DAY) AS DATE)".to_string(),
            ],
        ),
        row(
            moved(Unit::Year, b()),
            [
                "CAST(t.day + CAST(CAST(CAST(t.b AS DECIMAL(38, 0)) * 12 AS VARCHAR) || ' months' AS INTERVAL) AS DATE)"
                    .to_string(),
                "CAST(t.day + TO_MONTHS(CAST(t.b * 12 AS INTEGER)) AS DATE)".to_string(),
                format!("TIMESTAMPADD(YEAR, {}, t.day)", held("10000", "t.day", "t.b")),
                "CAST(DATE_ADD(t.day, INTERVAL t.b YEAR) AS DATE)".to_string(),
            ],
        ),
    ]
}

/// From a date to a timestamp: the date's clock stands at midnight.
fn difference(unit: Unit) -> Row {
    let name = unit.as_str();
    let apart = |part: &str| format!("DATE_PART('{part}', t.ts) - DATE_PART('{part}', t.day)");
    let with_years = |per_year: u8, part: &str| {
        let of = |x: &str| format!("DATE_PART('year', {x}) * {per_year} + DATE_PART('{part}', {x})");
        format!("{} - ({})", of("t.ts"), of("t.day"))
    };
    let number = |x: &str| format!("CAST(CAST({x} AS INT) AS BIGINT)");
    let (first, second) = (number("t.day"), number("CAST(t.ts AS DATE)"));
    let week_start = |days: &str, x: &str| format!("{days} - (DATE_PART('isodow', {x}) - 1)");
    let clock = |x: &str| {
        format!("(CAST(CAST({x} AS TIMESTAMP(6)) AS BIGINT) + 86400000000000000) / {}", micros(unit))
    };
    let datafusion = match unit {
        Unit::Year => apart("year"),
        Unit::Quarter => with_years(4, "quarter"),
        Unit::Month => with_years(12, "month"),
        Unit::Week => {
            format!("({} - ({})) / 7", week_start(&second, "t.ts"), week_start(&first, "t.day"))
        }
        Unit::Day => format!("{second} - {first}"),
        Unit::Hour | Unit::Minute | Unit::Second => format!("{} - {}", clock("t.ts"), clock("t.day")),
    };
    let duckdb = if unit == Unit::Week {
        // Its own counts other boundaries.
        "CAST(DATE_DIFF('day', DATE_TRUNC('week', t.day), DATE_TRUNC('week', t.ts)) / 7 AS BIGINT)"
            .to_string()
    } else {
        format!("DATE_DIFF('{name}', t.day, t.ts)")
    };
    row(
        function(Function::DateDiff(unit), vec![day(), ts()], BIG),
        [
            format!("CAST({datafusion} AS BIGINT)"),
            duckdb,
            flink_difference(unit),
            format!("CAST({} AS BIGINT)", starrocks_difference(unit)),
        ],
    )
}

/// TIMESTAMPDIFF counts whole units, so boundaries go by parts and by days of dates.
fn flink_difference(unit: Unit) -> String {
    let year = |x: &str| format!("EXTRACT(YEAR FROM {x})");
    let with_years = |per_year: u8, part: &str| {
        let of = |x: &str| format!("{} * {per_year} + EXTRACT({part} FROM {x})", year(x));
        format!("{} - ({})", of(MIDNIGHT), of("t.day"))
    };
    let days = |a: &str, b: &str| format!("CAST(TIMESTAMPDIFF(DAY, {a}, {b}) AS BIGINT)");
    let later = format!("CAST({MIDNIGHT} AS DATE)");
    let clock = |per_day: &str, word: &str| {
        let since = format!("CAST(TIMESTAMPDIFF({word}, {MIDNIGHT}, t.ts) AS BIGINT)");
        format!("{} * {per_day} + {since} - 0", days("t.day", &later))
    };
    match unit {
        Unit::Year => format!("{} - {}", year(MIDNIGHT), year("t.day")),
        Unit::Quarter => with_years(4, "QUARTER"),
        Unit::Month => with_years(12, "MONTH"),
        Unit::Week => format!("{} / 7", days(&monday("t.day"), &monday(&later))),
        Unit::Day => days("t.day", &later),
        Unit::Hour => clock("24", "HOUR"),
        Unit::Minute => clock("1440", "MINUTE"),
        Unit::Second => clock("86400", "SECOND"),
    }
}

fn starrocks_difference(unit: Unit) -> String {
    let year = |x: &str| format!("YEAR({x})");
    let with_years = |per_year: u8, part: &str| {
        let of = |x: &str| format!("CAST({} AS BIGINT) * {per_year} + {part}({x})", year(x));
        format!("{} - ({})", of("t.ts"), of("t.day"))
    };
    let days = |b: &str, a: &str| format!("CAST(DATEDIFF({b}, {a}) AS BIGINT)");
    let clock = |per_day: &str, parts: &str| format!("{} * {per_day} + {parts} - 0", days("t.ts", "t.day"));
    let of = |part: &str| format!("CAST({part}(t.ts) AS BIGINT)");
    match unit {
        Unit::Year => format!("{} - {}", year("t.ts"), year("t.day")),
        Unit::Quarter => with_years(4, "QUARTER"),
        Unit::Month => with_years(12, "MONTH"),
        Unit::Week => {
            format!("{} DIV 7", days("DATE_TRUNC('week', t.ts)", "DATE_TRUNC('week', t.day)"))
        }
        Unit::Day => days("t.ts", "t.day"),
        Unit::Hour => clock("24", &of("HOUR")),
        Unit::Minute => clock("1440", &format!("({} * 60 + {})", of("HOUR"), of("MINUTE"))),
        Unit::Second => {
            clock("86400", &format!("({} * 3600 + {} * 60 + {})", of("HOUR"), of("MINUTE"), of("SECOND")))
        }
    }
}

/// Texts are looked at before they are read: Flink reads 30 February, StarRocks nearly anything.
fn read() -> Vec<Row> {
    let s = || column("t", "s", TEXT);
    let date = "^[0-9]{4}-[0-9]{2}-[0-9]{2}";
    let time = "^[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?)?";
    // The `$` of Flink and StarRocks stops before a last end of a line too.
    let guarded = |test: &str, pattern: &str, value: &str| {
        let end = match (test, value.starts_with("TRY_CAST")) {
            ("REGEXP", true) => r"\z",
            ("REGEXP", false) => r"\\z",
            _ => "$",
        };
        format!("CASE WHEN {test}(t.s, '{pattern}{end}') THEN {value} END")
    };
    let dates = [
        guarded("REGEXP_LIKE", date, "TRY_CAST(t.s AS DATE)"),
        guarded("REGEXP_MATCHES", date, "TRY_CAST(t.s AS DATE)"),
        guarded("REGEXP", date, "TRY_CAST(t.s AS DATE)"),
        guarded("REGEXP", date, "CAST(t.s AS DATE)"),
    ];
    let exists = "TRY_CAST(SUBSTRING(t.s, 1, 10) AS DATE) IS NOT NULL";
    vec![
        row(scalar(Scalar::ToDate, vec![s()], DATE), dates.clone()),
        row(cast(s(), DATE), dates),
        row(
            scalar(Scalar::ToTimestamp, vec![s()], TIMESTAMP),
            [
                guarded("REGEXP_LIKE", time, "TRY_CAST(t.s AS TIMESTAMP(6))"),
                guarded("REGEXP_MATCHES", time, "TRY_CAST(t.s AS TIMESTAMP)"),
                format!(
                    "CASE WHEN REGEXP(t.s, '{time}\\z') AND {exists} THEN TRY_CAST(t.s AS TIMESTAMP(6)) END"
                ),
                guarded("REGEXP", time, "CAST(t.s AS DATETIME)"),
            ],
        ),
        // Flink's own cast of a time before 1970 to a date goes toward 1970.
        row(
            cast(ts(), DATE),
            [
                "CAST(t.ts AS DATE)",
                "CAST(t.ts AS DATE)",
                "CAST(FLOOR(t.ts TO DAY) AS DATE)",
                "CAST(t.ts AS DATE)",
            ],
        ),
    ]
}

#[test]
fn times_on_every_engine() {
    check_all(&rows());
}

#[test]
fn flink_cuts_the_clock_of_instants_by_their_wall_clock() {
    let instant = || column("t", "z", DataType::TimestampTz);
    let cut = |unit| function(Function::DateTrunc(unit), vec![instant()], DataType::TimestampTz);
    for unit in [Unit::Minute, Unit::Second] {
        let word = unit.as_str().to_uppercase();
        let said = format!("CAST(FLOOR(CAST(t.z AS TIMESTAMP(6)) TO {word}) AS TIMESTAMP_LTZ(6))");
        check(&cut(unit), "flink", &said);
        check(&cut(unit), "flink@1.20", &said);
    }
    check(&cut(Unit::Hour), "flink@1.20", "FLOOR(t.z TO HOUR)");
}

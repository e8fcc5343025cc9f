//! Every function on every target: a text, or a refusal that names function, engine and version.

use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::Code;
use unisono_compiler::function::{AggregateFunction, Function, Ranking, Scalar};
use unisono_compiler::relation::{Grouping, Relation};

use super::relations::{
    BIG, BOOLEAN, DATE, DOUBLE, INT, TEXT, aggregate, cast, column, dates, decimal, exact, function, integer,
    one, picked, revenue_by_region, row_values, running, scalar, stitched, text, total,
};
use super::samples::{aggregate_sample, ranking_sample, scalar_sample};
use super::{TARGETS, finding, say, sql, target};
use crate::support::functions;
use crate::{Answer, support};

/// The answer of a target on a relation of one call, checked to be a text or an honest refusal.
fn answered(relation: &Relation, name: &str, target_text: &str) -> bool {
    let (sql, diagnostics) = say(relation, target_text);
    if let Some(sql) = sql {
        assert!(diagnostics.is_empty(), "{name} on {target_text}: {diagnostics:?}");
        assert!(sql.starts_with("SELECT\n") || sql.starts_with("WITH\n"), "{name} on {target_text}: {sql}");
        return true;
    }
    let finding =
        diagnostics.first().unwrap_or_else(|| panic!("{name} on {target_text} is refused without a word"));
    let planned = ["MIN_BY", "MAX_BY"].contains(&name);
    let code = if planned { Code::Internal } else { Code::UnsupportedFunction };
    assert_eq!(finding.code, code, "{name} on {target_text}");
    let target = target(target_text).to_string();
    assert!(finding.message.contains(&target), "{name} on {target_text}: {}", finding.message);
    assert!(finding.message.contains(&format!("`{name}")), "{name} on {target_text}: {}", finding.message);
    assert!(!finding.help.is_empty(), "{name} on {target_text}");
    false
}

#[test]
fn every_scalar_function_has_a_text_or_a_refusal_on_every_target() {
    for target in TARGETS {
        let mut refused: Vec<String> = Vec::new();
        for function in functions() {
            if !answered(&one(scalar_sample(function)), &function.name(), target) {
                refused.push(function.name());
            }
        }
        let expected: &[&str] = match target {
            "duckdb" => &["INITCAP"],
            "starrocks" => &["REGEXP_COUNT", "INITCAP"],
            "flink@1.20" | "flink-streaming@1.20" => &["REGEXP_COUNT"],
            _ => &[],
        };
        assert_eq!(refused, expected, "{target}");
    }
}

#[test]
fn letters_beyond_ascii_need_a_starrocks_that_can_be_told_to_look_at_them() {
    for name in [Scalar::Upper, Scalar::Lower, Scalar::ILike].map(Function::Scalar) {
        let relation = one(scalar_sample(name));
        for (version, expected) in
            [("starrocks@3.3", false), ("starrocks@3.4", false), ("starrocks@3.5", true)]
        {
            assert_eq!(answered(&relation, &name.name(), version), expected, "{} on {version}", name.name());
        }
    }
}

#[test]
fn every_aggregate_has_a_text_or_a_refusal_on_every_target() {
    for target in TARGETS {
        let mut refused: Vec<&str> = Vec::new();
        for name in AggregateFunction::ALL {
            let mut relation = one(aggregate_sample(*name));
            relation.body.group_by = Grouping::Global;
            if !answered(&relation, name.name(), target) {
                refused.push(name.name());
            }
        }
        let picked = ["MIN_BY", "MAX_BY"];
        let flink = ["PERCENTILE_DISC", "MIN_BY", "MAX_BY", "LISTAGG", "CORR", "COVAR_POP", "COVAR_SAMP"];
        let spreads = ["STDDEV_SAMP", "STDDEV_POP", "VAR_SAMP", "VAR_POP"];
        let expected: Vec<&str> = match target {
            "datafusion" | "duckdb" => picked.to_vec(),
            "flink" => flink.to_vec(),
            "flink-streaming" => ["COUNT"].into_iter().chain(spreads).chain(flink).collect(),
            "flink@1.20" => ["MEDIAN", "PERCENTILE_CONT"].into_iter().chain(flink).collect(),
            "flink-streaming@1.20" => {
                let middles = ["MEDIAN", "PERCENTILE_CONT"];
                ["COUNT"].into_iter().chain(spreads).chain(middles).chain(flink).collect()
            }
            _ => ["PERCENTILE_DISC"].into_iter().chain(picked).collect(),
        };
        assert_eq!(refused, expected, "{target}");
    }
}

#[test]
fn every_ranking_has_a_text_or_a_refusal_on_every_target() {
    for target in TARGETS {
        let mut refused: Vec<&str> = Vec::new();
        for name in Ranking::ALL {
            if !answered(&one(ranking_sample(*name)), name.name(), target) {
                refused.push(name.name());
            }
        }
        let all: Vec<&str> = Ranking::ALL.iter().map(|name| name.name()).collect();
        let expected: Vec<&str> = match target {
            "flink" | "flink@1.20" => vec!["CUME_DIST", "NTH_VALUE"],
            "starrocks" | "starrocks@4.1" | "starrocks@4.2" => vec!["NTH_VALUE"],
            "flink-streaming" => {
                let running = ["ROW_NUMBER", "RANK", "DENSE_RANK"];
                all.into_iter().filter(|name| !running.contains(name)).collect()
            }
            "flink-streaming@1.20" => all,
            _ => Vec::new(),
        };
        assert_eq!(refused, expected, "{target}");
    }
}

#[test]
fn every_row_names_its_vendors_page() {
    let hosts = [
        ("datafusion", "https://datafusion.apache.org/"),
        ("duckdb", "https://duckdb.org/"),
        ("starrocks", "https://docs.starrocks.io/"),
        ("flink", "https://nightlies.apache.org/flink/"),
        ("flink-streaming", "https://nightlies.apache.org/flink/"),
    ];
    for (name, host) in hosts {
        let entries = support(&target(name));
        assert_eq!(entries.len(), functions().len() + AggregateFunction::ALL.len() + Ranking::ALL.len());
        for entry in entries {
            assert!(entry.url.starts_with(host), "{} on {name}: {}", entry.function, entry.url);
            if let Answer::Absent { why, needs } = entry.answer {
                assert!(!why.is_empty() && !needs.is_empty(), "{} on {name}", entry.function);
            }
        }
    }
}

#[test]
fn no_text_of_a_target_holds_what_it_reads_otherwise() {
    // What each engine accepts and computes or parses in another way (docs/semantics.md, functions; docs/traps.md), and what is in no grammar.
    let everywhere = [
        "!=",
        " USING",
        "QUALIFY",
        "NATURAL",
        "FILTER",
        "AVG(",
        "ANY_VALUE",
        "_BY(",
        "BOOL_",
        "APPROX",
        "ARRAY_AGG(DISTINCT",
    ];
    let flink = [
        "IGNORE NULLS",
        "DATE_TRUNC",
        "ARRAY_AGG",
        "||",
        " LENGTH(",
        "ILIKE",
        "DATEDIFF",
        "CURRENT_",
        "LISTAGG",
    ];
    let banned: [(&str, &[&str]); 5] = [
        (
            "starrocks",
            &[
                "||",
                "TRY_CAST",
                "DISTINCT FROM",
                "TIMESTAMP",
                "ILIKE",
                "MEDIAN(",
                "WITHIN GROUP",
                " LENGTH(",
                "FULL JOIN",
                "FETCH FIRST",
                " EXTRACT(",
                " WEEK(",
                "PERCENTILE_DISC",
                "STDDEV(",
                "VARIANCE(",
                "VARCHAR",
            ],
        ),
        ("flink", &flink),
        ("flink-streaming", &flink),
        ("datafusion", &[" MOD(", " SIGN(", "PERCENTILE_CONT", "CONCAT("]),
        ("duckdb", &["CONCAT(", " MOD(", "DATEDIFF(", "INITCAP"]),
    ];
    for (name, words) in banned {
        let samples = functions().into_iter().map(|function| one(scalar_sample(function)));
        let aggregates = AggregateFunction::ALL.iter().map(|name| one(aggregate_sample(*name)));
        let rankings = Ranking::ALL.iter().map(|name| one(ranking_sample(*name)));
        let whole = [
            revenue_by_region(),
            stitched(),
            total(),
            picked(),
            running(),
            row_values(),
            dates(),
            super::relations::aggregates(),
        ];
        for relation in samples.chain(aggregates).chain(rankings).chain(whole) {
            let (Some(sql), _) = say(&relation, name) else { continue };
            for word in words.iter().chain(&everywhere) {
                assert!(!sql.contains(word), "{name} holds `{word}`: {sql}");
            }
        }
    }
}

#[test]
fn constants_without_a_portable_meaning_are_refused() {
    let subject = || column("t", "s", TEXT);
    let cases = [
        (
            Scalar::Substring,
            vec![subject(), integer("0")],
            "`SUBSTRING` on {}: has no portable meaning for start 0",
        ),
        (Scalar::Left, vec![subject(), integer("-1")], "`LEFT` on {}: has no portable meaning for count -1"),
        (
            Scalar::Replace,
            vec![subject(), text(""), text("x")],
            "`REPLACE` on {}: has no portable meaning for an empty text to replace",
        ),
        (
            Scalar::Trim,
            vec![subject(), text("xy")],
            "`TRIM` on {}: has a portable meaning for one constant character only",
        ),
        (
            Scalar::Like,
            vec![subject(), text("a\\_b")],
            "`LIKE` on {}: engines read `\\` in a pattern differently",
        ),
    ];
    for name in TARGETS {
        for (function, arguments, message) in &cases {
            let (sql, diagnostics) = say(&one(scalar(*function, arguments.clone(), TEXT)), name);
            assert_eq!(sql, None);
            assert_eq!(diagnostics[0].message, message.replace("{}", &target(name).to_string()));
        }
    }
}

#[test]
fn unknown_types_get_the_native_form_with_one_warning_or_a_refusal_that_names_the_column() {
    let unknown = |name: &str| column("t", name, DataType::Unknown);
    let sum = one(scalar(Scalar::Add, vec![unknown("a"), unknown("b")], DataType::Unknown));
    for name in ["datafusion", "duckdb"] {
        let (sql, diagnostics) = say(&sum, name);
        assert_eq!(sql.unwrap(), "SELECT\n  t.a + t.b AS answer\nFROM t");
        assert_eq!(diagnostics.len(), 1);
        assert_eq!(diagnostics[0].code, Code::UnknownType);
        assert!(diagnostics[0].message.starts_with("the type of `t.a`, `t.b` is not declared"));
    }
    for name in ["starrocks", "flink", "flink-streaming"] {
        let (sql, diagnostics) = say(&sum, name);
        assert_eq!(sql, None);
        assert_eq!(diagnostics[0].code, Code::TypeRequired);
        assert!(diagnostics[0].message.ends_with("needs the type of `t.a`, `t.b`, and nothing declares it"));
    }
    // A form that is the same for every type asks for none.
    let concat = one(scalar(Scalar::IsNull, vec![unknown("a")], BOOLEAN));
    for name in TARGETS {
        assert_eq!(say(&concat, name).1, [], "{name}");
    }
}

#[test]
fn sums_that_may_pass_38_digits_raise_on_every_target() {
    let mut relation = one(aggregate_sample(AggregateFunction::Sum));
    relation.body.group_by = Grouping::Keys(vec![column("t", "s", TEXT)]);
    let line = |name: &str| sql(&relation, name).lines().nth(1).unwrap().trim().to_string();
    assert_eq!(line("datafusion"), "CAST(SUM(CAST(t.m AS DECIMAL(76, 2))) AS DECIMAL(38, 2)) AS answer");
    assert_eq!(line("duckdb"), "SUM(t.m) AS answer");
    assert_eq!(
        line("starrocks"),
        "CASE WHEN assert_true(COALESCE(SUM(ABS(CAST(`t`.`m` AS DOUBLE))) < 1000000000000000000000000000000000000e0, TRUE)) THEN SUM(`t`.`m`) END AS `answer`"
    );
    assert_eq!(
        line("flink"),
        "CASE WHEN SUM(t.m) IS NULL AND COUNT(t.m) > 0 THEN CAST(CONCAT('overflow of ', CAST(COUNT(t.m) AS STRING)) AS BIGINT) ELSE SUM(t.m) END AS answer"
    );
}

#[test]
fn extremes_of_floats_do_not_depend_on_where_nan_comes() {
    let least = one(aggregate(AggregateFunction::Min, vec![column("t", "f", DOUBLE)], DOUBLE));
    let line = |name: &str| sql(&least, name).lines().nth(1).unwrap().trim().to_string();
    let kinds = "MIN(CASE WHEN ABS(t.f) <= 1.7976931348623157e308 THEN 1 WHEN t.f > 0 THEN 2 WHEN t.f < 0 THEN 0 WHEN t.f IS NOT NULL THEN 3 END)";
    let expected = format!(
        "CASE WHEN {kinds} = 1 THEN MIN(CASE WHEN ABS(t.f) <= 1.7976931348623157e308 THEN t.f END) WHEN {kinds} = 3 THEN CAST('NaN' AS DOUBLE) \
         WHEN {kinds} = 2 THEN CAST('Infinity' AS DOUBLE) WHEN {kinds} = 0 THEN CAST('-Infinity' AS DOUBLE) END AS answer"
    );
    for name in ["flink", "flink-streaming"] {
        assert_eq!(line(name), expected);
    }
    assert_eq!(line("duckdb"), "MIN(t.f) AS answer");
    let whole = one(aggregate(AggregateFunction::Min, vec![column("t", "i", INT)], INT));
    assert_eq!(sql(&whole, "flink").lines().nth(1).unwrap().trim(), "MIN(t.i) AS answer");
}

#[test]
fn decimals_past_38_digits_are_widened_watched_or_refused() {
    let wide = column("t", "m", decimal(38, 2));
    let sum = one(scalar(Scalar::Add, vec![wide.clone(), wide.clone()], decimal(38, 2)));
    let line = |name: &str| sql(&sum, name).lines().nth(1).unwrap().trim().to_string();
    assert_eq!(
        line("datafusion"),
        "CAST(CAST(t.m AS DECIMAL(76, 2)) + CAST(t.m AS DECIMAL(76, 2)) AS DECIMAL(38, 2)) AS answer"
    );
    assert_eq!(line("duckdb"), "CAST(t.m + t.m AS DECIMAL(38, 2)) AS answer");
    assert_eq!(
        line("flink"),
        "CASE WHEN ABS(CAST(t.m AS DOUBLE)) + ABS(CAST(t.m AS DOUBLE)) >= 9.9e35 THEN CAST(CAST(CONCAT('overflow of ', CAST(t.m AS STRING), ' and ', CAST(t.m AS STRING)) AS BIGINT) AS DECIMAL(38, 2)) ELSE CAST(t.m + t.m AS DECIMAL(38, 2)) END AS answer"
    );
    assert_eq!(
        line("starrocks"),
        "CASE WHEN assert_true(COALESCE(ABS(CAST(`t`.`m` AS DOUBLE)) + ABS(CAST(`t`.`m` AS DOUBLE)) < 9.9e35, TRUE)) THEN CAST(`t`.`m` + `t`.`m` AS DECIMAL(38, 2)) END AS `answer`"
    );
    let fine = column("t", "fine", decimal(38, 10));
    let product = one(scalar(Scalar::Multiply, vec![fine.clone(), fine], decimal(38, 20)));
    assert_eq!(
        finding(&product, "flink"),
        "E_UNSUPPORTED_FUNCTION: `*` on Flink 2.2: keeps only 6 of 20 digits after the point of this product or sum"
    );
}

#[test]
fn casts_give_null_for_what_does_not_fit() {
    let line =
        |relation: &Relation, name: &str| sql(relation, name).lines().nth(1).unwrap().trim().to_string();
    let narrow = one(cast(column("t", "b", BIG), INT));
    assert_eq!(line(&narrow, "datafusion"), "NULLIF(TRY_CAST(t.b AS INT), NULL) AS answer");
    assert_eq!(line(&narrow, "duckdb"), "TRY_CAST(t.b AS INTEGER) AS answer");
    assert_eq!(
        line(&narrow, "flink"),
        "CASE WHEN t.b > CAST('-2147483649' AS DECIMAL(19, 0)) AND t.b < CAST('2147483648' AS DECIMAL(19, 0)) THEN CAST(t.b AS INT) END AS answer"
    );
    let digits = one(cast(column("t", "d", decimal(10, 2)), decimal(5, 1)));
    assert_eq!(
        line(&digits, "starrocks"),
        "CASE WHEN ABS(CAST(`t`.`d` AS DECIMAL(38, 1))) < CAST('10000' AS DECIMAL(38, 0)) THEN CAST(`t`.`d` AS DECIMAL(5, 1)) END AS `answer`"
    );
    let day = one(cast(column("t", "s", TEXT), DATE));
    assert_eq!(
        line(&day, "datafusion"),
        "CASE WHEN REGEXP_LIKE(t.s, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') THEN TRY_CAST(t.s AS DATE) END AS answer"
    );
    // Widening needs no guard anywhere.
    let widening = one(cast(column("t", "i", INT), decimal(12, 2)));
    assert_eq!(line(&widening, "flink"), "CAST(t.i AS DECIMAL(12, 2)) AS answer");
    assert_eq!(line(&widening, "starrocks"), "CAST(`t`.`i` AS DECIMAL(12, 2)) AS `answer`");
    for from in
        [DataType::Float64, DataType::Boolean, DataType::Time, DataType::Timestamp, DataType::TimestampTz]
    {
        let unportable = one(cast(column("t", "f", from), TEXT));
        let refused = format!("E_UNSUPPORTED_FUNCTION: `cast of {from} to String` on ");
        for name in TARGETS {
            assert!(finding(&unportable, name).starts_with(&refused), "{from} on {name}");
        }
    }
}

#[test]
fn a_decimal_constant_keeps_its_digits_on_every_target() {
    let constant = one(exact("0.19", decimal(2, 2)));
    let line = |name: &str| sql(&constant, name).lines().nth(1).unwrap().trim().to_string();
    assert_eq!(line("datafusion"), "CAST('0.19' AS DECIMAL(2, 2)) AS answer");
    assert_eq!(line("starrocks"), "CAST('0.19' AS DECIMAL(2, 2)) AS `answer`");
    assert_eq!(line("flink"), "CAST('.19' AS DECIMAL(2, 2)) AS answer");
}

#[test]
fn instants_are_taken_apart_in_utc_whatever_the_session_s_zone_is_on_duckdb() {
    use unisono_compiler::data_type::DataType::TimestampTz;
    use unisono_compiler::function::{Part, Unit};
    let instant = || column("t", "seen", TimestampTz);
    let line = |expr| sql(&one(expr), "duckdb").lines().nth(1).unwrap().trim().to_string();
    assert_eq!(
        line(function(Function::DateTrunc(Unit::Month), vec![instant()], TimestampTz)),
        "TIMEZONE('UTC', DATE_TRUNC('month', TIMEZONE('UTC', t.seen))) AS answer"
    );
    assert_eq!(
        line(function(Function::Extract(Part::Hour), vec![instant()], BIG)),
        "DATE_PART('hour', TIMEZONE('UTC', t.seen)) AS answer"
    );
    assert_eq!(
        line(function(Function::DateAdd(Unit::Day), vec![integer("1"), instant()], TimestampTz)),
        "TIMEZONE('UTC', TIMEZONE('UTC', t.seen) + TO_DAYS(CAST(1 AS INTEGER))) AS answer"
    );
    assert_eq!(
        line(function(Function::DateDiff(Unit::Day), vec![instant(), column("t", "day", DATE)], BIG)),
        "DATE_DIFF('day', TIMEZONE('UTC', t.seen), t.\"day\") AS answer"
    );
    assert_eq!(line(cast(instant(), DATE)), "CAST(TIMEZONE('UTC', t.seen) AS DATE) AS answer");
}

#[test]
fn divergent_functions_warn_once_and_constants_not_at_all() {
    use unisono_compiler::data_type::Exactness::Divergent;
    let divergent = |mut expr: unisono_compiler::relation::RelExpr| {
        expr.exactness = Divergent;
        expr
    };
    let upper = || divergent(scalar(Scalar::Upper, vec![column("t", "s", TEXT)], TEXT));
    let both = one(divergent(scalar(Scalar::Concat, vec![upper(), upper()], TEXT)));
    assert_eq!(
        finding(&both, "duckdb"),
        "W_DIVERGENT_FUNCTION: `UPPER` gives different answers on different engines for characters beyond ASCII"
    );
    assert_eq!(say(&both, "duckdb").1.len(), 1);
    let any_case = scalar(Scalar::ILike, vec![column("t", "s", TEXT), text("a%")], BOOLEAN);
    assert_eq!(
        finding(&one(divergent(any_case)), "duckdb"),
        "W_DIVERGENT_FUNCTION: `ILIKE` gives different answers on different engines for characters beyond ASCII"
    );
    let float = column("t", "f", DataType::Float64);
    let rounded = |x| one(divergent(scalar(Scalar::Round, vec![x], DataType::Float64)));
    assert_eq!(
        finding(&rounded(float), "datafusion"),
        "W_DIVERGENT_FUNCTION: `ROUND` gives different answers on different engines for floats near a tie"
    );
    assert_eq!(say(&rounded(column("t", "d", decimal(10, 2))), "datafusion").1, []);
    assert_eq!(
        finding(&one(divergent(cast(column("t", "f", DataType::Float64), decimal(10, 2)))), "datafusion"),
        "W_DIVERGENT_FUNCTION: `cast to Decimal(10,2)` gives different answers on different engines for floats halfway between two Decimals"
    );
    assert_eq!(
        finding(&one(divergent(cast(column("t", "s", TEXT), DATE))), "flink"),
        "W_DIVERGENT_FUNCTION: `cast to Date` gives different answers on different engines for texts that are no ISO date or time"
    );
    assert_eq!(say(&one(divergent(scalar(Scalar::Upper, vec![text("x")], TEXT))), "duckdb").1, []);
}

#[test]
fn a_count_of_days_past_every_date_raises_on_flink() {
    use unisono_compiler::function::Unit;
    let moved =
        |unit, count| one(function(Function::DateAdd(unit), vec![count, column("t", "day", DATE)], DATE));
    let line = |relation: &Relation| sql(relation, "flink").lines().nth(1).unwrap().trim().to_string();
    assert_eq!(
        line(&moved(Unit::Day, column("t", "b", BIG))),
        "TIMESTAMPADD(DAY, CASE WHEN t.b < -3660000 OR t.b > 3660000 THEN CAST(CONCAT('overflow of ', CAST(t.`day` AS STRING), ' and ', CAST(t.b AS STRING)) AS INT) ELSE CAST(t.b AS INT) END, t.`day`) AS answer"
    );
    // No small count reaches that far.
    assert_eq!(
        line(&moved(Unit::Day, column("t", "n", DataType::Int16))),
        "TIMESTAMPADD(DAY, CAST(t.n AS INT), t.`day`) AS answer"
    );
    assert_eq!(
        finding(&moved(Unit::Month, integer("120001")), "flink-streaming"),
        "E_UNSUPPORTED_FUNCTION: `DATEADD(month)` on Flink streaming 2.2: is given a count of 120001, which moves every date past the years 1 to 9999"
    );
}

#[test]
fn negative_operands_never_make_a_comment() {
    let difference = scalar(Scalar::Subtract, vec![column("t", "i", INT), integer("-1")], BIG);
    for name in TARGETS {
        let sql = sql(&one(difference.clone()), name);
        assert!(!sql.contains("--"), "{name}: {sql}");
    }
    let day = function(
        Function::DateAdd(unisono_compiler::function::Unit::Day),
        vec![integer("-2"), column("t", "day", DATE)],
        DATE,
    );
    assert_eq!(sql(&one(day), "datafusion"), "SELECT\n  t.\"day\" + (-2) AS answer\nFROM t");
}

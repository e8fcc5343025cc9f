//! Companions of requests and bounds of groups, by hand.

use super::*;
use crate::check::sample::{bound, by_region, model, planned};
use crate::table::Column;
use unisono_compiler::data_type::DataType;
use unisono_compiler::resolve::Resolved;

/// 2^-52.
const ULP: f64 = f64::EPSILON;

/// An answer of one group EAST, whose companions have the values that `say` gives.
fn answer(companions: &Companions, say: &dyn Fn(&Role) -> Value) -> Table {
    let column = |name: &str| Column { name: name.to_string(), data_type: DataType::Unknown };
    let names = companions.added.iter().map(|added| column(&added.column));
    let values = companions.added.iter().map(|added| say(&added.role));
    Table {
        columns: std::iter::once(column("region")).chain(names).collect(),
        rows: vec![std::iter::once(Value::Text("EAST".to_string())).chain(values).collect()],
        truncated: false,
    }
}

fn allowed_with(measure: &str, sums: FloatSums, say: &dyn Fn(&Role) -> Value) -> Allowed {
    let resolved = model();
    let asked = by_region(&resolved, &[measure]);
    let companions = companions(&resolved, &asked);
    // What is added can be planned.
    planned(&resolved, &companions.bound);
    let found = bounds(&asked, &companions, &answer(&companions, say), sums);
    found[&Key(vec![Value::Text("EAST".to_string())])][0].clone()
}

fn allowed(measure: &str, say: &dyn Fn(&Role) -> Value) -> Allowed {
    allowed_with(measure, FloatSums::Recomputed, say)
}

fn bound_of(measure: &str, say: &dyn Fn(&Role) -> Value) -> f64 {
    match allowed(measure, say) {
        Allowed::Within { bound, terms: _ } => bound,
        other => panic!("{other:?}"),
    }
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-6 * expected, "{found:e} is not {expected:e}");
}

/// A group of `n` values: the aggregate's value, the sum of magnitudes or of squares, least and greatest.
fn group(value: f64, n: i64, magnitude: f64, least: f64, greatest: f64) -> impl Fn(&Role) -> Value {
    move |role| match role {
        Role::HomeRows(_) | Role::Count(_) => Value::Integer(n),
        Role::Same(_) => panic!("nothing is the same"),
        Role::Value(_) => Value::Float(value),
        Role::Magnitude(_) | Role::Squares(_) => Value::Float(magnitude),
        Role::Largest(_) => Value::Float(least.abs().max(greatest.abs())),
        Role::Least(_) => Value::Float(least),
        Role::Greatest(_) => Value::Float(greatest),
    }
}

fn roles(resolved: &Resolved, asked: &Bound) -> Vec<String> {
    let companions = companions(resolved, asked);
    planned(resolved, &companions.bound);
    let shown = |added: &Companion| match &added.role {
        Role::Same(_) => format!("{} same", added.column),
        other => format!("{} {other:?}", added.column),
    };
    companions.added.iter().map(shown).collect()
}

#[test]
fn exact_metrics_need_home_rows_only() {
    let resolved = model();
    let asked = by_region(&resolved, &["SUM(orders.amount)", "COUNT(orders.id)", "MAX(orders.weight)"]);
    assert_eq!(roles(&resolved, &asked), ["__home_rows_0 HomeRows(0)"]);
    assert_eq!(allowed("SUM(orders.amount)", &group(1.0, 1, 1.0, 1.0, 1.0)), Allowed::Exact);
    assert_eq!(allowed("MAX(orders.weight)", &group(1.0, 1, 1.0, 1.0, 1.0)), Allowed::Exact);
}

#[test]
fn companions_are_what_each_aggregate_needs() {
    let resolved = model();
    let sum = by_region(&resolved, &["SUM(orders.weight)", "SUM(orders.weight) + 1e0"]);
    let of_sum =
        ["__home_rows_0 HomeRows(0)", "__bound_1 Value(0)", "__bound_2 Count(0)", "__bound_3 Magnitude(0)"];
    assert_eq!(roles(&resolved, &sum), of_sum);
    let average = by_region(&resolved, &["AVG(orders.amount)"]);
    assert_eq!(roles(&resolved, &average), ["__home_rows_0 HomeRows(0)", "__bound_1 same", "__bound_2 same"]);
    let deviation = by_region(&resolved, &["STDDEV(orders.weight)"]);
    assert_eq!(roles(&resolved, &deviation)[2..], ["__bound_2 Count(0)", "__bound_3 Squares(0)"]);
    let unknown = by_region(&resolved, &["SUM(orders.gain)", "CORR(orders.weight, orders.weight)"]);
    let of_unknown = ["__home_rows_0 HomeRows(0)", "__bound_1 Value(0)", "__bound_2 Value(1)"];
    assert_eq!(roles(&resolved, &unknown), of_unknown);
}

#[test]
fn a_branch_that_decides_no_groups_gets_no_measure() {
    let resolved = model();
    let request =
        r#"{"dimensions": ["customers.region"], "measures": ["revenue"], "having": ["visit_seconds > 1e0"]}"#;
    assert_eq!(roles(&resolved, &bound(&resolved, request)), ["__home_rows_0 HomeRows(0)"]);
    let both = r#"{"dimensions": ["customers.region"], "measures": ["revenue", "visit_seconds"]}"#;
    let of_both = roles(&resolved, &bound(&resolved, both));
    assert_eq!(of_both[..2], ["__home_rows_0 HomeRows(0)", "__home_rows_1 HomeRows(1)"]);
    let listed = roles(&resolved, &bound(&resolved, r#"{"dimensions": ["customers.region"]}"#));
    assert_eq!(listed, ["__home_rows_0 HomeRows(0)"]);
    let labels = r#"{"dimensions": ["tags.label"], "measures": ["total_weight"]}"#;
    assert_eq!(roles(&resolved, &bound(&resolved, labels)).len(), 4);
    assert!(roles(&resolved, &bound(&resolved, r#"{"fields": ["orders.id"]}"#)).is_empty());
}

#[test]
fn sums_of_doubles_may_differ_by_2_n_u_times_the_magnitudes() {
    let sum = allowed("SUM(orders.weight)", &group(1.0, 3, 10.0, -4.5, 5.5));
    let term = Term { aggregate: "m0".to_string(), n: 3, magnitude: 10.0 };
    assert_eq!(sum, Allowed::Within { bound: 30.0 * ULP, terms: vec![term] });
    // Each row was cast with an error of one unit.
    near(bound_of("SUM(orders.price)", &group(1.0, 3, 10.0, -4.5, 5.5)), 40.0 * ULP);
    assert_eq!(allowed("SUM(orders.gain)", &group(1.0, 3, 10.0, -4.5, 5.5)), Allowed::Unknown);
    near(bound_of("SUM(DISTINCT orders.weight)", &group(1.0, 3, 10.0, -4.5, 5.5)), 30.0 * ULP);
    assert_eq!(allowed("SUM(DISTINCT orders.price)", &group(1.0, 3, 10.0, -4.5, 5.5)), Allowed::Unknown);
}

#[test]
fn a_sum_kept_by_retraction_has_no_bound() {
    let retracted =
        |measure: &str| allowed_with(measure, FloatSums::Retracted, &group(1.0, 3, 10.0, -4.5, 5.5));
    assert_eq!(retracted("SUM(orders.weight)"), Allowed::Unknown);
    assert_eq!(retracted("STDDEV(orders.weight)"), Allowed::Unknown);
    assert!(matches!(retracted("MAX(orders.price)"), Allowed::Within { .. }));
}

#[test]
fn no_bound_comes_from_numbers_that_are_not_finite() {
    let with =
        |value: f64, magnitude: f64| allowed("SUM(orders.weight)", &group(value, 3, magnitude, 0.0, 1.0));
    assert_eq!(with(f64::NAN, f64::NAN), Allowed::Unknown);
    assert_eq!(with(f64::INFINITY, f64::INFINITY), Allowed::Unknown);
    assert_eq!(with(1.0, f64::INFINITY), Allowed::Unknown);
    assert_eq!(with(1.0, f64::NAN), Allowed::Unknown);
    assert_eq!(with(0.0, 0.0), Allowed::Exact);
}

#[test]
fn a_group_of_nulls_is_null_everywhere() {
    let nulls = |role: &Role| match role {
        Role::HomeRows(_) => Value::Integer(2),
        Role::Count(_) => Value::Integer(0),
        _ => Value::Null,
    };
    for measure in
        ["SUM(orders.weight)", "SUM(orders.weight) * 2e0", "MEDIAN(orders.weight)", "STDDEV(orders.weight)"]
    {
        assert_eq!(allowed(measure, &nulls), Allowed::Exact, "{measure}");
    }
    assert_eq!(allowed("COALESCE(SUM(orders.weight), 0e0)", &nulls), Allowed::Exact);
}

#[test]
fn averages_of_exact_numbers_differ_by_units_in_the_last_place() {
    let parts = |sum: i128, count: i64| {
        move |role: &Role| match role {
            Role::Same(expr) if expr.data_type == DataType::Int64 => Value::Integer(count),
            Role::Same(_) => Value::Decimal { unscaled: sum, scale: 2 },
            _ => Value::Integer(count),
        }
    };
    // 10.00 / 4: one unit of the cast and one of the division, each 2^-51 here.
    assert_eq!(
        allowed("AVG(orders.amount)", &parts(1_000, 4)),
        Allowed::Within { bound: 4.0 * ULP, terms: Vec::new() }
    );
    assert_eq!(allowed("AVG(orders.amount)", &parts(0, 0)), Allowed::Exact);
    let of_doubles = bound_of("AVG(orders.weight)", &|role| match role {
        Role::Same(_) | Role::HomeRows(_) | Role::Count(_) => Value::Integer(4),
        Role::Value(_) | Role::Magnitude(_) => Value::Float(8.0),
        other => panic!("{other:?}"),
    });
    // 2 * 4 * 2^-53 * 8 over 4, and one unit of the division: 2^-51 above 2, 2^-52 below.
    assert!((8.0 * ULP..=10.0 * ULP).contains(&of_doubles), "{of_doubles:e}");
}

#[test]
fn variances_follow_the_sum_of_squares() {
    // u (6 n) sum(x^2) / (n - 1)
    near(bound_of("VARIANCE(orders.weight)", &group(1.0, 3, 14.0, 1.0, 3.0)), 126.0 * ULP / 2.0);
    near(bound_of("VAR_POP(orders.weight)", &group(1.0, 3, 14.0, 1.0, 3.0)), 42.0 * ULP);
    let deviation = bound_of("STDDEV(orders.weight)", &group(2.0, 3, 14.0, 1.0, 3.0));
    // Half the variance's over the deviation itself, and a unit of the root.
    assert!(deviation > 15.0 * ULP && deviation < 19.0 * ULP, "{deviation:e}");
    let flat = bound_of("STDDEV(orders.weight)", &group(0.0, 3, 14.0, 1.0, 3.0));
    near(flat, (63.0 * ULP).sqrt());
    assert_eq!(allowed("VARIANCE(orders.weight)", &group(0.0, 1, 4.0, 2.0, 2.0)), Allowed::Unknown);
    assert_eq!(allowed("VAR_POP(orders.weight)", &group(0.0, 1, 0.0, 0.0, 0.0)), Allowed::Exact);
}

#[test]
fn order_statistics_differ_by_units_of_what_they_interpolate() {
    near(bound_of("MEDIAN(orders.weight)", &group(2.0, 4, 0.0, 1.0, 1024.0)), 8.0 * ULP);
    near(bound_of("MEDIAN(orders.weight)", &group(2.0, 4, 0.0, -1.0, 1024.0)), 4096.0 * ULP);
    near(bound_of("MEDIAN(orders.weight)", &group(-2.0, 4, 0.0, -1024.0, 0.0)), 8.0 * ULP);
    let percentile = "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY orders.weight)";
    near(bound_of(percentile, &group(2.0, 4, 0.0, 0.0, 1024.0)), (8.0 + 4096.0) * ULP);
    near(bound_of("MAX(orders.price)", &group(4.0, 4, 0.0, -8.0, 4.0)), 8.0 * ULP);
    near(bound_of("MIN(orders.price)", &group(-8.0, 4, 0.0, -8.0, 4.0)), 8.0 * ULP);
    // Which row wins is decided by values that engines round apart.
    let picked = allowed("MIN_BY(orders.weight, orders.price)", &group(4.0, 4, 0.0, -8.0, 4.0));
    assert_eq!(picked, Allowed::Unknown);
    assert_eq!(allowed("CORR(orders.weight, orders.price)", &group(0.5, 4, 1.0, 0.0, 1.0)), Allowed::Unknown);
}

#[test]
fn a_step_is_decided_away_from_its_tie() {
    let sum = |value: f64| group(value, 3, 10.0, 0.0, 10.0);
    for measure in [
        "CASE WHEN SUM(orders.weight) > 5e0 THEN 1 ELSE 0 END",
        "SUM(orders.weight) > 5e0",
        "CASE WHEN SUM(orders.weight) IN (1e0, 5e0) THEN 1 ELSE 0 END",
        "FLOOR(SUM(orders.weight))",
        "SIGN(SUM(orders.weight) - 5e0)",
    ] {
        assert_eq!(allowed(measure, &sum(6.5)), Allowed::Exact, "{measure}");
        assert_eq!(allowed(measure, &sum(5.0)), Allowed::Unknown, "{measure}");
        assert_eq!(allowed(measure, &sum(5.0_f64.next_up())), Allowed::Unknown, "{measure}");
    }
    near(bound_of("ROUND(SUM(orders.weight), 2)", &sum(2.01)), 2.0 * ULP);
    assert_eq!(allowed("ROUND(SUM(orders.weight), 2)", &sum(2.675)), Allowed::Unknown);
    assert_eq!(allowed("1e0 / SUM(orders.weight)", &sum(0.0)), Allowed::Unknown);
    near(bound_of("SUM(orders.weight) * 4e0", &sum(1.0)), 120.0 * ULP);
    let branch = "CASE WHEN SUM(orders.weight) > 5e0 THEN SUM(orders.weight) ELSE 0e0 END";
    assert_eq!(allowed(branch, &sum(1.0)), Allowed::Exact);
    near(bound_of(branch, &sum(8.0)), 32.0 * ULP);
}

#[test]
fn windows_over_rounded_values_have_no_bound() {
    let resolved = model();
    let asked = by_region(&resolved, &["SUM(SUM(orders.weight)) OVER ()"]);
    assert_eq!(roles(&resolved, &asked), ["__home_rows_0 HomeRows(0)"]);
    assert_eq!(allowed("SUM(SUM(orders.weight)) OVER ()", &group(1.0, 1, 1.0, 1.0, 1.0)), Allowed::Unknown);
}

#[test]
fn a_group_without_its_own_companions_has_no_entry() {
    let resolved = model();
    let asked = by_region(&resolved, &["SUM(orders.weight)"]);
    let companions = companions(&resolved, &asked);
    let mut table = answer(&companions, &group(1.0, 3, 10.0, -4.5, 5.5));
    assert_eq!(bounds(&asked, &companions, &table, FloatSums::Recomputed).len(), 1);
    table.rows.push(table.rows[0].clone());
    assert!(bounds(&asked, &companions, &table, FloatSums::Recomputed).is_empty());
}

#[test]
fn home_rows_are_counted_over_all_groups_and_branches() {
    let resolved = model();
    let request = r#"{"dimensions": ["customers.region"], "measures": ["revenue", "visit_seconds"]}"#;
    let companions = companions(&resolved, &bound(&resolved, request));
    let count = |of: &'static dyn Fn(usize) -> Value| {
        let mut table = answer(&companions, &move |role| match role {
            Role::HomeRows(branch) => of(*branch),
            _ => Value::Null,
        });
        table.rows.push(table.rows[0].clone());
        home_rows(&companions, &table)
    };
    assert_eq!(count(&|branch| if branch == 0 { Value::Integer(3) } else { Value::Integer(2) }), Some(10));
    assert_eq!(count(&|branch| if branch == 0 { Value::Null } else { Value::Integer(2) }), Some(4));
    assert_eq!(count(&|_| Value::Integer(-1)), None);
    assert_eq!(count(&|_| Value::Float(1.0)), None);
}

#[test]
fn an_answer_without_groups_has_no_home_rows_unless_groups_were_dropped() {
    let resolved = model();
    let rows_of = |request: &str, truncated: bool| {
        let companions = companions(&resolved, &bound(&resolved, request));
        let table = Table { rows: Vec::new(), truncated, ..answer(&companions, &|_| Value::Null) };
        home_rows(&companions, &table)
    };
    let plain = r#"{"dimensions": ["customers.region"], "measures": ["revenue"]}"#;
    assert_eq!(rows_of(plain, false), Some(0));
    assert_eq!(rows_of(plain, true), None);
    let having =
        r#"{"dimensions": ["customers.region"], "measures": ["revenue"], "having": ["revenue > 1"]}"#;
    assert_eq!(rows_of(having, false), None);
    let limit = r#"{"dimensions": ["customers.region"], "measures": ["revenue"], "limit": 0}"#;
    assert_eq!(rows_of(limit, false), None);
}

//! Judgements against verdicts by hand: each rule weakened makes one of these fail.

use super::*;
use crate::table::Column;
use unisono_compiler::data_type::DataType;

const NOTHING_OPEN: &dyn Fn(&[Value]) -> bool = &|_| false;

fn metric(class: Exactness, empty: Option<Value>) -> Metric {
    Metric { name: "m".to_string(), class, empty }
}

fn by_region(class: Exactness) -> Question {
    Question {
        dimensions: vec!["region".to_string()],
        metrics: vec![metric(class, Some(Value::Null))],
        grouping: Exactness::Exact,
    }
}

fn total(empty: Option<Value>) -> Question {
    Question { dimensions: Vec::new(), ..by_region(Exactness::Exact) }.with(metric(Exactness::Exact, empty))
}

impl Question {
    fn with(self, metric: Metric) -> Question {
        Question { metrics: vec![metric], ..self }
    }
}

/// Rows (region, m); the types of the columns are not said, so that the values' own decide.
fn table(rows: &[(&str, Value)]) -> Table {
    let column = |name: &str| Column { name: name.to_string(), data_type: DataType::Unknown };
    let region = |name: &str| if name == "NULL" { Value::Null } else { Value::Text(name.to_string()) };
    Table {
        columns: vec![column("region"), column("m")],
        rows: rows.iter().map(|(key, value)| vec![region(key), value.clone()]).collect(),
        truncated: false,
    }
}

fn rules(bounds: &BTreeMap<Key, Vec<Allowed>>) -> Rules<'_> {
    Rules {
        bounds,
        home_rows: Some(9),
        looser: &[],
        is_open: NOTHING_OPEN,
        on_open: OnOpen::Pend,
        sample: 10,
    }
}

fn judged(question: &Question, left: &[(&str, Value)], right: &[(&str, Value)]) -> Outcome {
    judge(question, &table(left), &table(right), &rules(&BTreeMap::new())).remove(0)
}

fn verdict(outcome: &Outcome) -> (Verdict, Option<Cause>) {
    (outcome.verdict, outcome.cause)
}

fn exact(left: Value, right: Value) -> (Verdict, Option<Cause>) {
    verdict(&judged(&by_region(Exactness::Exact), &[("EAST", left)], &[("EAST", right)]))
}

fn decimal(unscaled: i128, scale: u8) -> Value {
    Value::Decimal { unscaled, scale }
}

const EQUAL: (Verdict, Option<Cause>) = (Verdict::Equal, None);
const WITHIN: (Verdict, Option<Cause>) = (Verdict::WithinTolerance, None);
const DIFFERENT: (Verdict, Option<Cause>) = (Verdict::Different, Some(Cause::Value));
const UNKNOWN: (Verdict, Option<Cause>) = (Verdict::CannotTell, Some(Cause::UnknownBound));

#[test]
fn exact_values_are_equal_by_number_and_null_only_to_null() {
    assert_eq!(exact(decimal(10, 1), decimal(100, 2)), EQUAL);
    assert_eq!(exact(Value::Integer(1), decimal(100, 2)), EQUAL);
    assert_eq!(exact(Value::Float(-0.0), Value::Float(0.0)), EQUAL);
    assert_eq!(exact(Value::Float(f64::NAN), Value::Float(f64::NAN)), EQUAL);
    assert_eq!(exact(Value::Null, Value::Null), EQUAL);
    assert_eq!(exact(Value::Null, Value::Integer(0)), DIFFERENT);
    assert_eq!(exact(Value::Integer(0), Value::Null), DIFFERENT);
    assert_eq!(exact(decimal(10, 1), decimal(101, 2)), DIFFERENT);
    assert_eq!(exact(Value::Float(1.0), Value::Float(1.0_f64.next_up())), DIFFERENT);
    assert_eq!(exact(Value::Text("a".into()), Value::Text("a ".into())), DIFFERENT);
    let mismatch = (Verdict::Different, Some(Cause::SchemaMismatch));
    assert_eq!(exact(Value::Integer(1), Value::Text("1".into())), mismatch);
    assert_eq!(exact(Value::Timestamp(0), Value::Instant(0)), mismatch);
    assert_eq!(exact(Value::Date(0), Value::Integer(0)), mismatch);
}

#[test]
fn keys_meet_null_safe_and_one_sided_ones_differ() {
    let one = Value::Integer(1);
    let question = by_region(Exactness::Exact);
    let both = judged(&question, &[("NULL", one.clone())], &[("NULL", one.clone())]);
    assert_eq!(verdict(&both), EQUAL);
    let left = [("EAST", one.clone()), ("NULL", one.clone())];
    let missing = judged(&question, &left, &[("EAST", one.clone())]);
    assert_eq!(verdict(&missing), (Verdict::Different, Some(Cause::MissingGroup)));
    assert_eq!(missing.groups.len(), 1);
    assert_eq!(missing.groups[0].key, [("region".to_string(), Value::Null)]);
    assert_eq!((missing.groups[0].left.clone(), missing.groups[0].right.clone()), (Some(one.clone()), None));
    let extra = judged(&question, &[("EAST", one.clone())], &left);
    assert_eq!(verdict(&extra), (Verdict::Different, Some(Cause::ExtraGroup)));
    // A group whose value is NULL is still a group.
    let null = judged(&question, &[("EAST", one.clone()), ("WEST", Value::Null)], &[("EAST", one)]);
    assert_eq!(verdict(&null), (Verdict::Different, Some(Cause::MissingGroup)));
}

#[test]
fn a_key_twice_differs_whatever_the_values() {
    let one = || Value::Integer(1);
    let question = by_region(Exactness::Exact);
    let duplicate = (Verdict::Different, Some(Cause::DuplicateKey));
    let twice = [("EAST", one()), ("EAST", one())];
    assert_eq!(verdict(&judged(&question, &twice, &[("EAST", one())])), duplicate);
    assert_eq!(verdict(&judged(&question, &[("EAST", one())], &twice)), duplicate);
    assert_eq!(verdict(&judged(&question, &twice, &twice)), duplicate);
    assert_eq!(verdict(&judged(&total(None), &twice, &[("EAST", one())])), duplicate);
    let uncertain = Question { grouping: Exactness::Divergent, ..question };
    assert_eq!(verdict(&judged(&uncertain, &twice, &twice)), duplicate);
}

#[test]
fn the_bound_itself_is_within_and_the_next_number_is_not() {
    let (key, bound) = (Key(vec![Value::Text("EAST".into())]), 0.25);
    let bounds = BTreeMap::from([(key, vec![Allowed::Within { bound, terms: Vec::new() }])]);
    let question = by_region(Exactness::Rounding);
    let at = |right: Value| {
        let left = table(&[("EAST", Value::Float(1.0))]);
        let outcome = judge(&question, &left, &table(&[("EAST", right)]), &rules(&bounds)).remove(0);
        assert_eq!(outcome.tolerance.basis, Basis::Derived { bound: 0.25, terms: Vec::new() });
        verdict(&outcome)
    };
    assert_eq!(at(Value::Float(1.0)), EQUAL);
    assert_eq!(at(Value::Float(1.25)), WITHIN);
    assert_eq!(at(Value::Float(0.75)), WITHIN);
    assert_eq!(at(Value::Float(1.25_f64.next_up())), DIFFERENT);
    assert_eq!(at(Value::Float(0.75_f64.next_down())), DIFFERENT);
    assert_eq!(at(decimal(125, 2)), WITHIN);
    assert_eq!(at(Value::Float(f64::NAN)), DIFFERENT);
    assert_eq!(at(Value::Float(f64::INFINITY)), DIFFERENT);
    assert_eq!(at(Value::Null), DIFFERENT);
}

#[test]
fn without_a_bound_only_equal_values_are_told() {
    let question = by_region(Exactness::Rounding);
    let one = [("EAST", Value::Float(1.0))];
    assert_eq!(verdict(&judged(&question, &one, &one)), EQUAL);
    let unequal = judged(&question, &one, &[("EAST", Value::Float(1.5))]);
    assert_eq!(verdict(&unequal), UNKNOWN);
    assert_eq!(unequal.tolerance.basis, Basis::Unknown);
    assert_eq!((unequal.totals.unknown, unequal.groups.len()), (1, 1));
    assert_eq!(unequal.groups[0].delta, Some(Value::Float(0.5)));
    assert_eq!(verdict(&judged(&question, &one, &[("EAST", Value::Null)])), UNKNOWN);
    let mismatch = judged(&question, &one, &[("EAST", Value::Text("1".into()))]);
    assert_eq!(verdict(&mismatch), (Verdict::Different, Some(Cause::SchemaMismatch)));
    // A plain difference in one group outweighs doubt in another.
    let two = [("EAST", Value::Float(1.5)), ("WEST", Value::Float(1.0))];
    assert_eq!(verdict(&judged(&question, &one, &two)), (Verdict::Different, Some(Cause::ExtraGroup)));
}

#[test]
fn a_value_that_is_no_function_of_the_input_is_never_told() {
    let one = [("EAST", Value::Integer(1))];
    assert_eq!(verdict(&judged(&by_region(Exactness::Nondeterministic), &one, &one)), UNKNOWN);
}

#[test]
fn where_rows_may_change_groups_no_difference_is_proved() {
    let question = Question { grouping: Exactness::Rounding, ..by_region(Exactness::Exact) };
    let one = [("EAST", Value::Integer(1))];
    let two = [("EAST", Value::Integer(2))];
    let more = [("EAST", Value::Integer(1)), ("WEST", Value::Integer(1))];
    assert_eq!(verdict(&judged(&question, &one, &one)), EQUAL);
    assert_eq!(verdict(&judged(&question, &one, &two)), UNKNOWN);
    assert_eq!(verdict(&judged(&question, &one, &more)), UNKNOWN);
    assert_eq!(verdict(&judged(&question, &more, &one)), UNKNOWN);
}

#[test]
fn a_bound_of_the_project_is_used_where_it_is_wider_and_shown() {
    let with = |class: Exactness, set: Looser, left: Value, right: Value| {
        let looser = [("other".to_string(), Looser::Absolute(1e9)), ("m".to_string(), set)];
        let none = BTreeMap::new();
        let rules = Rules { looser: &looser, ..rules(&none) };
        let outcome =
            judge(&by_region(class), &table(&[("EAST", left)]), &table(&[("EAST", right)]), &rules).remove(0);
        assert_eq!(outcome.tolerance.set, Some(set));
        verdict(&outcome)
    };
    let cent = Looser::Absolute(0.01);
    assert_eq!(with(Exactness::Exact, cent, decimal(100, 2), decimal(101, 2)), WITHIN);
    assert_eq!(with(Exactness::Exact, cent, decimal(101, 2), decimal(100, 2)), WITHIN);
    assert_eq!(with(Exactness::Exact, cent, decimal(1000, 3), decimal(1011, 3)), DIFFERENT);
    assert_eq!(with(Exactness::Exact, cent, Value::Integer(1), Value::Null), DIFFERENT);
    assert_eq!(with(Exactness::Rounding, cent, Value::Float(1.0), Value::Float(1.5)), DIFFERENT);
    let share = Looser::Relative(0.5);
    assert_eq!(with(Exactness::Rounding, share, Value::Float(-4.0), Value::Float(-2.0)), WITHIN);
    assert_eq!(with(Exactness::Rounding, share, Value::Float(-4.0), Value::Float(-1.9)), DIFFERENT);
    assert_eq!(with(Exactness::Rounding, share, Value::Float(1.0), Value::Float(f64::INFINITY)), DIFFERENT);
    let key = Key(vec![Value::Text("EAST".into())]);
    let bounds = BTreeMap::from([(key, vec![Allowed::Within { bound: 2.0, terms: Vec::new() }])]);
    let looser = [("m".to_string(), cent)];
    let rules = Rules { looser: &looser, ..rules(&bounds) };
    let (left, right) = ([("EAST", Value::Float(1.0))], [("EAST", Value::Float(2.5))]);
    let outcome = judge(&by_region(Exactness::Rounding), &table(&left), &table(&right), &rules).remove(0);
    assert_eq!(verdict(&outcome), WITHIN);
}

#[test]
fn an_empty_answer_beside_home_rows_tells_nothing() {
    let question = by_region(Exactness::Exact);
    let one = [("EAST", Value::Integer(1))];
    let empty = (Verdict::CannotTell, Some(Cause::EmptyAnswer));
    let counted = |home_rows: Option<u64>, left: &[(&str, Value)], right: &[(&str, Value)]| {
        let none = BTreeMap::new();
        let rules = Rules { home_rows, ..rules(&none) };
        verdict(&judge(&question, &table(left), &table(right), &rules).remove(0))
    };
    assert_eq!(counted(Some(1), &one, &[]), empty);
    assert_eq!(counted(Some(1), &[], &[]), empty);
    assert_eq!(counted(None, &[], &[]), empty);
    assert_eq!(counted(None, &[], &one), empty);
    assert_eq!(counted(Some(0), &[], &[]), EQUAL);
    assert_eq!(counted(Some(0), &[], &one), (Verdict::Different, Some(Cause::ExtraGroup)));
    assert_eq!(counted(None, &one, &one), EQUAL);
}

#[test]
fn the_only_row_that_is_missing_is_the_empty_answer() {
    let over_nothing = |empty: Option<Value>, left: &[(&str, Value)], right: &[(&str, Value)]| {
        let none = BTreeMap::new();
        let rules = Rules { home_rows: Some(0), ..rules(&none) };
        let outcome = judge(&total(empty), &table(left), &table(right), &rules).remove(0);
        assert_eq!(outcome.totals.groups, 1);
        verdict(&outcome)
    };
    let (zero, null) = (Some(Value::Integer(0)), Some(Value::Null));
    assert_eq!(over_nothing(zero.clone(), &[("x", Value::Integer(0))], &[]), EQUAL);
    assert_eq!(over_nothing(zero.clone(), &[], &[("x", Value::Integer(1))]), DIFFERENT);
    assert_eq!(over_nothing(null.clone(), &[("x", Value::Null)], &[]), EQUAL);
    assert_eq!(over_nothing(null, &[("x", Value::Integer(0))], &[]), DIFFERENT);
    assert_eq!(over_nothing(zero, &[], &[]), EQUAL);
    assert_eq!(over_nothing(None, &[("x", Value::Integer(0))], &[]), UNKNOWN);
    // With home rows the missing row is no answer at all.
    let missing = judged(&total(Some(Value::Integer(0))), &[("x", Value::Integer(0))], &[]);
    assert_eq!(verdict(&missing), (Verdict::CannotTell, Some(Cause::EmptyAnswer)));
}

#[test]
fn open_buckets_pend_or_are_left_out() {
    let question = by_region(Exactness::Exact);
    let is_open = |key: &[Value]| key == [Value::Text("OPEN".into())];
    let on = |on_open: OnOpen, right: i64| {
        let none = BTreeMap::new();
        let rules = Rules { is_open: &is_open, on_open, ..rules(&none) };
        let left = table(&[("EAST", Value::Integer(1)), ("OPEN", Value::Integer(5))]);
        let right = table(&[("EAST", Value::Integer(right)), ("OPEN", Value::Integer(4))]);
        let outcome = judge(&question, &left, &right, &rules).remove(0);
        assert_eq!((outcome.totals.open, outcome.totals.groups), (1, 2));
        verdict(&outcome)
    };
    assert_eq!(on(OnOpen::Pend, 1), (Verdict::Pending, None));
    assert_eq!(on(OnOpen::Exclude, 1), EQUAL);
    assert_eq!(on(OnOpen::Pend, 2), DIFFERENT);
    assert_eq!(on(OnOpen::Exclude, 2), DIFFERENT);
}

#[test]
fn an_answer_that_was_cut_off_tells_nothing() {
    let question = by_region(Exactness::Exact);
    let whole = table(&[("EAST", Value::Integer(1))]);
    let cut = Table { truncated: true, ..whole.clone() };
    let truncated = (Verdict::CannotTell, Some(Cause::Truncated));
    let none = BTreeMap::new();
    assert_eq!(verdict(&judge(&question, &whole, &cut, &rules(&none))[0]), truncated);
    assert_eq!(verdict(&judge(&question, &cut, &whole, &rules(&none))[0]), truncated);
}

#[test]
fn samples_are_limited_and_totals_are_not() {
    let question = by_region(Exactness::Exact);
    let rows = |value: i64| -> Vec<(&str, Value)> {
        ["A", "B", "C", "D"].map(|name| (name, Value::Integer(value))).to_vec()
    };
    let none = BTreeMap::new();
    let rules = Rules { sample: 3, ..rules(&none) };
    let outcome = judge(&question, &table(&rows(1)), &table(&rows(3)), &rules).remove(0);
    assert_eq!((outcome.totals.different, outcome.groups.len()), (4, 3));
    let first = &outcome.groups[0];
    assert_eq!((first.delta.clone(), first.cause), (Some(Value::Integer(2)), Cause::Value));
}

#[test]
fn plain_differences_come_first_and_the_widest_bound_is_shown() {
    let question = by_region(Exactness::Rounding);
    let key = |name: &str| Key(vec![Value::Text(name.to_string())]);
    let within = |bound: f64| vec![Allowed::Within { bound, terms: Vec::new() }];
    let bounds =
        BTreeMap::from([(key("B"), within(0.5)), (key("C"), within(0.25)), (key("D"), within(0.125))]);
    let rows = |value: f64, names: &[&'static str]| -> Vec<(&'static str, Value)> {
        names.iter().map(|name| (*name, Value::Float(value))).collect()
    };
    let (left, right) = (table(&rows(1.0, &["A", "B", "C", "D"])), table(&rows(9.0, &["A", "B", "C", "E"])));
    let rules = Rules { sample: 3, ..rules(&bounds) };
    let outcome = judge(&question, &left, &right, &rules).remove(0);
    let listed: Vec<_> = outcome.groups.iter().map(|group| (group.key[0].1.text(), group.cause)).collect();
    let expected = [("B", Cause::Value), ("C", Cause::Value), ("D", Cause::MissingGroup)];
    assert_eq!(listed, expected.map(|(name, cause)| (name.to_string(), cause)));
    assert_eq!(verdict(&outcome), (Verdict::Different, Some(Cause::MissingGroup)));
    assert_eq!(outcome.tolerance.basis, Basis::Derived { bound: 0.5, terms: Vec::new() });
    let most = Rules { sample: 4, ..rules };
    let outcome = judge(&question, &left, &table(&rows(9.0, &["A", "B", "C", "D"])), &most).remove(0);
    assert_eq!((outcome.totals.different, outcome.totals.unknown), (3, 1));
    assert_eq!(outcome.groups[3].cause, Cause::UnknownBound);
    let few = Rules { sample: 3, ..most };
    let outcome = judge(&question, &left, &table(&rows(9.0, &["A", "B", "C", "D"])), &few).remove(0);
    assert_eq!(outcome.groups.len(), 3);
    assert!(outcome.groups.iter().all(|group| group.cause == Cause::Value));
}

#[test]
fn late_rows_explain_what_is_equal_without_them() {
    let question = by_region(Exactness::Exact);
    let different = || vec![judged(&question, &[("A", Value::Integer(1))], &[("A", Value::Integer(2))])];
    let equal = vec![judged(&question, &[("A", Value::Integer(1))], &[("A", Value::Integer(1))])];
    let late = Late { count: 2, sums: vec![("m".to_string(), Value::Integer(1))] };
    let told = |without: &[Outcome], late: &Late, accept: bool| {
        let outcome = explain_by_late(different(), without, late, accept).remove(0);
        (outcome.verdict, outcome.cause, outcome.late.is_some())
    };
    let explained = Some(Cause::LateData);
    assert_eq!(told(&equal, &late, false), (Verdict::Different, explained, true));
    assert_eq!(told(&equal, &late, true), (Verdict::WithinTolerance, explained, true));
    assert_eq!(told(&different(), &late, true), (Verdict::Different, Some(Cause::Value), false));
    let none = Late { count: 0, sums: Vec::new() };
    assert_eq!(told(&equal, &none, true), (Verdict::Different, Some(Cause::Value), false));
    let other = vec![Outcome { metric: "other".to_string(), ..equal[0].clone() }];
    assert_eq!(told(&other, &late, true), (Verdict::Different, Some(Cause::Value), false));
    assert_eq!(explain_by_late(equal.clone(), &equal, &late, false), equal);
}

#[test]
fn an_engine_that_failed_leaves_every_metric_open() {
    let outcomes = cannot_tell(&by_region(Exactness::Exact), Cause::EngineFailed, "no memory");
    assert_eq!(verdict(&outcomes[0]), (Verdict::CannotTell, Some(Cause::EngineFailed)));
    assert_eq!(outcomes[0].detail.as_deref(), Some("no memory"));
}

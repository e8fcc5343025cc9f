//! Reports of one check in every form, by hand.

use unisono_compiler::ids::{ColumnId, DatasetId, Id};

use super::*;
use crate::check::assumptions::{Assumption, Kind, test};
use crate::check::verdict::Totals;

fn outcome(metric: &str, verdict: Verdict, cause: Option<Cause>, basis: Basis) -> Outcome {
    Outcome {
        metric: metric.to_string(),
        verdict,
        cause,
        detail: None,
        tolerance: Tolerance { basis, set: None },
        totals: Totals { groups: 120, equal: 117, within: 0, different: 2, unknown: 1, open: 0 },
        groups: Vec::new(),
        late: None,
    }
}

fn tested(kind: Kind, count: Option<u64>, rows: Vec<Vec<Value>>) -> Tested {
    let assumption = Assumption {
        kind,
        dataset: DatasetId::from_index(0),
        columns: vec![ColumnId::from_index(0)],
        relationship: None,
        subject: "customers(id)".to_string(),
        metrics: Vec::new(),
    };
    test(assumption, count, vec!["id".to_string(), "name".to_string()], rows)
}

fn report() -> Report {
    let key = |region: Value| vec![("region".to_string(), region), ("day".to_string(), Value::Date(19_782))];
    let revenue = Outcome {
        groups: vec![
            GroupDifference {
                key: key(Value::Text("EAST".to_string())),
                left: Some(Value::Decimal { unscaled: 1_050, scale: 2 }),
                right: Some(Value::Decimal { unscaled: 1_100, scale: 2 }),
                delta: Some(Value::Decimal { unscaled: 50, scale: 2 }),
                cause: Cause::Value,
            },
            GroupDifference {
                key: key(Value::Null),
                left: Some(Value::Null),
                right: None,
                delta: None,
                cause: Cause::MissingGroup,
            },
        ],
        late: Some(Late { count: 4, sums: vec![("revenue".to_string(), Value::Integer(7))] }),
        ..outcome("revenue", Verdict::Different, Some(Cause::MissingGroup), Basis::Exact)
    };
    let weight = Outcome {
        tolerance: Tolerance {
            basis: Basis::Derived { bound: 0.001_25, terms: Vec::new() },
            set: Some(Looser::Absolute(0.5)),
        },
        ..outcome("weight", Verdict::WithinTolerance, None, Basis::Exact)
    };
    let open = Outcome {
        detail: Some("a \"quoted\" <reason>\u{1b}".to_string()),
        ..outcome("rate", Verdict::CannotTell, Some(Cause::UnknownBound), Basis::Unknown)
    };
    Report {
        pipelines: vec![PipelineReport {
            name: "daily".to_string(),
            outcomes: vec![revenue, weight, open],
            evidence: Some("evidence/daily.json".to_string()),
        }],
        assumptions: vec![
            tested(Kind::UniqueKey, Some(1), vec![vec![Value::Integer(1), Value::Null]]),
            tested(Kind::ManyToOne, Some(0), Vec::new()),
            tested(Kind::Orphans, Some(3), Vec::new()),
            tested(Kind::UniqueKey, None, Vec::new()),
        ],
    }
}

#[test]
fn people_see_metrics_groups_and_assumptions() {
    let expected = [
        "daily: different",
        "  metric   verdict           cause          bound",
        "  revenue  different         missing-group  exact",
        "  weight   within-tolerance                 1.25e-3, set to 0.5",
        "  rate     cannot-tell       unknown-bound  unknown",
        "  revenue: 4 late rows, revenue 7",
        "  revenue: 3 of 120 groups differ, 2 shown",
        "    region  day         batch  real-time   delta  cause",
        "    EAST    2024-02-29  10.50  11.00       0.50   value",
        "    NULL    2024-02-29  NULL   (no group)         missing-group",
        "  rate: a \"quoted\" <reason>\\u{1b}",
        "  evidence: evidence/daily.json",
        "",
        "assumptions",
        "  assumption   subject        holds        count",
        "  unique-key   customers(id)  no           1",
        "  many-to-one  customers(id)  yes          0",
        "  orphans      customers(id)  counted      3",
        "  unique-key   customers(id)  cannot-tell",
        "  rows of customers(id)",
        "    id  name",
        "    1   NULL",
        "",
    ];
    assert_eq!(text(&report()), expected.join("\n"));
}

#[test]
fn a_reason_that_all_metrics_have_is_said_once() {
    let behind = |metric: &str, why: &str| Outcome {
        detail: Some(why.to_string()),
        ..outcome(metric, Verdict::CannotTell, Some(Cause::Behind), Basis::Exact)
    };
    let of = |outcomes: Vec<Outcome>| {
        let pipeline = PipelineReport { name: "daily".to_string(), outcomes, evidence: None };
        text(&Report { pipelines: vec![pipeline], assumptions: Vec::new() })
    };
    let head =
        "daily: cannot-tell\n  metric  verdict      cause   bound\n  a       cannot-tell  behind  exact\n";
    let second = "  b       cannot-tell  behind  exact\n";
    let shared = of(vec![behind("a", "never run"), behind("b", "never run")]);
    assert_eq!(shared, [head, second, "  every metric: never run\n"].concat());
    let own = of(vec![behind("a", "never run"), behind("b", "moved")]);
    assert_eq!(own, [head, second, "  a: never run\n  b: moved\n"].concat());
    assert_eq!(of(vec![behind("a", "never run")]), [head, "  a: never run\n"].concat());
}

#[test]
fn programs_see_the_same_in_json() {
    let data = json(&report());
    let pipeline = &data["pipelines"][0];
    assert_eq!((&pipeline["name"], &pipeline["verdict"]), (&json!("daily"), &json!("different")));
    assert_eq!(pipeline["evidence"], json!("evidence/daily.json"));
    let revenue = &pipeline["metrics"][0];
    assert_eq!((&revenue["verdict"], &revenue["cause"]), (&json!("different"), &json!("missing-group")));
    assert_eq!(
        revenue["groups"][0],
        json!({
            "key": {"region": "EAST", "day": "2024-02-29"},
            "left": 10.5, "right": 11.0, "delta": 0.5, "cause": "value",
        })
    );
    assert_eq!(
        revenue["groups"][1],
        json!({
            "key": {"region": null, "day": "2024-02-29"},
            "left": null, "right": null, "delta": null, "cause": "missing-group",
        })
    );
    assert_eq!(revenue["late"], json!({"count": 4, "sums": {"revenue": 7}}));
    assert_eq!(revenue["tolerance"], json!({"basis": "exact", "bound": null, "set": null}));
    let weight = &pipeline["metrics"][1];
    assert_eq!(weight["tolerance"], json!({"basis": "derived", "bound": 0.001_25, "set": {"absolute": 0.5}}));
    assert_eq!((&weight["cause"], &weight["late"]), (&Json::Null, &Json::Null));
    assert_eq!(
        data["assumptions"][0],
        json!({
            "kind": "unique-key", "subject": "customers(id)", "verdict": "different", "count": 1,
            "rows": [{"id": 1, "name": null}],
        })
    );
    assert_eq!(data["assumptions"][2]["verdict"], json!("equal"));
}

#[test]
fn junit_fails_what_differs_and_errs_on_what_is_not_told() {
    let expected = [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "<testsuites>",
        "  <testsuite name=\"daily\" tests=\"3\" failures=\"1\" errors=\"1\">",
        "    <testcase classname=\"daily\" name=\"revenue\">",
        "      <failure type=\"missing-group\" message=\"different: 3 of 120 groups differ\"/>",
        "    </testcase>",
        "    <testcase classname=\"daily\" name=\"weight\"/>",
        "    <testcase classname=\"daily\" name=\"rate\">",
        "      <error type=\"unknown-bound\" message=\"cannot-tell: a &quot;quoted&quot; &lt;reason&gt;\u{fffd}\"/>",
        "    </testcase>",
        "  </testsuite>",
        "  <testsuite name=\"assumptions\" tests=\"4\" failures=\"1\" errors=\"1\">",
        "    <testcase classname=\"assumptions\" name=\"unique-key customers(id)\">",
        "      <failure type=\"assumption\" message=\"different: 1 counted\"/>",
        "    </testcase>",
        "    <testcase classname=\"assumptions\" name=\"many-to-one customers(id)\"/>",
        "    <testcase classname=\"assumptions\" name=\"orphans customers(id)\"/>",
        "    <testcase classname=\"assumptions\" name=\"unique-key customers(id)\">",
        "      <error type=\"assumption\" message=\"cannot-tell: not counted\"/>",
        "    </testcase>",
        "  </testsuite>",
        "</testsuites>",
        "",
    ];
    assert_eq!(junit(&report()), expected.join("\n"));
}

#[test]
fn a_pending_metric_is_no_passing_case() {
    let pending = outcome("m", Verdict::Pending, None, Basis::Exact);
    let pipeline = PipelineReport { name: "p".to_string(), outcomes: vec![pending], evidence: None };
    let report = Report { pipelines: vec![pipeline], assumptions: Vec::new() };
    assert!(junit(&report).contains("<error type=\"pending\" message=\"pending: 3 of 120 groups differ\"/>"));
    assert_eq!(report.exit_code(), 3);
}

#[test]
fn the_exit_code_is_of_metrics_and_broken_assumptions() {
    let with = |verdict: Verdict, cause: Option<Cause>, assumptions: Vec<Tested>| {
        let outcomes = vec![outcome("m", verdict, cause, Basis::Exact)];
        let pipelines = vec![PipelineReport { name: "p".to_string(), outcomes, evidence: None }];
        Report { pipelines, assumptions }.exit_code()
    };
    assert_eq!(with(Verdict::Equal, None, Vec::new()), 0);
    assert_eq!(with(Verdict::Equal, None, vec![tested(Kind::Orphans, Some(3), Vec::new())]), 0);
    assert_eq!(with(Verdict::CannotTell, Some(Cause::EngineFailed), Vec::new()), 4);
    let broken = vec![tested(Kind::UniqueKey, Some(1), Vec::new())];
    assert_eq!(with(Verdict::CannotTell, Some(Cause::Assumption), broken), 1);
    assert_eq!(report().exit_code(), 1);
}

//! One random case on one engine against the reference. In: a case. Out: what came, and whether that is a fault.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use unisono_reference::case::Case;
use unisono_reference::evaluate::{Answer as Known, evaluate};
use unisono_reference::generate::Feature;
use unisono_reference::script::{ddl, script};
use unisono_reference::stop::Stop;
use unisono_tests::agree::{agree, agree_unordered};
use unisono_tests::judge::Answer;
use unisono_tests::value::Table;

use crate::engines::{compile, datafusion, datafusion_session, duckdb};

/// What came of a case.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Outcome {
    /// The rows of the reference.
    Answered,
    /// A code that the rules allow for this case.
    Refused(String),
    /// The reference says nothing, and why: the case proves nothing.
    Unjudged(&'static str),
    /// Other rows than the reference's, or rows where the rules refuse.
    Wrong(String),
    /// A legal request was refused, or an illegal one with another code.
    Misrefused(String),
    /// The engine did not take our text.
    Rejected(String),
}

impl Outcome {
    pub(crate) fn is_fault(&self) -> bool {
        matches!(self, Outcome::Wrong(_) | Outcome::Misrefused(_) | Outcome::Rejected(_))
    }

    /// For counting and for the list.
    pub(crate) fn word(&self) -> String {
        match self {
            Outcome::Answered => "answered".to_string(),
            Outcome::Refused(code) => format!("refused {code}"),
            Outcome::Unjudged(why) => format!("unjudged: {why}"),
            Outcome::Wrong(_) => "wrong".to_string(),
            Outcome::Misrefused(_) => "misrefused".to_string(),
            Outcome::Rejected(_) => "rejected".to_string(),
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Outcome::Wrong(reason) | Outcome::Misrefused(reason) | Outcome::Rejected(reason) => {
                format!("{}: {reason}", self.word())
            }
            Outcome::Answered | Outcome::Refused(_) | Outcome::Unjudged(_) => self.word(),
        }
    }
}

/// What runs a text over a case's tables.
pub(crate) type Engine<'e> = &'e (dyn Fn(&Case, &str) -> Result<Table, String> + Sync);

/// What is refused for an engine's sake.
const LACKING: [&str; 2] = ["E_UNSUPPORTED_FUNCTION", "E_UNSUPPORTED_SOURCE"];

/// Runs SQL over a case's tables on DuckDB or DataFusion.
pub(crate) fn rows(case: &Case, engine: &str, sql: &str) -> Result<Table, String> {
    let script = script(&case.tables);
    match engine {
        "duckdb" => duckdb(&script, sql),
        _ => datafusion(&datafusion_session(&script)?, sql),
    }
}

/// Compiles and runs a case and judges what came. The reference knows no types: of a case that was made with a wrong one it is told.
pub(crate) fn outcome(
    case: &Case,
    target: &str,
    features: &BTreeSet<Feature>,
    engine: Engine<'_>,
) -> Outcome {
    let mut known = evaluate(case);
    if features.contains(&Feature::Mistyped) {
        known = refused_also(known, "E_TYPE_MISMATCH");
    } else if features.contains(&Feature::Illegal) && matches!(known, Err(Stop::Refused(_))) {
        // A field put where it may not stand may be a float as well.
        known = refused_also(known, "E_FLOAT_DIMENSION");
    }
    match compile(&case.model, &case.request, Some(&ddl(&case.tables)), target) {
        // What an engine lacks is no business of the rules.
        Err(Answer::Refused { code, message: _ })
            if LACKING.contains(&code.as_str()) && !["datafusion", "duckdb"].contains(&target) =>
        {
            Outcome::Refused(code)
        }
        Err(Answer::Refused { code, message }) => refused(known, code, &message),
        Err(Answer::Rows(_)) => Outcome::Wrong("rows from the compiler".to_string()),
        Ok((sql, _)) => match caught(|| engine(case, &sql)) {
            Ok(table) => answered(known, &table, &sql, target),
            // An error of the engine is right where a value leaves its range.
            Err(_) if matches!(known, Err(Stop::Overflow(_))) => Outcome::Unjudged("overflow"),
            Err(error) if error.contains("unproved: ") => Outcome::Unjudged("unproved by the oracle"),
            Err(error) => Outcome::Rejected(format!("{error}\n{sql}")),
        },
    }
}

/// What an engine does, or how it broke off.
fn caught(work: impl FnOnce() -> Result<Table, String>) -> Result<Table, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|cause| {
        let words = cause.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| cause.downcast_ref::<&str>().copied());
        Err(format!("a panic: {}", words.unwrap_or_default()))
    })
}

/// The codes that the reference allows, and one more.
fn refused_also(known: Result<Known, Stop>, code: &'static str) -> Result<Known, Stop> {
    let mut codes = match known {
        Err(Stop::Refused(codes)) => codes,
        Ok(_) | Err(Stop::Overflow(_) | Stop::Open(_) | Stop::Unknown(_)) => Vec::new(),
    };
    codes.push(code);
    Err(Stop::Refused(codes))
}

fn refused(known: Result<Known, Stop>, code: String, message: &str) -> Outcome {
    let allowed: Vec<&'static str> = match known {
        Ok(answer) => answer.may_refuse,
        Err(Stop::Refused(codes)) => codes,
        Err(stop) => return unjudged(&stop),
    };
    if allowed.contains(&code.as_str()) {
        Outcome::Refused(code)
    } else {
        Outcome::Misrefused(format!("{message}; the rules allow {allowed:?}"))
    }
}

fn answered(known: Result<Known, Stop>, table: &Table, sql: &str, target: &str) -> Outcome {
    // The rows of a changelog have no order.
    let agree = if target.starts_with("flink-streaming") { agree_unordered } else { agree };
    match known {
        Ok(answer) => match agree(&answer, table) {
            Ok(()) => Outcome::Answered,
            Err(reason) => Outcome::Wrong(format!("{reason}\n{sql}")),
        },
        Err(Stop::Refused(codes)) => {
            Outcome::Wrong(format!("{} rows where the rules refuse with {codes:?}\n{sql}", table.rows.len()))
        }
        // The value that left its range may stand where any value of its sign gives the same.
        Err(Stop::Overflow(_)) => Outcome::Unjudged("overflow, answered"),
        Err(stop) => unjudged(&stop),
    }
}

fn unjudged(stop: &Stop) -> Outcome {
    Outcome::Unjudged(match stop {
        Stop::Open(_) => "open",
        Stop::Unknown(_) => "unknown to the reference",
        Stop::Overflow(_) => "overflow",
        Stop::Refused(_) => "refused",
    })
}

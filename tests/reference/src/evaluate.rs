//! The meaning of a request, row by row, straight from docs/semantics.md. In: a case. Out: the rows that every engine must give, or the
//! codes that a refusal may have.

mod aggregation;
mod clauses;
mod far;
mod home;
mod measures;
mod model;
mod order;
mod paths;
mod refuse;
mod request;
mod rows;
mod scalar;
mod time;
mod tree;
mod windows;

use unisono_compiler::query::Request;

use self::order::{SortKey, sorted};
use crate::case::Case;
use crate::stop::Stop;
use crate::value::Value;

/// A right answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Column names of the answer as the rules say.
    pub columns: Vec<String>,
    /// All rows before `limit`, in the asked order.
    pub rows: Vec<Vec<Value>>,
    /// For each row the number of its tie group in `order_by`, all 0 without one: rows of one group may come in any order.
    pub ties: Vec<usize>,
    /// The limit, for the comparing side to apply with the ties in mind.
    pub limit: Option<u64>,
    /// Codes with which a compiler may refuse this legal request all the same.
    pub may_refuse: Vec<&'static str>,
}

/// Answers a case.
pub fn evaluate(case: &Case) -> Result<Answer, Stop> {
    let model = model::read_model(case)?;
    let request = request::read_request(&case.request)?;
    let is_empty = |list: &Option<Vec<_>>| list.as_ref().is_none_or(Vec::is_empty);
    let is_aggregation = request.dimensions.is_some() || request.measures.is_some();
    let has_nothing = is_empty(&request.dimensions) && is_empty(&request.measures);
    match (is_aggregation, &request.fields) {
        (true, Some(_)) => {
            let mut codes = vec!["E_MIXED_QUERY_SHAPE"];
            if has_nothing && is_empty(&request.fields) {
                codes.extend(["E_EMPTY_AGGREGATION_QUERY", "E_EMPTY_SCALAR_QUERY"]);
            }
            return Err(Stop::Refused(codes));
        }
        (true, None) if has_nothing => return Err(Stop::Refused(vec!["E_EMPTY_AGGREGATION_QUERY"])),
        (false, Some(fields)) if fields.is_empty() => {
            return Err(Stop::Refused(vec!["E_EMPTY_SCALAR_QUERY"]));
        }
        (false, None) => {
            return Err(Stop::Refused(vec!["E_EMPTY_AGGREGATION_QUERY", "E_EMPTY_SCALAR_QUERY"]));
        }
        _ => {}
    }
    if request.at.is_some() {
        return Err(Stop::Unknown("a version of the data".into()));
    }
    if request.time_zone.as_ref().is_some_and(|zone| !zone.value.eq_ignore_ascii_case("UTC")) {
        // A Timestamp without a zone never shifts, say the rules; the vector B45b shifts one.
        return Err(Stop::Open("a zone other than UTC".into()));
    }
    let world = rows::World::new(model, case);
    world.check_keys()?;
    let mut answer = if is_aggregation {
        aggregation::answer(&world, &request)?
    } else {
        scalar::answer(&world, &request)?
    };
    answer.may_refuse.extend(refuse::model_reasons(&world));
    answer.may_refuse.sort_unstable();
    answer.may_refuse.dedup();
    Ok(answer)
}

/// The answer of rows that are not in order yet.
fn in_order(
    columns: Vec<String>,
    rows: &[Vec<Value>],
    keys: &[SortKey],
    request: &Request,
    may_refuse: Vec<&'static str>,
) -> Answer {
    let (numbers, ties) = sorted(rows.len(), keys);
    Answer {
        columns,
        rows: numbers.into_iter().map(|number| rows[number].clone()).collect(),
        ties,
        limit: request.limit.as_ref().map(|limit| limit.value),
        may_refuse,
    }
}

#[cfg(test)]
mod tests;

//! `metric_time` and grains. In: names and home datasets. Out: the time field of a home, and values cut down to a grain.

use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::expr::{Expr, ExprKind, parse_expr_str};

use super::model::Model;
use super::tree::{call_of, folded, name_of, nowhere, text_of};
use crate::expr;
use crate::stop::Stop;
use crate::value::Value;

/// The grains, finest first; from `day` on `metric_time` is a Date.
const GRAINS: [&str; 8] = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// A home's own time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct TimeField {
    /// Its dataset.
    pub(super) dataset: usize,
    /// The field.
    pub(super) field: usize,
}

/// A grain by its word.
pub(super) fn grain(word: &str) -> Option<&'static str> {
    GRAINS.iter().find(|one| one.eq_ignore_ascii_case(word)).copied()
}

/// Whether a folded name is `metric_time`, and with which grain.
#[expect(clippy::option_option, reason = "not the name; the name without a grain; the name with one")]
pub(super) fn metric_time(name: &str) -> Option<Option<&'static str>> {
    let rest = name.strip_prefix("metric_time")?;
    if rest.is_empty() {
        return Some(None);
    }
    rest.strip_prefix("__").and_then(grain).map(Some)
}

/// A time field cut down to a grain, as an expression.
pub(super) fn cut(field: &Expr, word: &str) -> Result<Expr, Stop> {
    let Some(grain) = grain(word) else { return Err(Stop::Unknown(format!("the grain {word}"))) };
    match &*field.kind {
        ExprKind::Name(parts) => match parts.as_slice() {
            [one] if one.value.text == "metric_time" => Ok(name_of(&[&format!("metric_time__{grain}")])),
            [_, _] => {
                let call = call_of("DATE_TRUNC", vec![text_of(grain), field.clone()]);
                Ok(Expr::new(ExprKind::Call(Box::new(call)), nowhere()))
            }
            _ => Err(Stop::Refused(vec!["E_NAME_NOT_FOUND"])),
        },
        _ => Err(Stop::Unknown("a grain of an expression".into())),
    }
}

/// `orders.ordered_at:month` taken apart.
pub(super) fn short_form(text: &str) -> Option<(&str, &str)> {
    let (field, word) = text.trim().rsplit_once(':')?;
    let is_word = !word.is_empty() && word.chars().all(|one| one.is_ascii_alphabetic());
    let is_name = field.chars().all(|one| one.is_alphanumeric() || "_.\" ".contains(one));
    (is_word && is_name).then_some((field, word))
}

/// A value of `metric_time` at a grain: with day or longer it is a Date in every home.
pub(super) fn truncated(value: Value, grain: Option<&str>) -> Result<Value, Stop> {
    let Some(grain) = grain else { return Ok(value) };
    let value = expr::trunc(&value, grain)?;
    let is_date = !["second", "minute", "hour"].contains(&grain);
    Ok(match value {
        Value::Timestamp(moment) if is_date => {
            Value::Date(i32::try_from(moment.div_euclid(DAY)).unwrap_or(i32::MAX))
        }
        Value::Date(day) if !is_date => Value::Timestamp(i64::from(day) * DAY),
        other => other,
    })
}

impl Model {
    /// The time of a measure: named on its metric, else on its home, else the home's only time dimension.
    pub(super) fn time_of(&self, home: usize, on_metric: Option<&str>) -> Result<TimeField, Stop> {
        let dataset = &self.datasets[home];
        if let Some(text) = on_metric.or(dataset.time.as_deref()) {
            let (expr, _) = parse_expr_str(text, SourceId(0));
            let expr = expr.map(|expr| folded(&expr)).transpose()?;
            return match expr.map(|expr| *expr.kind) {
                Some(ExprKind::Name(parts)) => match parts.as_slice() {
                    [dataset, field] => match self.field(&dataset.value.text, &field.value.text) {
                        Some((dataset, field)) => Ok(TimeField { dataset, field }),
                        None => Err(Stop::Refused(vec!["E_NAME_NOT_FOUND"])),
                    },
                    _ => Err(Stop::Unknown(format!("the time dimension {text}"))),
                },
                _ => Err(Stop::Unknown(format!("the time dimension {text}"))),
            };
        }
        let mut times = dataset.fields.iter().enumerate().filter(|(_, field)| field.is_time);
        match (times.next(), times.next()) {
            (Some((field, _)), None) => Ok(TimeField { dataset: home, field }),
            _ => Err(Stop::Refused(vec!["E_AMBIGUOUS_PATH"])),
        }
    }
}

//! How far engines can be apart on one row's value, as k times 2^-52 times a magnitude that a query can sum.
//! In: the argument of an aggregate. Out: k and the magnitude as an expression over rows, or `None` where no k is known.
//!
//! Equal inputs give equal results of one operation in IEEE doubles, so `+ - *` of exact operands have k = 0. A division,
//! a cast to a double and a function of the mathematical library count one. From there on errors add up, and where
//! terms can cancel, the magnitude is the sum of the terms' magnitudes and not that of the result.

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::expr::{Expr, ExprKind};
use unisono_compiler::function::{Function, Scalar};
use unisono_compiler::resolve::{ModelExpr, Reference, Resolved};

/// The deepest chain of fields that is looked into.
const MOST_DEPTH: usize = 64;

/// The error of a row's value.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RowError {
    /// In units of 2^-52 of the magnitude.
    pub(super) ulps: f64,
    /// Not below the value's own magnitude, which it is if absent.
    magnitude: Option<ModelExpr>,
}

impl RowError {
    /// The magnitude of a value with this error, as Float64.
    pub(super) fn magnitude_of(&self, value: &ModelExpr) -> ModelExpr {
        self.magnitude.clone().unwrap_or_else(|| absolute(value))
    }
}

const NONE: RowError = RowError { ulps: 0.0, magnitude: None };

/// The error of an expression over rows.
pub(super) fn row_error(expr: &ModelExpr, resolved: &Resolved) -> Option<RowError> {
    error_of(expr, resolved, 0)
}

fn error_of(expr: &ModelExpr, resolved: &Resolved, depth: usize) -> Option<RowError> {
    match expr.exactness {
        Exactness::Exact => return Some(NONE),
        Exactness::Rounding if depth < MOST_DEPTH => {}
        Exactness::Rounding | Exactness::Approximate | Exactness::Divergent | Exactness::Nondeterministic => {
            return None;
        }
    }
    let error = |part: &ModelExpr| error_of(part, resolved, depth + 1);
    match &*expr.kind {
        ExprKind::Reference(Reference::Field(field)) => {
            let found = error(resolved.fields.get(*field)?.as_ref().ok()?)?;
            // The magnitude is over the field's own columns, which only its dataset can read.
            found.magnitude.is_none().then_some(found)
        }
        ExprKind::Cast { operand } => {
            let inner = error(operand)?;
            let to_double = expr.data_type == DataType::Float64;
            match operand.data_type {
                DataType::Float32 | DataType::Float64 if to_double || inner == NONE => Some(inner),
                DataType::Int8 | DataType::Int16 | DataType::Int32 if to_double => Some(inner),
                _ if to_double && inner == NONE => Some(RowError { ulps: 1.0, magnitude: None }),
                _ => None,
            }
        }
        ExprKind::Case { branches, otherwise } => {
            // Conditions are exact: over rounded values a CASE is divergent.
            let values = branches.iter().map(|(_, value)| value).chain(otherwise);
            let errors: Vec<RowError> = values.map(error).collect::<Option<_>>()?;
            let ulps = errors.iter().map(|error| error.ulps).fold(0.0, f64::max);
            if errors.iter().all(|error| error.magnitude.is_none()) {
                return Some(RowError { ulps, magnitude: None });
            }
            let mut errors = errors.iter();
            let mut magnitude = |value: &ModelExpr| {
                errors.next().map_or_else(|| absolute(value), |error| error.magnitude_of(value))
            };
            let branches = branches.iter().map(|(when, then)| (when.clone(), magnitude(then))).collect();
            let otherwise = otherwise.as_ref().map(&mut magnitude);
            let case = float(ExprKind::Case { branches, otherwise });
            Some(RowError { ulps, magnitude: Some(case) })
        }
        ExprKind::Call { function: Function::Scalar(function), arguments } => {
            let errors: Vec<RowError> = arguments.iter().map(error).collect::<Option<_>>()?;
            call_error(*function, expr, arguments, &errors)
        }
        ExprKind::Literal(_)
        | ExprKind::Reference(Reference::Column(_) | Reference::Metric(_) | Reference::Now)
        | ExprKind::Call { .. }
        | ExprKind::InList { .. }
        | ExprKind::Aggregate(_)
        | ExprKind::Window(_) => None,
    }
}

fn call_error(
    function: Scalar,
    expr: &ModelExpr,
    arguments: &[ModelExpr],
    errors: &[RowError],
) -> Option<RowError> {
    let equal_inputs = errors.iter().all(|error| *error == NONE);
    let relative = errors.iter().all(|error| error.magnitude.is_none());
    let sum: f64 = errors.iter().map(|error| error.ulps).sum();
    let most = errors.iter().map(|error| error.ulps).fold(0.0, f64::max);
    let magnitudes = || arguments.iter().zip(errors).map(|(value, error)| error.magnitude_of(value));
    match function {
        Scalar::Add
        | Scalar::Subtract
        | Scalar::Multiply
        | Scalar::Modulo
        | Scalar::Negate
        | Scalar::Abs
        | Scalar::Sqrt
        | Scalar::Floor
        | Scalar::Ceiling
        | Scalar::Truncate
        | Scalar::Sign
        | Scalar::Greatest
        | Scalar::Least
        | Scalar::Coalesce
        | Scalar::NullIf
            if equal_inputs =>
        {
            Some(NONE)
        }
        Scalar::Add | Scalar::Subtract => {
            let magnitude = magnitudes().reduce(|left, right| binary(Scalar::Add, left, right))?;
            Some(RowError { ulps: most + 1.0, magnitude: Some(magnitude) })
        }
        Scalar::Multiply => {
            let product = || magnitudes().reduce(|left, right| binary(Scalar::Multiply, left, right));
            let magnitude = if relative { None } else { Some(product()?) };
            Some(RowError { ulps: sum + 1.0, magnitude })
        }
        Scalar::Divide => {
            // A divisor of which terms can cancel may be any small number.
            errors.get(1).filter(|error| error.magnitude.is_none())?;
            let quotient = || magnitudes().reduce(|left, right| binary(Scalar::Divide, left, right));
            let magnitude = if relative { None } else { Some(quotient()?) };
            Some(RowError { ulps: sum + 1.0, magnitude })
        }
        Scalar::Negate | Scalar::Abs => errors.first().cloned(),
        Scalar::Sqrt if relative => Some(RowError { ulps: sum / 2.0 + 1.0, magnitude: None }),
        // The relative error of x is the absolute one of its logarithm.
        Scalar::Ln | Scalar::Log10 if relative && !equal_inputs => {
            let one = float(ExprKind::Literal(unisono_compiler::expr::Literal::Float("1e0".to_string())));
            let magnitude = binary(Scalar::Add, absolute(expr), one);
            Some(RowError { ulps: sum + 1.0, magnitude: Some(magnitude) })
        }
        mathematical if mathematical.is_mathematical() && equal_inputs => {
            Some(RowError { ulps: 1.0, magnitude: None })
        }
        _ => None,
    }
}

fn float(kind: ExprKind<Reference>) -> ModelExpr {
    Expr::new(kind, DataType::Float64, Exactness::Rounding)
}

fn call(function: Scalar, arguments: Vec<ModelExpr>) -> ModelExpr {
    float(ExprKind::Call { function: Function::Scalar(function), arguments })
}

fn binary(function: Scalar, left: ModelExpr, right: ModelExpr) -> ModelExpr {
    call(function, vec![left, right])
}

/// |x| as Float64.
pub(super) fn absolute(value: &ModelExpr) -> ModelExpr {
    call(Scalar::Abs, vec![as_float(value)])
}

/// x as Float64.
pub(super) fn as_float(value: &ModelExpr) -> ModelExpr {
    if value.data_type == DataType::Float64 {
        return value.clone();
    }
    float(ExprKind::Cast { operand: value.clone() })
}

/// x times x, of a magnitude.
pub(super) fn square(value: &ModelExpr) -> ModelExpr {
    binary(Scalar::Multiply, value.clone(), value.clone())
}

#[cfg(test)]
mod tests;

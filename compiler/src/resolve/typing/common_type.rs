//! The common type of several values: what CASE, COALESCE, IN and comparisons bring their parts to.

use crate::data_type::DataType;
use crate::expr::{ExprKind, Literal};
use crate::function::Scalar;
use crate::resolve::ModelExpr;
use crate::resolve::typing::cast_to;
use crate::resolve::typing::literal::constant;
use crate::resolve::typing::operator::call;

/// The type that holds every value of both, or `None` if they do not mix. Unknown mixes with everything and wins.
pub(crate) fn common_type(left: DataType, right: DataType) -> Option<DataType> {
    match (left, right) {
        (DataType::Unknown, _) | (_, DataType::Unknown) => Some(DataType::Unknown),
        (DataType::Null, other) | (other, DataType::Null) => Some(other),
        (left, right) if left == right => Some(left),
        (left, right) if left.is_numeric() && right.is_numeric() => Some(common_number(left, right)),
        (DataType::Date, DataType::Timestamp) | (DataType::Timestamp, DataType::Date) => {
            Some(DataType::Timestamp)
        }
        _ => None,
    }
}

fn common_number(left: DataType, right: DataType) -> DataType {
    if left.is_float() || right.is_float() {
        return DataType::Float64;
    }
    match (decimal_size(left), decimal_size(right)) {
        ((whole_left, scale_left), (whole_right, scale_right)) if left.is_decimal() || right.is_decimal() => {
            let scale = scale_left.max(scale_right);
            DataType::Decimal { precision: (whole_left.max(whole_right) + scale).min(38), scale }
        }
        _ => left.max(right),
    }
}

/// Digits before and after the point that an exact number can have.
pub(crate) fn decimal_size(data_type: DataType) -> (u8, u8) {
    match data_type {
        DataType::Decimal { precision, scale } => (precision - scale, scale),
        other => (other.integer_digits().unwrap_or(0), 0),
    }
}

/// Brings all values to their common type, or gives the first two types that do not mix. Literals keep their digits:
/// an integer beside a decimal counts by its own digits, not by Int64's.
pub(crate) fn unify(values: Vec<ModelExpr>) -> Result<(DataType, Vec<ModelExpr>), (DataType, DataType)> {
    let mut common = DataType::Null;
    for value in &values {
        let own = operand_type(value, common);
        common = common_type(common, own).ok_or((common, value.data_type))?;
    }
    // A literal's digits may have been counted before a decimal was seen.
    for value in &values {
        common = common_type(common, operand_type(value, common)).ok_or((common, value.data_type))?;
    }
    let values = values.into_iter().map(|value| widen(value, common)).collect();
    Ok((common, values))
}

/// A value in a type that it shares with others. Where 38 digits do not hold both what stands before the point of the one and after that of
/// the other, adding zero at the wide scale raises for a value that does not fit; a CAST would make it NULL.
fn widen(value: ModelExpr, common: DataType) -> ModelExpr {
    let DataType::Decimal { precision, scale } = common else { return cast_to(value, common) };
    let (whole, _) = decimal_size(operand_type(&value, common));
    let is_exact = value.data_type.is_integer() || value.data_type.is_decimal();
    if !is_exact || value.data_type == common || whole <= precision - scale {
        return cast_to(value, common);
    }
    let zeros = "0".repeat(scale.into());
    let zero = constant(
        Literal::Decimal(format!("0.{zeros}")),
        DataType::Decimal { precision: scale.max(1), scale },
    );
    let class = value.exactness;
    call(Scalar::Add, vec![value, zero], common, class)
}

/// The type that a value counts with beside another: an integer literal beside a decimal by its digits, beside a
/// narrower integer by the narrower type if it fits.
pub(crate) fn operand_type(value: &ModelExpr, beside: DataType) -> DataType {
    let ExprKind::Literal(Literal::Integer(digits)) = &*value.kind else { return value.data_type };
    if beside.is_decimal() {
        let precision = u8::try_from(digits.trim_start_matches(['-', '0']).len().max(1)).unwrap_or(19);
        return DataType::Decimal { precision, scale: 0 };
    }
    let fits = |low: i64, high: i64| digits.parse::<i64>().is_ok_and(|value| (low..=high).contains(&value));
    match beside {
        DataType::Int8 if fits(i8::MIN.into(), i8::MAX.into()) => DataType::Int8,
        DataType::Int8 | DataType::Int16 if fits(i16::MIN.into(), i16::MAX.into()) => DataType::Int16,
        DataType::Int8 | DataType::Int16 | DataType::Int32 if fits(i32::MIN.into(), i32::MAX.into()) => {
            DataType::Int32
        }
        _ => value.data_type,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_meet_without_losing_digits() {
        let decimal = |precision, scale| DataType::Decimal { precision, scale };
        assert_eq!(common_type(DataType::Int32, DataType::Int64), Some(DataType::Int64));
        assert_eq!(common_type(DataType::Int32, decimal(10, 2)), Some(decimal(12, 2)));
        assert_eq!(common_type(decimal(10, 4), decimal(12, 2)), Some(decimal(14, 4)));
        assert_eq!(common_type(decimal(10, 4), DataType::Float32), Some(DataType::Float64));
        assert_eq!(common_type(DataType::Int64, decimal(36, 30)), Some(decimal(38, 30)));
        assert_eq!(common_type(DataType::String, DataType::Date), None);
        assert_eq!(common_type(DataType::Null, DataType::Date), Some(DataType::Date));
    }
}

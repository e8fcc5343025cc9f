//! NULL-safe joins whose planner filters one side by the keys of the other and forgets NULL among them (DataFusion).
//! In: a relation. Out: the same joins on keys that are never NULL: a default in NULL's place, and whether it is one.
//!
//! DataFusion 54 tells the right side of a LEFT or inner join which keys to look for. NULL is not among them, although the join is
//! NULL-safe, and where that side is sorted the rows with NULL are gone (run; <https://github.com/apache/datafusion/issues/22964>).

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{Expr, Literal};
use unisono_compiler::function::Scalar;
use unisono_compiler::relation::{Join, RelExpr, Relation};

use super::rewrite::every_select;
use crate::capabilities::NullSafeKeys;

/// Rewrites every NULL-safe join whose keys have types; the others stay as they are.
pub(crate) fn apply(relation: &mut Relation, style: NullSafeKeys) {
    if style == NullSafeKeys::Compared {
        return;
    }
    every_select(relation, &mut |select, _, _, _| {
        for join in select.joins.iter_mut().filter(|join| join.null_safe) {
            part(join);
        }
    });
}

fn part(join: &mut Join) {
    let mut on = Vec::new();
    for (left, right) in &join.on {
        let (Some(left_default), Some(right_default)) = (default(left.data_type), default(right.data_type))
        else {
            return;
        };
        on.push((filled(left, left_default), filled(right, right_default)));
        on.push((is_null(left), is_null(right)));
    }
    join.on = on;
    join.null_safe = false;
}

fn filled(key: &RelExpr, default: Literal) -> RelExpr {
    let default = Expr::constant(default, key.data_type);
    Expr::call(Scalar::Coalesce, vec![key.clone(), default], key.data_type, key.exactness)
}

fn is_null(key: &RelExpr) -> RelExpr {
    Expr::call(Scalar::IsNull, vec![key.clone()], DataType::Boolean, key.exactness)
}

/// Any one value of a type: beside it stands whether it is NULL's.
fn default(data_type: DataType) -> Option<Literal> {
    match data_type {
        DataType::Boolean => Some(Literal::Boolean(false)),
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Decimal { .. }
        | DataType::Float32
        | DataType::Float64 => Some(Literal::Integer("0".to_string())),
        DataType::String => Some(Literal::String(String::new())),
        DataType::Date => Some(Literal::Date("1970-01-01".to_string())),
        DataType::Timestamp | DataType::TimestampTz => {
            Some(Literal::Timestamp("1970-01-01 00:00:00".to_string()))
        }
        DataType::Time | DataType::Null | DataType::Unknown => None,
    }
}

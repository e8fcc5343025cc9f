//! SUM of whole numbers of up to 38 digits: in DECIMAL(38, 0), or in LARGEINT cast back.
//! In: the summed column. Out: a sum whose type is DECIMAL(38, 0).

use crate::capabilities::IntegerSum;
use crate::form::AggregateCall;
use crate::sql::tree::{Expr, Type, cast};

/// The sum of one column of whole numbers.
pub(crate) fn sum(call: &AggregateCall<'_>, column: &Expr, style: IntegerSum) -> Expr {
    match style {
        IntegerSum::Decimal => call.over_arguments("SUM", vec![column.clone()]),
        IntegerSum::LargeInt => {
            let sum = call.over_arguments("SUM", vec![cast(column.clone(), Type::word("LARGEINT"))]);
            cast(sum, Type::decimal(38, 0))
        }
    }
}

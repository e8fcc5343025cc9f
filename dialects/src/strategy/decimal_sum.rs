//! SUM that never gives a wrong number past its type: a sum whose column can hold more than 28 digits is widened or watched.
//! In: a SUM over one column, its bound, the target's capabilities. Out: a sum that is right or raises (docs/semantics.md, functions).

use unisono_compiler::data_type::DataType;

use super::integer_sum;
use crate::arithmetic::{Digits, as_bigint, as_decimal, digits_of};
use crate::capabilities::{Capabilities, DecimalSum};
use crate::form::{AggregateCall, Refusal};
use crate::magnitude::pow10;
use crate::sql::tree::{
    Expr, Operator, Type, binary, call as sql_call, cast, chain, is_null, number, text, when, when_else,
};

/// SUM(x), where the argument has the sum's type already.
pub(crate) fn sum(call: &AggregateCall<'_>, capabilities: &Capabilities) -> Result<Expr, Refusal> {
    let [argument] = call.arguments else {
        return Err(Refusal::internal(format!("takes one argument, not {}", call.arguments.len())));
    };
    let Some(result) = digits_of(call.data_type) else {
        let is_narrow = call.data_type == DataType::Int64 && argument.data_type != DataType::Int64;
        let column = if is_narrow { as_bigint(argument) } else { argument.expr.clone() };
        let plain = call.over_arguments("SUM", vec![column]);
        // DuckDB sums BIGINT in HUGEINT; the cast raises where the sum does not fit.
        let widened = call.data_type == DataType::Int64 && capabilities.decimal_sum == DecimalSum::Raises;
        return Ok(if widened { cast(plain, Type::word("BIGINT")) } else { plain });
    };
    let column = &as_decimal(argument, result);
    let plain = if result.scale == 0 {
        integer_sum::sum(call, column, capabilities.integer_sum)
    } else {
        call.over_arguments("SUM", vec![column.clone()])
    };
    if argument.magnitude.can_be_summed() {
        return Ok(plain);
    }
    Ok(match capabilities.decimal_sum {
        DecimalSum::Raises => plain,
        DecimalSum::Widen => widened(call, column, result),
        DecimalSum::GivesNull => null_raises(call, column, plain),
        DecimalSum::Wraps => watched(call, column, result, plain),
    })
}

/// 76 digits hold any sum; the cast back raises.
fn widened(call: &AggregateCall<'_>, column: &Expr, result: Digits) -> Expr {
    let wide = Digits { precision: 76, scale: result.scale };
    let sum = call.over_arguments("SUM", vec![cast(column.clone(), wide.sql())]);
    cast(sum, result.sql())
}

/// A sum that is NULL although there was something to add is an overflow. The text that is cast is computed: a constant one
/// would fail before any row is read.
fn null_raises(call: &AggregateCall<'_>, column: &Expr, sum: Expr) -> Expr {
    let count = call.over_arguments("COUNT", vec![column.clone()]);
    let some = binary(count.clone(), Operator::Greater, number(0));
    let message = sql_call("CONCAT", vec![text("overflow of "), cast(count, Type::word("STRING"))]);
    let raise = cast(message, Type::word("BIGINT"));
    when_else(chain(Operator::And, vec![is_null(sum.clone()), some]), raise, sum)
}

/// The sum of the magnitudes as a DOUBLE tells whether the exact sum can have wrapped.
fn watched(call: &AggregateCall<'_>, column: &Expr, result: Digits, sum: Expr) -> Expr {
    let magnitude = sql_call("ABS", vec![cast(column.clone(), Type::word("DOUBLE"))]);
    let limit = number([pow10(38 - result.scale).to_string().as_str(), "e0"].concat());
    let small = binary(call.over_arguments("SUM", vec![magnitude]), Operator::Less, limit);
    let holds = sql_call("COALESCE", vec![small, Expr::Word("TRUE")]);
    when(sql_call("assert_true", vec![holds]), sum)
}

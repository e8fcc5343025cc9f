//! MIN and MAX of floats on DataFusion 54. In: an aggregate call. Out: an expression that tells NaN and the infinities from numbers.
//!
//! The engine's own MAX passes over NaN, and its MIN of Infinity alone is the greatest finite number (both run). So the extreme
//! kind of value is looked for first, and among numbers the extreme number.

use unisono_compiler::data_type::DataType;

use super::types::exactly;
use crate::build::is_finite;
use crate::form::{AggregateCall, Refusal};
use crate::sql::tree::{Expr, Operator, binary, call, number, text, when};

/// Negative infinity, a number, infinity, NaN: the kinds in their order.
const KINDS: [u8; 4] = [0, 1, 2, 3];

/// `MIN` or `MAX` as the rules have it: NaN is above every number.
pub(super) fn extreme(node: &AggregateCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    let x = match node.arguments {
        [x] if matches!(x.data_type, DataType::Float32 | DataType::Float64) => x.expr.clone(),
        _ => return Ok(node.plain(name)),
    };
    let [below, finite, above, nan] = KINDS.map(number);
    let kind = Expr::Case {
        branches: vec![
            (is_finite(x.clone()), finite.clone()),
            (call("ISNAN", vec![x.clone()]), nan.clone()),
            (binary(x.clone(), Operator::Greater, number(0)), above.clone()),
            (binary(x.clone(), Operator::Less, number(0)), below.clone()),
        ],
        otherwise: None,
    };
    let found = node.over_arguments(name, vec![kind]);
    let is = |kind: Expr| binary(found.clone(), Operator::Equal, kind);
    let constant = |digits: &str| exactly(text(digits), node.data_type);
    let extreme_number = node.over_arguments(name, vec![when(is_finite(x.clone()), x)]);
    Ok(Expr::Case {
        branches: vec![
            (is(finite), extreme_number),
            (is(nan), constant("NaN")),
            (is(above), constant("Infinity")),
            (is(below), constant("-Infinity")),
        ],
        otherwise: None,
    })
}

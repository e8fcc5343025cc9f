//! MIN and MAX of floats on engines whose own do not have NaN above every number. In: an aggregate call, how the engine tells NaN.
//! Out: an expression that looks for the extreme kind of value first, and among numbers for the extreme number.
//!
//! DataFusion's MAX passes over NaN, and its MIN of Infinity alone is the greatest finite number; Flink keeps NaN as the extreme of
//! both where it comes first, since nothing compares with it (54.0 and 2.2.1, run).

use unisono_compiler::data_type::DataType;

use crate::finite::is_finite;
use crate::form::{AggregateCall, Refusal};
use crate::sql::tree::{Expr, Operator, binary, call, is_not_null, number, text, when};

/// Negative infinity, a number, infinity, NaN: the kinds in their order.
const KINDS: [u8; 4] = [0, 1, 2, 3];

/// How NaN is told from the other values that are no numbers.
#[derive(Clone, Copy)]
pub(crate) enum Nan {
    /// By `ISNAN`; it compares as greater than all.
    IsNan,
    /// By being neither above nor below 0.
    Neither,
}

/// `MIN` or `MAX` as the rules have it: NaN is above every number. `exactly` casts to the node's type.
pub(crate) fn extreme(
    node: &AggregateCall<'_>,
    name: &'static str,
    nan: Nan,
    exactly: fn(Expr, DataType) -> Expr,
) -> Result<Expr, Refusal> {
    let x = match node.arguments {
        [x] if matches!(x.data_type, DataType::Float32 | DataType::Float64) => x.expr.clone(),
        _ => return Ok(node.plain(name)),
    };
    let kinds = Expr::Case { branches: kinds(&x, nan), otherwise: None };
    let found = node.over_arguments(name, vec![kinds]);
    let is = |kind: u8| binary(found.clone(), Operator::Equal, number(kind));
    let constant = |digits: &str| exactly(text(digits), node.data_type);
    let extreme_number = node.over_arguments(name, vec![when(is_finite(x.clone()), x)]);
    let [below, finite, above, not_a_number] = KINDS;
    Ok(Expr::Case {
        branches: vec![
            (is(finite), extreme_number),
            (is(not_a_number), constant("NaN")),
            (is(above), constant("Infinity")),
            (is(below), constant("-Infinity")),
        ],
        otherwise: None,
    })
}

/// The branches that give a value its kind; NULL has none.
fn kinds(x: &Expr, nan: Nan) -> Vec<(Expr, Expr)> {
    let [below, finite, above, not_a_number] = KINDS.map(number);
    let beside_zero = |operator, kind| (binary(x.clone(), operator, number(0)), kind);
    let mut branches = vec![
        (is_finite(x.clone()), finite),
        beside_zero(Operator::Greater, above),
        beside_zero(Operator::Less, below),
    ];
    match nan {
        Nan::IsNan => branches.insert(1, (call("ISNAN", vec![x.clone()]), not_a_number)),
        Nan::Neither => branches.push((is_not_null(x.clone()), not_a_number)),
    }
    branches
}

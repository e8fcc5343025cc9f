//! Functions whose answers differ between engines on some inputs, which no form puts right (docs/semantics.md, exactness).
//! In: an expression of the relation. Out: the warning that it earns, if its input can be such.

use unisono_compiler::data_type::Exactness;
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::expr::ExprKind;
use unisono_compiler::function::{Function, Scalar};
use unisono_compiler::relation::RelExpr;

use crate::casting::{Kind, kind};

/// The warning about one node; `None` for what is the same everywhere, and for constants.
pub(super) fn warning(expr: &RelExpr) -> Option<Diagnostic> {
    if expr.exactness != Exactness::Divergent || expr.references().is_empty() {
        return None;
    }
    let (name, inputs, help) = match &*expr.kind {
        ExprKind::Call { function, arguments } => {
            let (inputs, help) = trap(*function, arguments)?;
            (function.name(), inputs, help)
        }
        ExprKind::Cast { operand } => {
            let (inputs, help) = cast(kind(operand.data_type), kind(expr.data_type))?;
            (format!("cast to {}", expr.data_type), inputs, help)
        }
        ExprKind::Literal(_)
        | ExprKind::Reference(_)
        | ExprKind::Case { .. }
        | ExprKind::InList { .. }
        | ExprKind::Aggregate(_)
        | ExprKind::Window(_) => return None,
    };
    let message = format!("`{name}` gives different answers on different engines for {inputs}");
    Some(Diagnostic::new(Code::DivergentFunction, message).help(help))
}

/// The inputs on which engines differ, and what to do.
type Trap = (&'static str, &'static str);

const BEYOND_ASCII: Trap = (
    "characters beyond ASCII",
    "compare texts as they are, or keep such texts to ASCII where they are written",
);

const NO_ISO_TEXT: Trap =
    ("texts that are no ISO date or time", "store dates and times as such, or write them as `2024-01-31`");

const EXACT_AMOUNTS: &str = "store amounts as Decimals where they are written";

fn trap(function: Function, arguments: &[RelExpr]) -> Option<Trap> {
    let Function::Scalar(scalar) = function else { return None };
    match scalar {
        Scalar::Upper
        | Scalar::Lower
        | Scalar::Initcap
        | Scalar::Reverse
        | Scalar::ILike
        | Scalar::RegexpLike
        | Scalar::RegexpReplace
        | Scalar::RegexpExtract
        | Scalar::RegexpCount => Some(BEYOND_ASCII),
        Scalar::ToDate | Scalar::ToTimestamp => Some(NO_ISO_TEXT),
        Scalar::Round if arguments.first()?.data_type.is_float() => {
            Some(("floats near a tie", EXACT_AMOUNTS))
        }
        Scalar::Truncate if arguments.first()?.data_type.is_float() => {
            Some(("floats next to a step", EXACT_AMOUNTS))
        }
        _ => None,
    }
}

fn cast(from: Kind, to: Kind) -> Option<Trap> {
    match (from, to) {
        (Kind::String, Kind::Date | Kind::Time | Kind::Timestamp) => Some(NO_ISO_TEXT),
        (Kind::Float, Kind::Decimal) => Some(("floats halfway between two Decimals", EXACT_AMOUNTS)),
        _ => None,
    }
}

//! How large an exact number can be, derived from types, literals and operators: what decides whether an operation or a sum
//! can overflow. In: a typed expression and what is known of the columns in scope. Out: a bound on the unscaled digits.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{ExprKind, Literal};
use unisono_compiler::function::{AggregateFunction, Function, Scalar};
use unisono_compiler::relation::{ColumnRef, RelExpr};

/// A bound: the value is `n / 10^scale` with |n| at most `unscaled`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Magnitude {
    /// The greatest |n|; `u128::MAX` if nothing is known.
    pub(crate) unscaled: u128,
    /// Digits after the point.
    pub(crate) scale: u8,
}

/// 2^63 - 1.
pub(crate) const BIGINT_MAX: u128 = 9_223_372_036_854_775_807;

impl Magnitude {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Magnitude = Magnitude { unscaled: u128::MAX, scale: 0 };

    /// What a type says.
    pub(crate) fn of_type(data_type: DataType) -> Magnitude {
        let whole = |unscaled| Magnitude { unscaled, scale: 0 };
        match data_type {
            DataType::Int8 => whole(1 << 7),
            DataType::Int16 => whole(1 << 15),
            DataType::Int32 => whole(1 << 31),
            DataType::Int64 => whole(1 << 63),
            DataType::Decimal { precision, scale } => {
                Magnitude { unscaled: pow10(precision).saturating_sub(1), scale }
            }
            DataType::Boolean
            | DataType::Float32
            | DataType::Float64
            | DataType::String
            | DataType::Date
            | DataType::Time
            | DataType::Timestamp
            | DataType::TimestampTz
            | DataType::Null
            | DataType::Unknown => Magnitude::UNKNOWN,
        }
    }

    /// Whether the unscaled digits are at most so many.
    pub(crate) fn fits_digits(self, digits: u8) -> bool {
        self.unscaled < pow10(digits)
    }

    /// Whether a sum of up to 10^10 such values has at most 38 digits.
    pub(crate) fn can_be_summed(self) -> bool {
        self.fits_digits(28)
    }

    /// How many digits the unscaled number can have, at least 1.
    pub(crate) fn digits(self) -> u8 {
        (1..=38).find(|digits| self.fits_digits(*digits)).unwrap_or(39)
    }

    /// The same bound with so many digits after the point.
    #[must_use]
    pub(crate) fn in_scale(self, scale: u8) -> Magnitude {
        if scale >= self.scale {
            let unscaled = self.unscaled.saturating_mul(pow10(scale - self.scale));
            Magnitude { unscaled, scale }
        } else {
            // Half away from zero can round up by one.
            let unscaled = (self.unscaled / pow10(self.scale - scale)).saturating_add(1);
            Magnitude { unscaled, scale }
        }
    }

    fn greater(self, other: Magnitude) -> Magnitude {
        let scale = self.scale.max(other.scale);
        let unscaled = self.in_scale(scale).unscaled.max(other.in_scale(scale).unscaled);
        Magnitude { unscaled, scale }
    }

    fn plus(self, other: Magnitude) -> Magnitude {
        let scale = self.scale.max(other.scale);
        let unscaled = self.in_scale(scale).unscaled.saturating_add(other.in_scale(scale).unscaled);
        Magnitude { unscaled, scale }
    }

    fn times(self, other: Magnitude) -> Magnitude {
        Magnitude {
            unscaled: self.unscaled.saturating_mul(other.unscaled),
            scale: self.scale.saturating_add(other.scale),
        }
    }
}

/// 10^n, saturating.
pub(crate) fn pow10(n: u8) -> u128 {
    10_u128.checked_pow(u32::from(n)).unwrap_or(u128::MAX)
}

/// The bound of an expression; `column` knows the columns in scope. Never wider than what the type holds.
pub(crate) fn magnitude(expr: &RelExpr, column: &impl Fn(&ColumnRef) -> Option<Magnitude>) -> Magnitude {
    let of_type = Magnitude::of_type(expr.data_type);
    let derived = raw_magnitude(expr, column).unwrap_or(of_type);
    let scale = match expr.data_type {
        DataType::Decimal { scale, .. } => scale,
        _ => 0,
    };
    let derived = derived.in_scale(scale);
    if derived.unscaled < of_type.unscaled { derived } else { of_type }
}

/// The bound of an operation before its value is put into a type.
pub(crate) fn operation(function: Function, arguments: &[Magnitude]) -> Option<Magnitude> {
    match (function, arguments) {
        (Function::Scalar(Scalar::Add | Scalar::Subtract), [left, right]) => Some(left.plus(*right)),
        (Function::Scalar(Scalar::Multiply), [left, right]) => Some(left.times(*right)),
        (Function::Scalar(Scalar::Negate | Scalar::Abs), [operand]) => Some(*operand),
        (Function::Scalar(Scalar::Coalesce | Scalar::Greatest | Scalar::Least), [first, rest @ ..]) => {
            Some(rest.iter().fold(*first, |all, argument| all.greater(*argument)))
        }
        (Function::Scalar(Scalar::NullIf), [first, ..]) => Some(*first),
        _ => None,
    }
}

fn raw_magnitude(expr: &RelExpr, column: &impl Fn(&ColumnRef) -> Option<Magnitude>) -> Option<Magnitude> {
    match &*expr.kind {
        ExprKind::Literal(literal) => literal_magnitude(literal),
        ExprKind::Reference(reference) => column(reference),
        ExprKind::Call { function, arguments } => {
            let arguments: Vec<Magnitude> =
                arguments.iter().map(|argument| magnitude(argument, column)).collect();
            operation(*function, &arguments)
        }
        ExprKind::Case { branches, otherwise } => branches
            .iter()
            .map(|(_, value)| value)
            .chain(otherwise)
            .map(|value| magnitude(value, column))
            .reduce(Magnitude::greater),
        ExprKind::Cast { operand } => {
            let exact = operand.data_type.is_integer() || operand.data_type.is_decimal();
            exact.then(|| magnitude(operand, column))
        }
        ExprKind::Aggregate(aggregate) => match (aggregate.function, aggregate.arguments.as_slice()) {
            (AggregateFunction::Min | AggregateFunction::Max, [argument]) => {
                Some(magnitude(argument, column))
            }
            _ => None,
        },
        ExprKind::InList { .. } | ExprKind::Window(_) => None,
    }
}

fn literal_magnitude(literal: &Literal) -> Option<Magnitude> {
    match literal {
        Literal::Null => Some(Magnitude { unscaled: 0, scale: 0 }),
        Literal::Integer(digits) => digits
            .trim_start_matches(['+', '-'])
            .parse()
            .ok()
            .map(|unscaled| Magnitude { unscaled, scale: 0 }),
        Literal::Decimal(digits) => {
            let (whole, fraction) = digits.trim_start_matches(['+', '-']).split_once('.')?;
            let unscaled = [whole, fraction].concat().parse().ok()?;
            Some(Magnitude { unscaled, scale: u8::try_from(fraction.len()).ok()? })
        }
        Literal::Boolean(_)
        | Literal::Float(_)
        | Literal::String(_)
        | Literal::Date(_)
        | Literal::Time(_)
        | Literal::Timestamp(_) => None,
    }
}

//! The value types of every stage after `resolve`, and what is known of a value's exactness (docs/semantics.md, values).

use std::fmt;

/// The type of a value. Every engine's types map to one of these (dialects/src/*/types.rs).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DataType {
    /// TRUE, FALSE.
    Boolean,
    /// 8 bits.
    Int8,
    /// 16 bits.
    Int16,
    /// 32 bits.
    Int32,
    /// 64 bits.
    Int64,
    /// Base 10, at most 38 digits, `scale` of them after the point.
    Decimal {
        /// Digits in all, 1 to 38.
        precision: u8,
        /// Digits after the point, at most `precision`.
        scale: u8,
    },
    /// IEEE single.
    Float32,
    /// IEEE double.
    Float64,
    /// Unicode text; no collation, trailing blanks count.
    String,
    /// A day.
    Date,
    /// A time of day, microseconds.
    Time,
    /// Wall clock, no zone, microseconds.
    Timestamp,
    /// An instant, kept in UTC, microseconds.
    TimestampTz,
    /// The type of a bare NULL: fits everywhere.
    Null,
    /// Nothing declares it; only `sql` for DataFusion and DuckDB goes on with it.
    Unknown,
}

impl DataType {
    /// The widest exact sum type.
    pub const DECIMAL_38_0: DataType = DataType::Decimal { precision: 38, scale: 0 };

    /// Int8 to Int64.
    pub fn is_integer(self) -> bool {
        matches!(self, DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64)
    }

    /// Float32 or Float64.
    pub fn is_float(self) -> bool {
        matches!(self, DataType::Float32 | DataType::Float64)
    }

    /// A decimal of any size.
    pub fn is_decimal(self) -> bool {
        matches!(self, DataType::Decimal { .. })
    }

    /// A number of any kind.
    pub fn is_numeric(self) -> bool {
        self.is_integer() || self.is_float() || self.is_decimal()
    }

    /// Date, Timestamp or TimestampTz.
    pub fn is_temporal(self) -> bool {
        matches!(self, DataType::Date | DataType::Timestamp | DataType::TimestampTz)
    }

    /// Unknown or the type of NULL: no rule can refuse it.
    pub fn is_open(self) -> bool {
        matches!(self, DataType::Unknown | DataType::Null)
    }

    /// Digits that an integer type needs beside a decimal: 3, 5, 10 or 19; `None` for other types.
    pub fn integer_digits(self) -> Option<u8> {
        match self {
            DataType::Int8 => Some(3),
            DataType::Int16 => Some(5),
            DataType::Int32 => Some(10),
            DataType::Int64 => Some(19),
            DataType::Boolean
            | DataType::Decimal { .. }
            | DataType::Float32
            | DataType::Float64
            | DataType::String
            | DataType::Date
            | DataType::Time
            | DataType::Timestamp
            | DataType::TimestampTz
            | DataType::Null
            | DataType::Unknown => None,
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            DataType::Boolean => "Boolean",
            DataType::Int8 => "Int8",
            DataType::Int16 => "Int16",
            DataType::Int32 => "Int32",
            DataType::Int64 => "Int64",
            DataType::Decimal { precision, scale } => return write!(f, "Decimal({precision},{scale})"),
            DataType::Float32 => "Float32",
            DataType::Float64 => "Float64",
            DataType::String => "String",
            DataType::Date => "Date",
            DataType::Time => "Time",
            DataType::Timestamp => "Timestamp",
            DataType::TimestampTz => "TimestampTz",
            DataType::Null => "Null",
            DataType::Unknown => "Unknown",
        };
        f.write_str(name)
    }
}

/// How equal two engines' values of one expression can be; the weaker of two parts is the later variant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Exactness {
    /// Bit for bit on every engine.
    Exact,
    /// Floats: equal up to a derived bound.
    Rounding,
    /// A sketch, by its declared error.
    Approximate,
    /// Engines disagree on some inputs that the check looks for.
    Divergent,
    /// No function of the input.
    Nondeterministic,
}

impl Exactness {
    /// The class of a value made of two.
    #[must_use]
    pub fn and(self, other: Exactness) -> Exactness {
        self.max(other)
    }

    /// The class of what a value decides by a jump: a comparison, a rank, a whole number. Values that differ in the last place only
    /// can lie on both sides of it.
    #[must_use]
    pub fn at_a_jump(self) -> Exactness {
        match self {
            Exactness::Exact => Exactness::Exact,
            Exactness::Rounding | Exactness::Approximate | Exactness::Divergent => Exactness::Divergent,
            Exactness::Nondeterministic => Exactness::Nondeterministic,
        }
    }

    /// The class's word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Exactness::Exact => "exact",
            Exactness::Rounding => "rounding",
            Exactness::Approximate => "approximate",
            Exactness::Divergent => "divergent",
            Exactness::Nondeterministic => "nondeterministic",
        }
    }
}

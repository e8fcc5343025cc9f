//! Values by their meaning. In: rows of a case. Out: what expressions and aggregates are made of.

/// One value. Integers of every width are decimals of scale 0.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// NULL.
    Null,
    /// TRUE or FALSE.
    Boolean(bool),
    /// An exact number: `digits / 10^scale`.
    Exact {
        /// All digits, with the sign.
        digits: i128,
        /// How many of them are behind the point.
        scale: u8,
    },
    /// A binary float.
    Double(f64),
    /// A text.
    Text(String),
    /// Days since 1970-01-01.
    Date(i32),
    /// Microseconds since 1970-01-01 00:00:00, without a zone.
    Timestamp(i64),
}

//! Buckets of time that are all of one length. In: a unit of truncation. Out: its bucket, if it has one: how long it is, and when the first one begins.

use unisono_compiler::function::Unit;

/// A bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bucket {
    /// A second.
    Second,
    /// A minute.
    Minute,
    /// An hour.
    Hour,
    /// A day.
    Day,
    /// A week, from Monday.
    Week,
}

impl Bucket {
    /// The bucket of a unit; `None` for units that are not all of one length.
    pub fn of(unit: Unit) -> Option<Bucket> {
        match unit {
            Unit::Second => Some(Bucket::Second),
            Unit::Minute => Some(Bucket::Minute),
            Unit::Hour => Some(Bucket::Hour),
            Unit::Day => Some(Bucket::Day),
            Unit::Week => Some(Bucket::Week),
            Unit::Year | Unit::Quarter | Unit::Month => None,
        }
    }

    /// Lower-case word.
    pub fn as_str(self) -> &'static str {
        match self {
            Bucket::Second => Unit::Second.as_str(),
            Bucket::Minute => Unit::Minute.as_str(),
            Bucket::Hour => Unit::Hour.as_str(),
            Bucket::Day => Unit::Day.as_str(),
            Bucket::Week => Unit::Week.as_str(),
        }
    }

    /// Its length in seconds.
    pub fn seconds(self) -> i64 {
        match self {
            Bucket::Second => 1,
            Bucket::Minute => 60,
            Bucket::Hour => 3600,
            Bucket::Day => 86_400,
            Bucket::Week => 7 * 86_400,
        }
    }

    /// The days from the beginning of 1970, a Thursday, to the first bucket after it.
    pub fn first_day(self) -> i64 {
        match self {
            Bucket::Week => 4,
            Bucket::Second | Bucket::Minute | Bucket::Hour | Bucket::Day => 0,
        }
    }
}

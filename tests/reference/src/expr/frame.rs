//! Frames: which rows of its sorted partition a window sees from one of them.
//! In: a frame as written, the sort keys, a position. Out: a range of positions.

use std::cmp::Ordering;
use std::ops::Range;

use unisono_compiler::syntax::expr::{BinaryOp, Expr, ExprKind, Frame, FrameBound, FrameMode, OrderItem};

use super::aggregate::compare_keys;
use super::number::{Width, arithmetic, integer};
use super::scalar::constant_whole;
use crate::stop::Stop;
use crate::value::Value;

/// A sorted partition: the keys of its rows, and by what they are sorted.
pub(super) struct Sorted<'a> {
    /// The entries of ORDER BY.
    pub(super) items: Vec<&'a OrderItem>,
    /// A value an entry, for each row.
    pub(super) keys: Vec<Vec<Value>>,
}

impl Sorted<'_> {
    /// The rows that tie with one, itself included.
    pub(super) fn peers(&self, position: usize) -> Range<usize> {
        let ordering = |other: &Vec<Value>| compare_keys(&self.items, other, &self.keys[position]);
        let start = self.keys.iter().take_while(|key| ordering(key) == Ordering::Less).count();
        let end = self.keys.iter().take_while(|key| ordering(key) != Ordering::Greater).count();
        start..end
    }

    /// The frame of one row. SQL's default is all up to the last peer, which without an order is the whole partition.
    pub(super) fn frame(&self, frame: Option<&Frame>, position: usize) -> Result<Range<usize>, Stop> {
        let rows = self.keys.len();
        let Some(frame) = frame else { return Ok(0..self.peers(position).end) };
        let backwards = matches!(frame.start, FrameBound::UnboundedFollowing)
            || matches!(frame.end, FrameBound::UnboundedPreceding);
        let (start, end) = match frame.mode {
            FrameMode::Groups => return Err(deferred()),
            _ if backwards => return Err(Stop::Unknown(String::from("a frame that ends before it starts"))),
            FrameMode::Rows => (
                row_bound(&frame.start, position, 0)?,
                row_bound(&frame.end, position, rows)?.saturating_add(1),
            ),
            FrameMode::Range => {
                (self.range_start(&frame.start, position)?, self.range_end(&frame.end, position)?)
            }
        };
        let (start, end) =
            (usize::try_from(start.max(0)).unwrap_or(0), usize::try_from(end.max(0)).unwrap_or(0));
        let end = end.min(rows);
        Ok(start.min(end)..end)
    }

    fn range_start(&self, bound: &FrameBound, position: usize) -> Result<i64, Stop> {
        match self.range_key(bound, position)? {
            None if *bound == FrameBound::CurrentRow => Ok(signed(self.peers(position).start)),
            None => Ok(0),
            Some(key) => Ok(signed(self.count_while(&key, |ordering| ordering == Ordering::Less))),
        }
    }

    fn range_end(&self, bound: &FrameBound, position: usize) -> Result<i64, Stop> {
        match self.range_key(bound, position)? {
            None if *bound == FrameBound::CurrentRow => Ok(signed(self.peers(position).end)),
            None => Ok(signed(self.keys.len())),
            Some(key) => Ok(signed(self.count_while(&key, |ordering| ordering != Ordering::Greater))),
        }
    }

    fn count_while(&self, bound: &Value, goes_on: impl Fn(Ordering) -> bool) -> usize {
        let bound = std::slice::from_ref(bound);
        self.keys.iter().take_while(|key| goes_on(compare_keys(&self.items, key, bound))).count()
    }

    /// The key that an offset leads to; NULL stays NULL, so that NULLs are in the frame of their peers only.
    fn range_key(&self, bound: &FrameBound, position: usize) -> Result<Option<Value>, Stop> {
        let (offset, following) = match bound {
            FrameBound::Preceding(offset) => (offset, false),
            FrameBound::Following(offset) => (offset, true),
            FrameBound::UnboundedPreceding | FrameBound::UnboundedFollowing | FrameBound::CurrentRow => {
                return Ok(None);
            }
        };
        let ([item], [key]) = (self.items.as_slice(), self.keys[position].as_slice()) else {
            return Err(Stop::Unknown(String::from("RANGE with an offset over several columns")));
        };
        if !matches!(key, Value::Null | Value::Exact { .. } | Value::Double(_)) {
            return Err(Stop::Unknown(String::from("RANGE with an offset over other than numbers")));
        }
        let op = if following == item.descending { BinaryOp::Subtract } else { BinaryOp::Add };
        arithmetic(op, key, &integer(offset_of(offset)?), Width::Decimal).map(Some)
    }
}

fn deferred() -> Stop {
    Stop::Refused(vec!["E_DEFERRED_FRAME_MODE"])
}

fn offset_of(offset: &Expr) -> Result<i64, Stop> {
    match (constant_whole(offset), &*offset.kind) {
        (Some(rows), _) if rows >= 0 => Ok(rows),
        (None, ExprKind::Parameter(_) | ExprKind::Interval { .. }) => Err(deferred()),
        _ => Err(Stop::Unknown(String::from("an offset of a frame"))),
    }
}

fn signed(position: usize) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}

/// The position that a bound of ROWS leads to, which may lie outside.
fn row_bound(bound: &FrameBound, position: usize, unbounded: usize) -> Result<i64, Stop> {
    match bound {
        FrameBound::UnboundedPreceding | FrameBound::UnboundedFollowing => Ok(signed(unbounded)),
        FrameBound::CurrentRow => Ok(signed(position)),
        FrameBound::Preceding(offset) => Ok(signed(position) - offset_of(offset)?),
        FrameBound::Following(offset) => Ok(signed(position).saturating_add(offset_of(offset)?)),
    }
}

//! Intervals that hold a value on every engine, with the batch side's own value inside.
//! In: ends and a middle. Out: the same after an operation, or `None` where an end is no finite number.
//!
//! Rounding to nearest never changes the order of two numbers. So the ends of `+ - *`, computed in doubles, hold every
//! double that an engine can compute from operands inside, and equal operands give equal results. Monotone functions
//! map ends to ends and are widened by the one unit in the last place that engines may differ by.

/// An interval with a middle; `low <= middle <= high`, all finite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) middle: f64,
    pub(super) high: f64,
}

impl Span {
    pub(super) fn new(low: f64, middle: f64, high: f64) -> Option<Span> {
        let finite = low.is_finite() && middle.is_finite() && high.is_finite();
        // A middle that an operation put on another side of an end by rounding widens the interval.
        finite.then(|| Span { low: low.min(middle), middle, high: high.max(middle) })
    }

    pub(super) fn point(value: f64) -> Option<Span> {
        Span::new(value, value, value)
    }

    /// A value that engines may compute `radius` apart.
    pub(super) fn around(value: f64, radius: f64) -> Option<Span> {
        if radius.is_nan() { None } else { Span::new(value - radius, value, value + radius) }
    }

    pub(super) fn is_point(self) -> bool {
        self.low >= self.high
    }

    /// The farthest that another engine's value can be from the batch side's.
    pub(super) fn radius(self) -> f64 {
        (self.high - self.middle).max(self.middle - self.low)
    }

    pub(super) fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// One unit in the last place more on both ends.
    pub(super) fn ulp(self) -> Option<Span> {
        Span::new(self.low.next_down(), self.middle, self.high.next_up())
    }

    pub(super) fn negated(self) -> Span {
        Span { low: -self.high, middle: -self.middle, high: -self.low }
    }

    pub(super) fn add(self, other: Span) -> Option<Span> {
        Span::new(self.low + other.low, self.middle + other.middle, self.high + other.high)
    }

    pub(super) fn multiply(self, other: Span) -> Option<Span> {
        corners(self, other, |left, right| left * right)
    }

    /// The divisor must not hold 0.
    pub(super) fn divide(self, other: Span) -> Option<Span> {
        corners(self, other, |left, right| left / right)?.ulp()
    }

    /// A positive base: monotone in the base and in the exponent.
    pub(super) fn power(self, other: Span) -> Option<Span> {
        corners(self, other, f64::powf)?.ulp()
    }

    pub(super) fn absolute(self) -> Span {
        if self.low >= 0.0 {
            self
        } else if self.high <= 0.0 {
            self.negated()
        } else {
            Span { low: 0.0, middle: self.middle.abs(), high: self.high.max(-self.low) }
        }
    }

    /// A function that never falls, rounded differently by engines.
    pub(super) fn rising(self, function: impl Fn(f64) -> f64) -> Option<Span> {
        Span::new(function(self.low), function(self.middle), function(self.high))?.ulp()
    }

    /// A step function: one step for the whole interval, else the value is near a tie.
    pub(super) fn step(self, function: impl Fn(f64) -> f64) -> Option<Span> {
        let (low, high) = (function(self.low), function(self.high));
        if low >= high { Span::point(low) } else { None }
    }
}

fn corners(left: Span, right: Span, apply: impl Fn(f64, f64) -> f64) -> Option<Span> {
    let ends = [
        apply(left.low, right.low),
        apply(left.low, right.high),
        apply(left.high, right.low),
        apply(left.high, right.high),
    ];
    if ends.iter().any(|end| end.is_nan()) {
        return None;
    }
    let low = ends.into_iter().fold(f64::INFINITY, f64::min);
    let high = ends.into_iter().fold(f64::NEG_INFINITY, f64::max);
    Span::new(low, apply(left.middle, right.middle), high)
}

#[cfg(test)]
mod tests;

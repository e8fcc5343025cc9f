//! Exact sums that no order of addition can spoil. In: unscaled digits. Out: their sum, if it has at most 38 digits.

/// 10^38: no Decimal reaches it.
const LIMIT: i128 = 10_i128.pow(38);

/// A sum of 128-bit integers: `low` and as many times 2^128 as it left its range.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in super::super) struct Wide {
    low: i128,
    turns: i64,
}

impl Wide {
    /// Adds a number.
    pub(in super::super) fn add(&mut self, value: i128) {
        let (low, turned) = self.low.overflowing_add(value);
        self.low = low;
        if turned {
            self.turns += if value < 0 { -1 } else { 1 };
        }
    }

    /// Takes a number away.
    pub(in super::super) fn subtract(&mut self, value: i128) {
        let (low, turned) = self.low.overflowing_sub(value);
        self.low = low;
        if turned {
            self.turns += if value < 0 { 1 } else { -1 };
        }
    }

    /// The sum, unless it has more than 38 digits.
    pub(in super::super) fn digits(self) -> Option<i128> {
        (self.turns == 0 && -LIMIT < self.low && self.low < LIMIT).then_some(self.low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_may_leave_its_range_and_come_back() {
        let mut sum = Wide::default();
        let most = LIMIT - 1;
        for _ in 0..5 {
            sum.add(most);
        }
        assert_eq!(sum.digits(), None);
        for _ in 0..4 {
            sum.subtract(most);
        }
        assert_eq!(sum.digits(), Some(most));
        for _ in 0..6 {
            sum.add(-most);
        }
        assert_eq!(sum.digits(), None);
        for _ in 0..4 {
            sum.subtract(-most);
        }
        assert_eq!(sum.digits(), Some(-most));
        sum.add(-1);
        assert_eq!(sum.digits(), None);
    }
}

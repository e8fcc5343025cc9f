//! Numbers that look random: the same after the same seed, on every machine. In: a seed. Out: integers below a bound.
//! A counter of odd steps whose value is mixed by shifts and products (known as SplitMix64); enough for rows, and for nothing secret.

/// The state.
pub(super) struct Random(u64);

impl Random {
    /// Starts at a seed; every seed is good.
    pub(super) fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// A number from 0 to below the bound, which is at most 2^31.
    pub(super) fn below(&mut self, bound: i64) -> i64 {
        // 31 bits are left, which always fit.
        i64::try_from(self.next() >> 33).unwrap_or_default() % bound.max(1)
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: i64) -> bool {
        self.below(times) == 0
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_of_a_seed_are_those_that_others_publish() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_stay_below_the_bound() {
        let mut random = Random::new(0);
        let numbers: Vec<i64> = (0..1000).map(|_| random.below(3)).collect();
        assert!(numbers.iter().all(|number| (0..3).contains(number)));
        assert!((0..3).all(|number| numbers.contains(&number)));
    }
}

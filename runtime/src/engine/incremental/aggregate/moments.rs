//! Variances, covariances and correlation of doubles, by running means (Welford), which do not cancel.
//! In: numbers or pairs of them. Out: NULL where there are too few.

use unisono_compiler::function::AggregateFunction;

use super::super::Value;

/// Count, mean and sum of squared distances from it.
#[derive(Clone, Copy, Default, Debug)]
pub(in super::super) struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    pub(super) fn add(&mut self, x: f64) {
        self.count += 1.0;
        let before = x - self.mean;
        self.mean += before / self.count;
        self.squares += before * (x - self.mean);
    }

    pub(super) fn finish(self, function: AggregateFunction) -> Value {
        let sample = matches!(function, AggregateFunction::StddevSamp | AggregateFunction::VarSamp);
        let Some(variance) = over(self.squares, self.count, sample) else { return Value::Null };
        match function {
            AggregateFunction::StddevSamp | AggregateFunction::StddevPop => Value::Float(variance.sqrt()),
            _ => Value::Float(variance),
        }
    }
}

/// The same for pairs.
#[derive(Clone, Copy, Default, Debug)]
pub(in super::super) struct Pairs {
    x: Moments,
    y: Moments,
    products: f64,
}

impl Pairs {
    pub(super) fn add(&mut self, x: f64, y: f64) {
        let before = x - self.x.mean;
        self.x.add(x);
        self.y.add(y);
        self.products += before * (y - self.y.mean);
    }

    pub(super) fn finish(self, function: AggregateFunction) -> Value {
        let value = match function {
            AggregateFunction::CovarPop => over(self.products, self.x.count, false),
            AggregateFunction::CovarSamp => over(self.products, self.x.count, true),
            // Without a spread in both there is no correlation.
            _ => {
                let spread = (self.x.squares * self.y.squares).sqrt();
                (spread != 0.0 && self.x.count > 1.0).then(|| self.products / spread)
            }
        };
        value.map_or(Value::Null, Value::Float)
    }
}

/// Divided by the count, or by one less for a sample.
fn over(sum: f64, count: f64, sample: bool) -> Option<f64> {
    let divisor = if sample { count - 1.0 } else { count };
    (divisor > 0.0).then(|| sum / divisor)
}

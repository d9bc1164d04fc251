//! Confidence intervals.

use std::fmt;

use super::chance::MAX_DRAWN;

/// A 95 % confidence interval: computed so that about 95 % of such intervals contain the true value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// How often a bootstrap draws.
const DRAWS: usize = 2000;

impl Interval {
    /// Returns the interval of a rate, by Wilson's score (Wilson 1927, *Probable Inference, the Law of Succession, and
    /// Statistical Inference*), in a sample of this size. In none, it is everything.
    #[must_use]
    pub fn wilson(rate: f64, sample: usize) -> Self {
        if sample == 0 {
            return Self { low: 0.0, high: 1.0 };
        }
        let count = sample as f64;
        let weight = Z * Z / count;
        let center = (rate + weight / 2.0) / (1.0 + weight);
        let half =
            Z / (1.0 + weight) * (rate * (1.0 - rate) / count + weight / (4.0 * count)).sqrt();
        Self { low: (center - half).max(0.0), high: (center + half).min(1.0) }
    }

    /// Returns the interval of the mean of paired differences, by the percentiles of a bootstrap over the pairs. The
    /// same differences always have the same interval. Of many pairs, it is that of the normal distribution, which the mean then
    /// has.
    pub(crate) fn from_differences(differences: &[f64]) -> Self {
        let count = differences.len();
        if count == 0 {
            return Self { low: 0.0, high: 0.0 };
        }
        if count > MAX_DRAWN {
            let mean = differences.iter().sum::<f64>() / count as f64;
            let square = |each: &f64| (each - mean) * (each - mean);
            let half = Z * differences.iter().map(square).sum::<f64>().sqrt() / count as f64;
            return Self { low: mean - half, high: mean + half };
        }
        let mut random = fastrand::Rng::with_seed(0);
        let mut mean = || {
            let drawn = (0..count).map(|_| differences[random.usize(..count)]);
            drawn.sum::<f64>() / count as f64
        };
        let mut means: Vec<f64> = (0..DRAWS).map(|_| mean()).collect();
        means.sort_unstable_by(f64::total_cmp);
        let tail = DRAWS / 40;
        Self { low: means[tail], high: means[DRAWS - 1 - tail] }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} to {:.0} %", self.low * 100.0, self.high * 100.0)
    }
}

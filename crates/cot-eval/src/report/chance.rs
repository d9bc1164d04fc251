//! How probable a difference is by chance.

/// The number of differences up to which all signs are tried.
const MAX_EXACT: usize = 14;
/// How often signs are drawn for more differences.
const DRAWS: usize = 10_000;

/// The number of differences up to which signs are drawn. Above, the sum of so many is normal.
pub(super) const MAX_DRAWN: usize = 1000;

/// Returns the probability that paired differences of this mean, or a larger one, arise if each is as likely positive as
/// negative (a two-sided sign-flip permutation test). The same differences always have the same probability.
pub(super) fn chance(differences: &[f64]) -> f64 {
    let changed: Vec<f64> = differences.iter().copied().filter(|each| *each != 0.0).collect();
    let sum: f64 = changed.iter().sum();
    if changed.len() > MAX_DRAWN {
        let deviation = changed.iter().map(|each| each * each).sum::<f64>().sqrt();
        return erfc(sum.abs() / deviation / std::f64::consts::SQRT_2);
    }
    // Sums of the same numbers in another order differ a little.
    let least = sum.abs() - 1e-9;
    let is_as_large = |signs: &mut dyn FnMut() -> bool| {
        let flipped = changed.iter().map(|each| if signs() { *each } else { -each });
        flipped.sum::<f64>().abs() >= least
    };
    if changed.len() <= MAX_EXACT {
        let all = 1_u32 << changed.len();
        let as_large = (0..all).filter(|choice| {
            let mut bits = *choice;
            is_as_large(&mut || {
                let bit = bits & 1 == 1;
                bits >>= 1;
                bit
            })
        });
        return as_large.count() as f64 / f64::from(all);
    }
    let mut random = fastrand::Rng::with_seed(0);
    let as_large = (0..DRAWS).filter(|_| is_as_large(&mut || random.bool())).count();
    (as_large + 1) as f64 / (DRAWS + 1) as f64
}

/// Returns the complementary error function of a number that is not negative, to seven digits (Press et al., *Numerical
/// Recipes in C*, section 6.2).
fn erfc(x: f64) -> f64 {
    const SERIES: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let t = 1.0 / (1.0 + x / 2.0);
    let sum = SERIES.iter().rev().fold(0.0, |sum, factor| sum * t + factor);
    t * (sum - x * x).exp()
}

/// Corrects the probabilities of several figures, of which one is the smaller by chance the more there are (Holm 1979, *A
/// Simple Sequentially Rejective Multiple Test Procedure*).
pub(super) fn correct_for_number(chances: &mut [&mut f64]) {
    let count = chances.len();
    chances.sort_unstable_by(|a, b| a.total_cmp(b));
    let mut largest = 0.0_f64;
    for (rank, chance) in chances.iter_mut().enumerate() {
        largest = largest.max((**chance * (count - rank) as f64).min(1.0));
        **chance = largest;
    }
}

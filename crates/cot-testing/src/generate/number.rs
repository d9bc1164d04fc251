//! Generates numbers.

use serde_json::{Number, Value};

use crate::{
    random::Random,
    shape::numbers::{Numbers, Step},
};

/// Generates a number within bounds: mostly a small one, sometimes a bound itself, or any number between.
pub(super) fn generate(numbers: &Numbers, random: &mut Random) -> Value {
    match numbers.step {
        Some(step) => multiple(numbers, step, random),
        None if numbers.whole => whole(numbers.range, random).into_value(),
        None => float(numbers, random),
    }
}

/// Generates a small number, as in common texts.
pub(super) fn small(random: &mut Random) -> Value {
    match random.between(0, 300) {
        whole if whole < 200 => whole.into(),
        rest => (rest as f64 / 8.0).into(),
    }
}

/// The maximum distance of small numbers from the nearest bound, or from 0.
const SMALL: i128 = 100;

fn whole((low, high): (i128, i128), random: &mut Random) -> i128 {
    let near = 0.clamp(low, high);
    let (below, above) = (low.max(near - SMALL), high.min(near + SMALL));
    match random.below(10) {
        0 => low,
        1 => high,
        2 => near,
        3 | 4 => random.integer(low, high),
        5 => random.integer(below, above),
        _ => random.integer(near, above),
    }
}

fn multiple(numbers: &Numbers, step: Step, random: &mut Random) -> Value {
    let (low, high) = if numbers.whole {
        let (low, high) = numbers.range;
        (ceiling(low, step.digits), high.div_euclid(step.digits))
    } else {
        ((numbers.low / step.size()).ceil() as i128, (numbers.high / step.size()).floor() as i128)
    };
    // Above this bound, floats are not exact multiples of a step.
    let bound = if numbers.whole { i128::MAX } else { 1 << 40 };
    let count = whole((low.max(-bound), high.min(bound)), random);
    step.times(count).unwrap_or_default()
}

fn ceiling(number: i128, by: i128) -> i128 {
    -((-number).div_euclid(by))
}

fn float(numbers: &Numbers, random: &mut Random) -> Value {
    let number = match random.below(10) {
        0 => numbers.low,
        1 => numbers.high,
        2 => 0.0,
        3 | 4 => between(numbers.low, numbers.high, random.fraction()),
        5 | 6 => return near(numbers, random),
        _ => round(between(numbers.low.max(-1e4), numbers.high.min(1e4), random.fraction())),
    };
    let number = if numbers.holds(number) { number } else { near_value(numbers, random) };
    let limit = if numbers.single { f64::from(f32::MAX) } else { f64::MAX };
    Number::from_f64(number.clamp(-limit, limit)).map_or(Value::Null, Value::Number)
}

/// Generates a whole number as an integer, if the bounds contain one.
fn near(numbers: &Numbers, random: &mut Random) -> Value {
    let low = numbers.low.ceil().max(i64::MIN as f64) as i128;
    let high = numbers.high.floor().min(i64::MAX as f64) as i128;
    if low > high {
        return Number::from_f64(near_value(numbers, random)).map_or(Value::Null, Value::Number);
    }
    whole((low, high), random).into_value()
}

/// Generates a number that is certainly within the bounds.
fn near_value(numbers: &Numbers, random: &mut Random) -> f64 {
    between(numbers.low.max(-1e6), numbers.high.min(1e6), random.fraction())
        .clamp(numbers.low, numbers.high)
}

/// Interpolates without overflow.
fn between(low: f64, high: f64, share: f64) -> f64 {
    low * (1.0 - share) + high * share
}

fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

trait IntoValue {
    fn into_value(self) -> Value;
}

impl IntoValue for i128 {
    fn into_value(self) -> Value {
        Number::from_i128(self).map_or(Value::Null, Value::Number)
    }
}

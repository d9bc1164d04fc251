//! Numbers that a schema accepts.

use serde_json::{Number, Value};

/// Numbers within bounds.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    /// Whether only integers are accepted.
    pub(crate) whole: bool,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The inclusive range of integers, exact where floats are not.
    pub(crate) range: (i128, i128),
    pub(crate) step: Option<Step>,
    /// Whether the numbers must be exact in single precision.
    pub(crate) single: bool,
}

/// The step of `multipleOf`: `digits` times ten to the power of minus `decimals`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) digits: i128,
    pub(crate) decimals: u32,
}

/// The bounds of numbers, collected from keywords.
#[derive(Debug)]
pub(super) struct Bounds {
    low: f64,
    high: f64,
    range: (i128, i128),
    step: Option<Step>,
    single: bool,
}

/// The integers that a JSON number in `serde_json` represents exactly.
const WHOLE: (i128, i128) = (i64::MIN as i128, u64::MAX as i128);
/// The ranges of the integer formats of `schemars`.
const FORMATS: [(&str, i128, i128); 10] = [
    ("int8", i8::MIN as i128, i8::MAX as i128),
    ("int16", i16::MIN as i128, i16::MAX as i128),
    ("int32", i32::MIN as i128, i32::MAX as i128),
    ("int64", i64::MIN as i128, i64::MAX as i128),
    // `int` and `uint` have the range of the narrower platform.
    ("int", i32::MIN as i128, i32::MAX as i128),
    ("uint8", 0, u8::MAX as i128),
    ("uint16", 0, u16::MAX as i128),
    ("uint32", 0, u32::MAX as i128),
    ("uint64", 0, u64::MAX as i128),
    ("uint", 0, u32::MAX as i128),
];

impl Default for Bounds {
    fn default() -> Self {
        let (low, high) = (f64::MIN, f64::MAX);
        Self { low, high, range: WHOLE, step: None, single: false }
    }
}

impl Bounds {
    pub(super) fn at_least(&mut self, limit: &Number, exclusive: bool) {
        let Some(float) = limit.as_f64() else { return };
        let float_low = if exclusive { float.next_up() } else { float };
        self.low = self.low.max(float_low);
        let next = |whole: i128| if exclusive { whole + 1 } else { whole };
        self.range.0 =
            self.range.0.max(limit.as_i128().map_or_else(|| float_low.ceil() as i128, next));
    }

    pub(super) fn at_most(&mut self, limit: &Number, exclusive: bool) {
        let Some(float) = limit.as_f64() else { return };
        let float_high = if exclusive { float.next_down() } else { float };
        self.high = self.high.min(float_high);
        let next = |whole: i128| if exclusive { whole - 1 } else { whole };
        self.range.1 =
            self.range.1.min(limit.as_i128().map_or_else(|| float_high.floor() as i128, next));
    }

    pub(super) fn multiple_of(&mut self, step: &Number) {
        self.step = Step::parse(&step.to_string()).or(self.step);
    }

    pub(super) fn apply_format(&mut self, format: &str) {
        if let Some((_, low, high)) = FORMATS.iter().find(|(name, ..)| *name == format) {
            self.range = (self.range.0.max(*low), self.range.1.min(*high));
        }
        self.single |= format == "float";
    }

    /// Returns the numbers within the bounds; `None` if there are none.
    pub(super) fn numbers(self, whole: bool) -> Option<Numbers> {
        let Self { low, high, range, step, single } = self;
        let is_empty = if whole { range.0 > range.1 } else { low > high };
        (!is_empty).then_some(Numbers { whole, low, high, range, step, single })
    }
}

impl Numbers {
    /// Returns whether a number is within the bounds.
    pub(crate) fn holds(&self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }
}

impl Step {
    /// Parses a positive decimal number, such as `0.05` or `1e-3`.
    fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        let mut decimals = fraction.len() as i64 - exponent.parse::<i64>().ok()?;
        while decimals < 0 || (decimals > 0 && digits % 10 == 0) {
            digits = if decimals < 0 { digits.checked_mul(10)? } else { digits / 10 };
            decimals += if decimals < 0 { 1 } else { -1 };
        }
        // Powers of ten are exact only up to this exponent.
        let decimals = u32::try_from(decimals).ok().filter(|decimals| *decimals <= 22)?;
        (digits > 0).then_some(Self { digits, decimals })
    }

    /// Returns the size of the step.
    pub(crate) fn size(self) -> f64 {
        self.digits as f64 / self.scale()
    }

    /// Returns a multiple of the step as a JSON number: the float nearest to the exact decimal number.
    pub(crate) fn times(self, count: i128) -> Option<Value> {
        let digits = self.digits.checked_mul(count)?;
        if self.decimals == 0 {
            return Number::from_i128(digits).map(Value::Number);
        }
        Number::from_f64(digits as f64 / self.scale()).map(Value::Number)
    }

    fn scale(self) -> f64 {
        (0..self.decimals).fold(1.0, |scale, _| scale * 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_decimals() {
        let step = |digits, decimals| Some(Step { digits, decimals });
        assert_eq!(Step::parse("0.05"), step(5, 2));
        assert_eq!(Step::parse("5"), step(5, 0));
        assert_eq!(Step::parse("10.0"), step(10, 0));
        assert_eq!(Step::parse("1e-3"), step(1, 3));
        assert_eq!(Step::parse("2.5E2"), step(250, 0));
        assert_eq!(Step::parse("0"), None);
        assert_eq!(Step::parse("1e99"), None);
        assert_eq!(Step::parse("-1"), None);
        assert_eq!(step(1, 1).unwrap().times(3), Some(serde_json::json!(0.3)));
    }

    #[test]
    fn bounds_are_exact_at_the_ends_of_integers() {
        let mut bounds = Bounds::default();
        bounds.at_least(&i64::MIN.into(), true);
        bounds.at_most(&i64::MAX.into(), true);
        let numbers = bounds.numbers(true).unwrap();
        assert_eq!(numbers.range, (i128::from(i64::MIN) + 1, i128::from(i64::MAX) - 1));
        let mut none = Bounds::default();
        none.at_least(&1.into(), true);
        none.at_most(&2.into(), true);
        assert!(none.numbers(true).is_none());
    }
}

//! The number of a step.

use std::{error::Error, fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number that a step has in its text: a whole number of any size, as models count as they like.
///
/// In JSON it is a number, and a string of digits where it is beyond 64 bits.
///
/// ```
/// use cot_core::reasoning::StepNumber;
///
/// let number: StepNumber = "007".parse()?;
/// assert_eq!(number, StepNumber::from(7));
/// let large: StepNumber = "100000000000000000000".parse()?;
/// assert_eq!((large.as_u64(), large.to_string().len()), (None, 21));
/// # Ok::<(), cot_core::reasoning::ParseStepNumberError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(description = "The number of the step; beyond 64 bits, a string of its digits.")]
#[serde(try_from = "Written", into = "Written")]
pub struct StepNumber(Size);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Size {
    Small(u64),
    /// The digits of a number beyond 64 bits, without leading zeros.
    Large(Box<str>),
}

/// The error of parsing a step number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ParseStepNumberError;

cot_schema::debug_as_sentence!(ParseStepNumberError);

impl fmt::Display for ParseStepNumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a step number must consist of the digits 0 to 9")
    }
}

impl Error for ParseStepNumberError {}

impl StepNumber {
    /// Returns the number if it fits into 64 bits.
    #[must_use]
    pub const fn as_u64(&self) -> Option<u64> {
        match self.0 {
            Size::Small(number) => Some(number),
            Size::Large(_) => None,
        }
    }
}

impl From<u64> for StepNumber {
    fn from(number: u64) -> Self {
        Self(Size::Small(number))
    }
}

impl FromStr for StepNumber {
    type Err = ParseStepNumberError;

    fn from_str(digits: &str) -> Result<Self, ParseStepNumberError> {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ParseStepNumberError);
        }
        let significant = digits.trim_start_matches('0');
        // A failure means that the number is too large, or that there are only zeros.
        Ok(Self(match significant.parse() {
            Ok(number) => Size::Small(number),
            Err(_) if significant.is_empty() => Size::Small(0),
            Err(_) => Size::Large(significant.into()),
        }))
    }
}

impl fmt::Display for StepNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Size::Small(number) => number.fmt(f),
            Size::Large(digits) => f.write_str(digits),
        }
    }
}

// The number as it stands in JSON.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Digits(String),
}

impl From<StepNumber> for Written {
    fn from(number: StepNumber) -> Self {
        match number.0 {
            Size::Small(number) => Self::Number(number),
            Size::Large(digits) => Self::Digits(digits.into()),
        }
    }
}

impl TryFrom<Written> for StepNumber {
    type Error = ParseStepNumberError;

    fn try_from(written: Written) -> Result<Self, ParseStepNumberError> {
        match written {
            Written::Number(number) => Ok(number.into()),
            Written::Digits(digits) => digits.parse(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_keep_their_value() {
        let max = u64::MAX.to_string();
        let beyond = "18446744073709551616";
        for (digits, shown, json) in [
            ("0", "0", "0"),
            ("000", "0", "0"),
            ("0042", "42", "42"),
            (max.as_str(), max.as_str(), max.as_str()),
            (beyond, beyond, "\"18446744073709551616\""),
        ] {
            let number: StepNumber = digits.parse().unwrap();
            assert_eq!(number.to_string(), shown);
            assert_eq!(number.as_u64(), shown.parse().ok());
            let written = serde_json::to_string(&number).unwrap();
            assert_eq!(written, json);
            assert_eq!(serde_json::from_str::<StepNumber>(&written).unwrap(), number);
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-1", "1.5", "1 ", "٣", "x"] {
            assert_eq!(text.parse::<StepNumber>(), Err(ParseStepNumberError), "{text}");
        }
        for json in ["-1", "1.5", "\"x\"", "null"] {
            assert!(serde_json::from_str::<StepNumber>(json).is_err(), "{json}");
        }
    }
}

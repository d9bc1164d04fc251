//! Days of the calendar, in UTC.

use std::{
    fmt,
    str::FromStr,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

/// A day in UTC, from 1970-01-01 to 9999-12-31. Its text is like `2026-11-23`.
///
/// ```
/// use cot_core::store::Day;
///
/// let day: Day = "2024-02-29".parse()?;
/// assert_eq!((day.number(), day.next().to_string()), (19_782, "2024-03-01".to_owned()));
/// assert!("2023-02-29".parse::<Day>().is_err());
/// # Ok::<(), cot_core::store::ParseDayError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Day(u32);

/// The error of parsing a text that is not a day.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a day: one is like `2026-11-23`, from 1970 to 9999")]
pub struct ParseDayError(String);

cot_schema::debug_as_sentence!(ParseDayError);

const SECONDS: u64 = 24 * 60 * 60;

/// The number of 9999-12-31.
const LAST: u32 = 2_932_896;

impl Day {
    /// Returns the day with this number, counted from 1970-01-01, which has 0. A number beyond the calendar
    /// counts as its last day.
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        Self(if number > LAST { LAST } else { number })
    }

    /// Returns the day of a time. A time before 1970 counts as the first day.
    #[must_use]
    pub fn from_time(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::from_number(u32::try_from(since.as_secs() / SECONDS).unwrap_or(LAST))
    }

    /// Returns the number of days since 1970-01-01.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the time at which the day begins.
    #[must_use]
    pub fn start(self) -> SystemTime {
        let since = Duration::from_secs(u64::from(self.0) * SECONDS);
        // Every day of the calendar is within the range of the clock on all platforms.
        UNIX_EPOCH.checked_add(since).unwrap_or(UNIX_EPOCH)
    }

    /// Returns the following day; of the last day, the day itself.
    #[must_use]
    pub const fn next(self) -> Self {
        Self::from_number(self.0 + 1)
    }

    /// Returns the preceding day; of the first day, the day itself.
    #[must_use]
    pub const fn previous(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// Returns the year, the month and the day of the month.
    #[must_use]
    pub const fn date(self) -> (u32, u32, u32) {
        // Years begin in March, so that the leap day is the last of its year, and in year 0, the first of an
        // era of 400 years.
        let days = self.0 + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = era * 400 + year + if month <= 2 { 1 } else { 0 };
        (year, month, day)
    }

    /// Returns the day of a date, if there is one.
    #[must_use]
    pub const fn from_date(year: u32, month: u32, day: u32) -> Option<Self> {
        if year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31 {
            return None;
        }
        let shifted = if month <= 2 { year - 1 } else { year };
        let (era, of_era) = (shifted / 400, shifted % 400);
        let from_march = if month > 2 { month - 3 } else { month + 9 };
        let of_year = (153 * from_march + 2) / 5 + day - 1;
        let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        let found = Self(days - 719_468);
        let (_, real_month, real_day) = found.date();
        if real_month == month && real_day == day { Some(found) } else { None }
    }
}

impl FromStr for Day {
    type Err = ParseDayError;

    fn from_str(text: &str) -> Result<Self, ParseDayError> {
        let parse = || {
            let mut parts = text.split('-');
            let mut number = |digits: usize| {
                let part = parts.next().filter(|part| part.len() == digits)?;
                let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
                part.parse().ok().filter(|_: &u32| is_number)
            };
            let (year, month, day) = (number(4)?, number(2)?, number(2)?);
            parts.next().is_none().then(|| Self::from_date(year, month, day))?
        };
        parse().ok_or_else(|| ParseDayError(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        f.pad(&format!("{year:04}-{month:02}-{day:02}"))
    }
}

impl TryFrom<String> for Day {
    type Error = ParseDayError;

    fn try_from(text: String) -> Result<Self, ParseDayError> {
        text.parse()
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_the_calendar_is_read_from_its_text() {
        let mut expected = (1970, 1, 1);
        for number in 0..=LAST {
            let day = Day::from_number(number);
            let (year, month, date) = day.date();
            assert_eq!((year, month, date), expected, "{number}");
            assert_eq!(Day::from_date(year, month, date), Some(day));
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + u32::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected = match (month, date) {
                (12, 31) => (year + 1, 1, 1),
                (_, last) if last == length => (year, month + 1, 1),
                _ => (year, month, date + 1),
            };
        }
        assert_eq!(expected, (10_000, 1, 1));
        assert_eq!("9999-12-31".parse(), Ok(Day::from_number(u32::MAX)));
    }

    #[test]
    fn a_day_has_the_times_from_its_start_to_that_of_the_next() {
        let day: Day = "2026-11-23".parse().unwrap();
        assert_eq!(Day::from_time(day.start()), day);
        assert_eq!(Day::from_time(day.next().start() - Duration::from_millis(1)), day);
        assert_eq!(Day::from_time(UNIX_EPOCH - Duration::from_secs(1)), Day::from_number(0));
        assert_eq!(day.next().previous(), day);
        assert_eq!(Day::from_number(0).previous(), Day::from_number(0));
    }

    #[test]
    fn other_texts_are_no_days() {
        for text in [
            "",
            "2026",
            "2026-11",
            "2026-11-3",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026-02-29",
            "2026-11-23-",
            "+026-11-23",
            "1969-12-31",
            "20261123",
            "2026-1１-23",
        ] {
            assert!(text.parse::<Day>().is_err(), "{text}");
        }
    }
}

//! Limits how often passwords can be tried.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// The number of wrong passwords within [`PERIOD`].
const LIMIT: u32 = 10;
const PERIOD: Duration = Duration::from_secs(300);

/// Counts wrong passwords.
#[derive(Default)]
pub(crate) struct Attempts(Mutex<Option<(SystemTime, u32)>>);

impl Attempts {
    /// Returns how long nobody can sign in; `None` if a password may be tried.
    pub(crate) fn locked_for(&self, now: SystemTime) -> Option<Duration> {
        let counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, _) = counted.filter(|(_, wrong)| *wrong >= LIMIT)?;
        let passed = now.duration_since(since).unwrap_or_default();
        PERIOD.checked_sub(passed).filter(|left| !left.is_zero())
    }

    /// Counts a wrong password.
    pub(crate) fn count(&self, now: SystemTime) {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, wrong) = counted.unwrap_or((now, 0));
        let is_over = now.duration_since(since).unwrap_or_default() >= PERIOD;
        *counted = Some(if is_over { (now, 1) } else { (since, wrong + 1) });
    }

    /// Forgets the wrong passwords after a right one.
    pub(crate) fn reset(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_passwords_lock_the_login_for_a_while() {
        let (attempts, now) = (Attempts::default(), SystemTime::UNIX_EPOCH);
        for _ in 0..LIMIT {
            assert_eq!(attempts.locked_for(now), None);
            attempts.count(now);
        }
        let later = now + Duration::from_secs(100);
        assert_eq!(attempts.locked_for(later), Some(Duration::from_secs(200)));
        assert_eq!(attempts.locked_for(now + PERIOD), None);
        attempts.count(now + PERIOD);
        assert_eq!(attempts.locked_for(now + PERIOD), None);
    }
}

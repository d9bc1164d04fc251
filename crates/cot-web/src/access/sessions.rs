//! The table of the sessions that have not ended.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

/// The number of sessions that are open at once. A further one ends the oldest.
const MAX_SESSIONS: usize = 10_000;

/// The sessions that have not ended, by the signatures of their ids, with when they end.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<BTreeMap<String, SystemTime>>);

impl Sessions {
    /// Adds a session that ends at `until`.
    pub(crate) fn open(&self, session: String, now: SystemTime, until: SystemTime) {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|_, until| *until > now);
        if sessions.len() >= MAX_SESSIONS {
            let oldest = sessions.iter().min_by_key(|(_, until)| **until);
            let oldest = oldest.map(|(session, _)| session.clone());
            oldest.and_then(|session| sessions.remove(&session));
        }
        sessions.insert(session, until);
    }

    /// Returns whether a session has not ended.
    pub(crate) fn is_open(&self, session: &str, now: SystemTime) -> bool {
        let sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.get(session).is_some_and(|until| *until > now)
    }

    /// Ends a session: its cookie and all copies of it admit nobody any more.
    pub(crate) fn end(&self, session: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bounded_number_of_sessions_is_open() {
        let (sessions, now) = (Sessions::default(), SystemTime::UNIX_EPOCH);
        let until = |number: u64| now + Duration::from_secs(100 + number);
        for number in 0..=10_000 {
            sessions.open(number.to_string(), now, until(number));
        }
        assert!(!sessions.is_open("0", now) && sessions.is_open("1", now));
        assert!(!sessions.is_open("1", until(1)));
        sessions.open("new".to_owned(), until(20_000), until(30_000));
        assert_eq!(sessions.0.lock().unwrap().len(), 1);
    }
}

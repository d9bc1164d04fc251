//! Limits how often a client can try passwords.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use super::client::Client;

/// The number of wrong passwords of a client within [`PERIOD`].
const LIMIT: u32 = 10;
const PERIOD: Duration = Duration::from_secs(300);
/// The number of clients that are remembered.
const MAX_CLIENTS: usize = 4_096;

/// Counts the wrong passwords of each client.
#[derive(Default)]
pub(crate) struct Attempts(Mutex<BTreeMap<Client, Counted>>);

struct Counted {
    since: SystemTime,
    wrong: u32,
}

impl Attempts {
    /// Counts an attempt of a client as a wrong one, until [`reset`](Self::reset).
    ///
    /// # Errors
    ///
    /// How long the client can't sign in.
    pub(crate) fn count(&self, client: Client, now: SystemTime) -> Result<(), Duration> {
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        clients.retain(|_, counted| counted.left(now).is_some());
        if clients.len() >= MAX_CLIENTS && !clients.contains_key(&client) {
            let oldest = clients.iter().min_by_key(|(_, counted)| counted.since);
            let oldest = oldest.map(|(client, _)| *client);
            oldest.and_then(|client| clients.remove(&client));
        }
        let counted = clients.entry(client).or_insert(Counted { since: now, wrong: 0 });
        if counted.wrong >= LIMIT {
            return Err(counted.left(now).unwrap_or_default());
        }
        counted.wrong += 1;
        Ok(())
    }

    /// Forgets the wrong passwords of a client after a right one.
    pub(crate) fn reset(&self, client: Client) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&client);
    }
}

impl Counted {
    /// Returns the rest of the period; `None` after its end.
    fn left(&self, now: SystemTime) -> Option<Duration> {
        let passed = now.duration_since(self.since).unwrap_or_default();
        PERIOD.checked_sub(passed).filter(|left| !left.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u32) -> Client {
        Client::new(std::net::Ipv4Addr::from_bits(number).into())
    }

    #[test]
    fn wrong_passwords_lock_the_login_of_their_client_for_a_while() {
        let (attempts, now) = (Attempts::default(), SystemTime::UNIX_EPOCH);
        for _ in 0..LIMIT {
            assert_eq!(attempts.count(client(1), now), Ok(()));
        }
        let later = now + Duration::from_secs(100);
        assert_eq!(attempts.count(client(1), later), Err(Duration::from_secs(200)));
        assert_eq!(attempts.count(client(2), later), Ok(()));
        assert_eq!(attempts.count(client(1), now + PERIOD), Ok(()));
    }

    #[test]
    fn a_bounded_number_of_clients_is_remembered() {
        let (attempts, start) = (Attempts::default(), SystemTime::UNIX_EPOCH);
        for number in 0..2 * u32::try_from(MAX_CLIENTS).unwrap() {
            let now = start + Duration::from_millis(number.into());
            assert_eq!(attempts.count(client(number), now), Ok(()));
        }
        let clients = attempts.0.lock().unwrap();
        assert_eq!(clients.len(), MAX_CLIENTS);
        assert!(!clients.contains_key(&client(0)), "the oldest is forgotten first");
    }
}

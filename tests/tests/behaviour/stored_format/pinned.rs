//! Journals without the clock on the wall.

use std::{
    collections::HashMap,
    time::{Duration, SystemTime},
};

use cot_core::store::{Record, Status};

/// The time of the first entry.
const BEGAN: Duration = Duration::from_secs(1_700_000_000);

/// Gives every entry a time by its number, and keeps how long waits are.
pub(super) fn pin(records: &mut [Record]) {
    let mut clock = Clock::default();
    for (number, record) in (0..).zip(records) {
        clock.was = Some(record.at());
        clock.now = BEGAN + Duration::from_secs(number);
        let at = SystemTime::UNIX_EPOCH + clock.now;
        match record {
            Record::Begun(begun) => {
                begun.at = at;
                clock.pin(&mut begun.status, 0);
            }
            Record::Submitted(submitted) => submitted.at = at,
            Record::Event(event) => {
                event.at = at;
                let program = event.asked.as_mut().and_then(|asked| asked.program.as_mut());
                if let Some(program) = program.filter(|it| *it == env!("CARGO_PKG_VERSION")) {
                    "1.2.3".clone_into(program);
                }
            }
            Record::Step(step) => {
                step.at = at;
                clock.pin(&mut step.status, step.steps);
            }
        }
    }
}

#[derive(Default)]
struct Clock {
    was: Option<SystemTime>,
    now: Duration,
    /// When a wait began or ends, by what waits: a later driver that resumes it keeps the time.
    waits: HashMap<String, SystemTime>,
}

impl Clock {
    fn pin(&mut self, status: &mut Status, steps: u64) {
        let now = SystemTime::UNIX_EPOCH + self.now;
        match status {
            Status::Asking { key, since, until, .. } => {
                let limit = until.map(|until| until.duration_since(*since).unwrap());
                *since = *self.waits.entry(key.to_string()).or_insert(now);
                *until = limit.map(|limit| *since + limit);
            }
            Status::Sleeping { task, until } => {
                let length = until.duration_since(self.was.unwrap()).unwrap_or_default();
                let wait = self.waits.entry(format!("{task} {steps}"));
                *until = *wait.or_insert(now + rounded(length));
            }
            _ => {}
        }
    }
}

/// To tenths of seconds: the clock was read twice.
fn rounded(length: Duration) -> Duration {
    let tenths = (length.as_millis() + 50) / 100;
    Duration::from_millis(100 * u64::try_from(tenths).unwrap())
}

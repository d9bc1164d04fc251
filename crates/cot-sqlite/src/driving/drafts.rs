//! Drafts: the replies that models are writing.
//!
//! They are no part of the database, so that they cost no commit. The drafts of a lease are in the memory of the
//! program that holds it, and for other programs in a file beside its lock file, which is replaced without waiting for
//! the disk. Both are gone with the lease.

use std::{
    collections::{BTreeMap, HashMap},
    fs::File,
    io::{self, Write as _},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use cot_store::{Draft, Record, RunId, Status, internal::row};
use rusqlite::Connection;

use crate::{
    driving::{lease, owner::Owners},
    error::{OperationError, failed},
};

/// The minimum time between two files of a lease. A draft that comes earlier is written with the next one.
const INTERVAL: Duration = Duration::from_millis(100);

/// The drafts of the leases that this store holds.
#[derive(Debug, Default)]
pub(crate) struct Drafts {
    leases: Mutex<HashMap<u64, Arc<Mutex<LeaseDrafts>>>>,
    /// The number of leases with drafts.
    count: AtomicUsize,
}

/// The drafts that are gone when records are appended.
#[derive(Debug, Default)]
pub(crate) struct TakenDrafts {
    keys: Vec<String>,
    /// Whether the run ends.
    all: bool,
}

/// The drafts of a lease.
#[derive(Debug, Default)]
pub(crate) struct LeaseDrafts {
    drafts: BTreeMap<String, Draft>,
    /// When the file was written, if there is one.
    written: Option<Instant>,
    /// Whether the lease has been released.
    is_over: bool,
}

impl Drafts {
    /// Returns whether there may be drafts. Costs nothing.
    pub(crate) fn may_exist(&self) -> bool {
        self.count.load(Ordering::Acquire) > 0
    }

    /// Adds or replaces a draft, or removes it if it is empty. Returns the drafts of the lease if their file is to be
    /// written.
    pub(crate) fn put(&self, epoch: u64, draft: Draft) -> Option<Arc<Mutex<LeaseDrafts>>> {
        let lease = {
            let mut leases = self.lock();
            let lease = Arc::clone(leases.entry(epoch).or_default());
            self.count.store(leases.len(), Ordering::Release);
            lease
        };
        let mut drafts = lock(&lease);
        let key = draft.key.to_string();
        let is_due = if draft.is_empty() {
            drafts.drafts.remove(&key).is_some()
        } else {
            drafts.drafts.insert(key, draft);
            drafts.written.is_none_or(|written| written.elapsed() >= INTERVAL)
        };
        drop(drafts);
        is_due.then_some(lease)
    }

    /// Returns what these records do to drafts. Costs nothing without drafts.
    pub(crate) fn taken_by(&self, records: &[Record]) -> TakenDrafts {
        if !self.may_exist() {
            return TakenDrafts::default();
        }
        let ends = |record: &Record| record.status().is_some_and(Status::is_ended);
        let keys = records.iter().filter_map(row::asked).map(|asked| asked.key.to_string());
        TakenDrafts { keys: keys.collect(), all: records.iter().any(ends) }
    }

    /// Removes drafts. Returns those of the lease if their file is to be written.
    pub(crate) fn take(
        &self,
        owners: &Owners,
        epoch: u64,
        taken: TakenDrafts,
    ) -> Option<Arc<Mutex<LeaseDrafts>>> {
        if taken.all {
            self.remove(owners, epoch);
            return None;
        }
        if taken.keys.is_empty() {
            return None;
        }
        let lease = Arc::clone(self.lock().get(&epoch)?);
        let mut drafts = lock(&lease);
        let count = drafts.drafts.len();
        taken.keys.iter().for_each(|key| drop(drafts.drafts.remove(key)));
        let is_changed = drafts.drafts.len() < count;
        drop(drafts);
        is_changed.then_some(lease)
    }

    /// Removes the drafts of a lease, with their file.
    pub(crate) fn remove(&self, owners: &Owners, epoch: u64) {
        let lease = {
            let mut leases = self.lock();
            let lease = leases.remove(&epoch);
            self.count.store(leases.len(), Ordering::Release);
            lease
        };
        if let Some(lease) = lease {
            let mut drafts = lock(&lease);
            drafts.is_over = true;
            drafts.remove_file(owners, epoch);
        }
    }

    fn list(&self, epoch: u64) -> Vec<Draft> {
        let lease = self.lock().get(&epoch).cloned();
        lease.map_or_else(Vec::new, |lease| lock(&lease).drafts.values().cloned().collect())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Arc<Mutex<LeaseDrafts>>>> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn lock(lease: &Mutex<LeaseDrafts>) -> MutexGuard<'_, LeaseDrafts> {
    lease.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LeaseDrafts {
    /// Writes the file of the drafts, or removes it if there are none.
    fn write(&mut self, owners: &Owners, epoch: u64) -> io::Result<()> {
        if self.is_over {
            return Ok(());
        }
        if self.drafts.is_empty() {
            self.remove_file(owners, epoch);
            return Ok(());
        }
        self.written = Some(Instant::now());
        let drafts: Vec<&Draft> = self.drafts.values().collect();
        owners.replace_drafts(epoch, |file| file.write_all(&serde_json::to_vec(&drafts)?))
    }

    fn remove_file(&mut self, owners: &Owners, epoch: u64) {
        if self.written.take().is_some() {
            owners.remove_drafts(epoch);
        }
    }
}

/// Writes the file of the drafts of a lease.
pub(crate) fn write(
    drafts: &Mutex<LeaseDrafts>,
    owners: &Owners,
    epoch: u64,
) -> Result<(), OperationError> {
    lock(drafts).write(owners, epoch).map_err(lease::lock_file_error)
}

/// Reads the drafts of a run, which its driver has: this program or another.
pub(crate) fn read(
    connection: &Connection,
    owners: &Owners,
    drafts: &Drafts,
    run: &RunId,
) -> Result<Vec<Draft>, OperationError> {
    let Some((owner, epoch)) = lease::find(connection, run)? else { return Ok(Vec::new()) };
    // If it is not known whether another owner lives, what it has written is shown.
    if matches!(owners.holder(&owner, epoch), Ok(None)) {
        return Ok(Vec::new());
    }
    if owners.is_own(&owner) {
        return Ok(drafts.list(epoch));
    }
    let file = match File::open(owners.drafts_path(&owner, epoch)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(READING, ": their file can't be opened", error).into()),
    };
    serde_json::from_reader(io::BufReader::new(file))
        .map_err(|error| failed(READING, ": their file can't be read", error).into())
}

pub(crate) const READING: &str = "reading drafts";

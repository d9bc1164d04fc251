//! The open stores that own leases, and whether they are alive.
//!
//! Each open store that drives runs has its own file beside the database and holds a lock on it. The
//! operating system releases the lock when the program dies, however it dies, so other programs can
//! take over its runs without waiting for a timeout.

use std::{
    collections::BTreeSet,
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    process,
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// The owners of leases: this store, and the others by their lock files.
#[derive(Debug)]
pub(crate) struct Owners {
    /// The database file, whose permissions the folder and the lock files get.
    database: PathBuf,
    /// The folder of lock files beside the database.
    folder: PathBuf,
    /// The owner of this store, created with its first lease.
    own: OnceLock<Owner>,
    /// The epochs of the leases that this store holds. Released leases are removed at once, though the
    /// database is updated a little later.
    held: Mutex<BTreeSet<u64>>,
    /// The newest epoch that this store was given, even if its transaction was rolled back.
    newest: AtomicU64,
}

/// An open store with its lock file. Dropping it removes the file.
#[derive(Debug)]
struct Owner {
    id: String,
    path: PathBuf,
    /// Open, to hold the lock.
    _file: File,
}

impl Owners {
    pub(crate) fn beside(database: &Path) -> Self {
        let mut folder = database.as_os_str().to_owned();
        folder.push(".owners");
        Self {
            database: database.to_owned(),
            folder: folder.into(),
            own: OnceLock::new(),
            held: Mutex::default(),
            newest: AtomicU64::new(0),
        }
    }

    /// Returns the id of this store among the owners; registers it first if necessary.
    pub(crate) fn own_id(&self) -> io::Result<&str> {
        if let Some(me) = self.own.get() {
            return Ok(&me.id);
        }
        let own = self.register()?;
        Ok(&self.own.get_or_init(|| own).id)
    }

    /// Describes the holder of a lease; `None` if the lease is not valid any more.
    ///
    /// # Errors
    ///
    /// Returns an error if the owner's lock file can't be opened or locked, so that it is unknown
    /// whether the owner is alive.
    pub(crate) fn holder(
        &self,
        owner: &str,
        epoch: u64,
    ) -> Result<Option<String>, UnknownHolderError> {
        if self.is_own(owner) {
            let is_held = self.held().contains(&epoch);
            return Ok(is_held.then(|| "this program".to_owned()));
        }
        let process = owner.split('-').next().unwrap_or(owner);
        let is_alive = self.is_alive(owner).map_err(|source| UnknownHolderError {
            process: process.to_owned(),
            path: self.path(owner),
            source,
        })?;
        Ok(is_alive.then(|| format!("process {process}")))
    }

    /// Returns whether an owner is this store.
    pub(crate) fn is_own(&self, owner: &str) -> bool {
        self.own.get().is_some_and(|me| me.id == owner)
    }

    pub(crate) fn newest(&self) -> u64 {
        self.newest.load(Ordering::Acquire)
    }

    pub(crate) fn hold(&self, epoch: u64) {
        self.newest.fetch_max(epoch, Ordering::AcqRel);
        self.held().insert(epoch);
    }

    pub(crate) fn forget(&self, epoch: u64) {
        self.held().remove(&epoch);
    }

    /// Returns whether this store holds exactly one lease.
    pub(crate) fn is_alone(&self) -> bool {
        self.held().len() == 1
    }

    fn held(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates an owner and removes the files of dead ones.
    fn register(&self) -> io::Result<Owner> {
        self.make_folder()?;
        self.remove_stale_locks()?;
        loop {
            if let Some(owner) = self.try_register()? {
                return Ok(owner);
            }
        }
    }

    fn make_folder(&self) -> io::Result<()> {
        match fs::create_dir(&self.folder) {
            Ok(()) => {
                rights::share(&self.database, &File::open(&self.folder)?);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Creates a lock file. Returns `None` if another program removed it as stale before it was locked.
    fn try_register(&self) -> io::Result<Option<Owner>> {
        let id = format!("{}-{:016x}", process::id(), fastrand::u64(..));
        let path = self.path(&id);
        let file = File::options().write(true).create_new(true).open(&path)?;
        rights::share(&self.database, &file);
        match file.try_lock() {
            Ok(()) if path.exists() => Ok(Some(Owner { id, path, _file: file })),
            Ok(()) | Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Returns whether an owner's program is alive and has its store open.
    fn is_alive(&self, id: &str) -> io::Result<bool> {
        Ok(matches!(self.lock_state(id)?, LockState::Alive))
    }

    /// Reads the state of an owner's lock. Uses a shared lock, so that concurrent checks do not mistake
    /// each other for the owner.
    fn lock_state(&self, id: &str) -> io::Result<LockState> {
        let file = match File::open(self.path(id)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(LockState::Missing),
            Err(error) => return Err(error),
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(LockState::Stale(file)),
            Err(TryLockError::WouldBlock) => Ok(LockState::Alive),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Removes the lock files of dead owners, and their drafts.
    fn remove_stale_locks(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            let Some(id) = name.strip_suffix(SUFFIX) else {
                if let Some((id, _)) = name.split_once('.')
                    && let Ok(LockState::Missing | LockState::Stale(_)) = self.lock_state(id)
                {
                    // Another program may have removed it already.
                    let _ = fs::remove_file(self.folder.join(name));
                }
                continue;
            };
            // The shared lock is held during the removal: a program that just created this file can't
            // lock it and creates another. Files that can't be opened are left to their users.
            if let Ok(LockState::Stale(_locked)) = self.lock_state(id) {
                // Another program may have removed it already.
                let _ = fs::remove_file(self.path(id));
            }
        }
        Ok(())
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}{SUFFIX}"))
    }

    /// Returns whether this store holds a lease.
    pub(crate) fn holds(&self, epoch: u64) -> bool {
        self.held().contains(&epoch)
    }

    /// Replaces the file with the drafts of a lease of this store, without waiting for the disk.
    pub(crate) fn replace_drafts(
        &self,
        epoch: u64,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        let path = self.drafts_path(self.own_id()?, epoch);
        let new = path.with_extension("new");
        let mut file = File::create(&new)?;
        rights::share(&self.database, &file);
        write(&mut file)?;
        fs::rename(new, path)
    }

    pub(crate) fn remove_drafts(&self, epoch: u64) {
        if let Some(own) = self.own.get() {
            let path = self.drafts_path(&own.id, epoch);
            // A file that remains is removed when its owner is gone.
            let _ = fs::remove_file(path.with_extension("new"));
            let _ = fs::remove_file(path);
        }
    }

    /// Returns the path of the file with the drafts of a lease.
    pub(crate) fn drafts_path(&self, owner: &str, epoch: u64) -> PathBuf {
        self.folder.join(format!("{owner}.{epoch}.drafts"))
    }
}

const SUFFIX: &str = ".lock";

/// The error for an owner whose lock file can't be checked.
#[derive(Debug, thiserror::Error)]
#[error(
    "it is unknown whether process {process} is still alive, as its lock file `{}` can't be opened: {source}",
    path.display()
)]
pub(crate) struct UnknownHolderError {
    process: String,
    path: PathBuf,
    source: io::Error,
}

/// The state of an owner's lock file.
enum LockState {
    /// The file does not exist.
    Missing,
    /// The file is not locked by its owner. Keeping the value keeps a shared lock.
    Stale(File),
    Alive,
}

impl Drop for Owner {
    fn drop(&mut self) {
        // A file that remains is unlocked and counts as stale.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
mod rights {
    use std::{
        fs::{self, File, Permissions},
        io,
        os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown},
        path::Path,
    };

    /// Gives a file or folder the permissions of the database, as SQLite does with its own files, so
    /// that all users of the database can use it. Errors are ignored: some file systems have no
    /// permissions, and few programs may change the owner of a file.
    pub(super) fn share(database: &Path, file: &File) {
        // If it fails, opening the file reports the error.
        let _ = try_share(database, file);
    }

    fn try_share(database: &Path, file: &File) -> io::Result<()> {
        let like = fs::metadata(database)?;
        let mut mode = like.mode() & 0o666;
        if file.metadata()?.is_dir() {
            // Readers of the database must be able to enter the folder, and writers to create files in
            // it.
            mode |= (mode & 0o444) >> 2;
        }
        let (user, group) = (Some(like.uid()), Some(like.gid()));
        // Only root can change the user of a file; others can change its group.
        let _ = fchown(file, user, group).or_else(|_| fchown(file, None, group));
        file.set_permissions(Permissions::from_mode(mode))
    }
}

#[cfg(not(unix))]
mod rights {
    use std::{fs::File, path::Path};

    /// Does nothing: files inherit the permissions of the folder.
    pub(super) const fn share(_database: &Path, _file: &File) {}
}

#[cfg(test)]
mod tests {
    use std::{sync::Barrier, thread};

    use super::*;

    /// Each owner removes stale files while the others register.
    #[test]
    fn whoever_enters_keeps_its_file() {
        let place = tempfile::tempdir().unwrap();
        let database = place.path().join("runs.db");
        let together = Barrier::new(8);
        let enter = || {
            together.wait();
            (0..50).map(|_| Owners::beside(&database).register().unwrap()).collect::<Vec<_>>()
        };
        let entered: Vec<Owner> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(enter)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        let looker = Owners::beside(&database);
        let lost = entered.iter().filter(|owner| !looker.is_alive(&owner.id).unwrap()).count();
        assert_eq!(lost, 0, "of {} owners", entered.len());
    }
}

//! Which open stores are alive.
//!
//! Each open store that drives runs has a file of its own beside the database and holds a lock on it. The
//! operating system drops the lock when the program dies, however it dies, so that nobody has to wait for
//! a time-out before taking over its runs.

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

/// Who drives runs: this store, and what it can tell of others.
#[derive(Debug)]
pub(crate) struct Owners {
    /// The database; what is made beside it gets its rights.
    database: PathBuf,
    /// The folder of owners' files beside the database.
    folder: PathBuf,
    /// This store, from its first lease on.
    me: OnceLock<Owner>,
    /// The leases of this store that somebody holds. One that was given back counts no more at once, though
    /// the database may say so a little later.
    held: Mutex<BTreeSet<u64>>,
    /// The newest lease that this store was given, whether or not anything came of it.
    newest: AtomicU64,
}

/// An open store, alive for as long as this lives.
#[derive(Debug)]
struct Owner {
    id: String,
    path: PathBuf,
    /// Holds the lock.
    _file: File,
}

impl Owners {
    pub(crate) fn beside(database: &Path) -> Self {
        let mut folder = database.as_os_str().to_owned();
        folder.push(".owners");
        Self {
            database: database.to_owned(),
            folder: folder.into(),
            me: OnceLock::new(),
            held: Mutex::default(),
            newest: AtomicU64::new(0),
        }
    }

    /// The name of this store among the owners.
    pub(crate) fn me(&self) -> io::Result<&str> {
        if let Some(me) = self.me.get() {
            return Ok(&me.id);
        }
        let me = self.enter()?;
        Ok(&self.me.get_or_init(|| me).id)
    }

    /// Who holds a lease, in words; `None` when it is worth nothing any more.
    ///
    /// # Errors
    ///
    /// When the lock file of the owner can't be opened or locked, so that it may be alive or dead.
    pub(crate) fn holder(&self, owner: &str, epoch: u64) -> Result<Option<String>, UnknownHolder> {
        if self.me.get().is_some_and(|me| me.id == owner) {
            let is_held = self.held().contains(&epoch);
            return Ok(is_held.then(|| "this program".to_owned()));
        }
        let process = owner.split('-').next().unwrap_or(owner);
        let is_alive = self.is_alive(owner).map_err(|source| UnknownHolder {
            process: process.to_owned(),
            path: self.path(owner),
            source,
        })?;
        Ok(is_alive.then(|| format!("process {process}")))
    }

    pub(crate) fn newest(&self) -> u64 {
        self.newest.load(Ordering::Acquire)
    }

    pub(crate) fn hold(&self, epoch: u64) {
        self.newest.fetch_max(epoch, Ordering::AcqRel);
        self.held().insert(epoch);
    }

    pub(crate) fn let_go(&self, epoch: u64) {
        self.held().remove(&epoch);
    }

    /// Whether this store drives one run and no more.
    pub(crate) fn is_alone(&self) -> bool {
        self.held().len() == 1
    }

    fn held(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes an owner, and clears away the files of those that died.
    fn enter(&self) -> io::Result<Owner> {
        self.make_folder()?;
        self.bury_dead()?;
        loop {
            if let Some(owner) = self.try_enter()? {
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

    /// None when somebody took the file for that of a dead owner, before it was locked.
    fn try_enter(&self) -> io::Result<Option<Owner>> {
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

    /// Whether an owner's program lives and has its store open.
    fn is_alive(&self, id: &str) -> io::Result<bool> {
        Ok(matches!(self.look(id)?, Look::Alive))
    }

    /// Those who look take a shared lock, so that they don't take each other for the owner.
    fn look(&self, id: &str) -> io::Result<Look> {
        let file = match File::open(self.path(id)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Look::Gone),
            Err(error) => return Err(error),
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(Look::Dead(file)),
            Err(TryLockError::WouldBlock) => Ok(Look::Alive),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn bury_dead(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            let Some(id) = name.to_str().and_then(|name| name.strip_suffix(SUFFIX)) else {
                continue;
            };
            // The lock is kept meanwhile: who has just made this file can't lock it now, and makes another.
            // One that can't be opened is another user's to clear away.
            if let Ok(Look::Dead(_locked)) = self.look(id) {
                // Somebody else may have been quicker.
                let _ = fs::remove_file(self.path(id));
            }
        }
        Ok(())
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}{SUFFIX}"))
    }
}

const SUFFIX: &str = ".lock";

/// Whether somebody holds a lease can't be determined.
#[derive(Debug, thiserror::Error)]
#[error(
    "it is unknown whether process {process} is still alive, as its lock file `{}` can't be opened: {source}",
    path.display()
)]
pub(crate) struct UnknownHolder {
    process: String,
    path: PathBuf,
    source: io::Error,
}

/// What the file of an owner tells.
enum Look {
    /// There is none.
    Gone,
    /// Nobody has it locked but whoever looks, as long as this is kept.
    Dead(File),
    Alive,
}

impl Drop for Owner {
    fn drop(&mut self) {
        // A file that stays behind is unlocked, which is as good as gone.
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

    /// Gives a file or folder the rights of the database, as SQLite does with its own files, so that all who may
    /// use the database may use this too. As far as that is possible: some file systems have no rights, and few
    /// programs may change an owner.
    pub(super) fn share(database: &Path, file: &File) {
        // Where it fails, whoever can't open the file says so.
        let _ = try_share(database, file);
    }

    fn try_share(database: &Path, file: &File) -> io::Result<()> {
        let like = fs::metadata(database)?;
        let mut mode = like.mode() & 0o666;
        if file.metadata()?.is_dir() {
            // Whoever may read the database may go into the folder, and whoever may write to it has to make
            // files there.
            mode |= (mode & 0o444) >> 2;
        }
        let (user, group) = (Some(like.uid()), Some(like.gid()));
        // Only root may give files away; others may give them to their groups.
        let _ = fchown(file, user, group).or_else(|_| fchown(file, None, group));
        file.set_permissions(Permissions::from_mode(mode))
    }
}

#[cfg(not(unix))]
mod rights {
    use std::{fs::File, path::Path};

    /// Files inherit their rights from the folder.
    pub(super) const fn share(_database: &Path, _file: &File) {}
}

#[cfg(test)]
mod tests {
    use std::{sync::Barrier, thread};

    use super::*;

    /// Each clears away what it takes for dead while the others enter.
    #[test]
    fn whoever_enters_keeps_its_file() {
        let place = tempfile::tempdir().unwrap();
        let database = place.path().join("runs.db");
        let together = Barrier::new(8);
        let enter = || {
            together.wait();
            (0..50).map(|_| Owners::beside(&database).enter().unwrap()).collect::<Vec<_>>()
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

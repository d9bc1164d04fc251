//! The check for disk space for the index of the write-ahead log.

use std::path::Path;

use cot_store::StoreError;

/// Fails if the disk has no space for the index of the write-ahead log.
///
/// SQLite maps the index into memory and extends it by writing the last byte of each 4 KB. On a file
/// system with smaller blocks the rest is a hole; if a full disk can't fill it, the operating system
/// ends the program with SIGBUS. So the space is tested before.
#[cfg(unix)]
pub(crate) fn check(database: &Path) -> Result<(), StoreError> {
    use std::{
        fs::{self, File},
        io::{self, Write as _},
        os::unix::fs::MetadataExt as _,
    };

    /// The unit in which SQLite extends the index.
    const UNIT: u64 = 4096;
    /// The required space: the index grows in steps of 32 KB, and the first commit fills the first
    /// step; the lock file and the log are written before.
    const BYTES: usize = 128 << 10;

    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    if fs::metadata(folder).map_or(UNIT, |folder| folder.blksize()) >= UNIT {
        return Ok(());
    }
    let path = folder.join(format!(".cot-{:016x}", fastrand::u64(..)));
    let write = |mut file: File| {
        file.write_all(&[1; BYTES])?;
        // Allocates the blocks now, not when the operating system writes them back.
        file.sync_all()
    };
    let written = File::options().write(true).create_new(true).open(&path).and_then(write);
    // The file may not exist.
    let _ = fs::remove_file(&path);
    match written {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
            ) =>
        {
            Err(StoreError::Full { source: error.into() })
        }
        // SQLite reports other errors better.
        _ => Ok(()),
    }
}

/// Does nothing: other systems do not end the program.
#[cfg(not(unix))]
pub(crate) fn check(_database: &Path) -> Result<(), StoreError> {
    Ok(())
}

//! Room for the index of the write-ahead log.

use std::path::Path;

use cot_core::store::StoreError;

/// An error where there is no room for the index of the write-ahead log.
///
/// SQLite maps the index into memory and extends it by writing the last byte of each 4 KB. Where a file system
/// has smaller blocks, the rest is a hole, and when a full disk can't fill it, the operating system ends the
/// program with SIGBUS. So it is tried out beforehand.
#[cfg(unix)]
pub(crate) fn check(database: &Path) -> Result<(), StoreError> {
    use std::{
        fs::{self, File},
        io::{self, Write as _},
        os::unix::fs::MetadataExt as _,
    };

    /// What SQLite writes at once.
    const UNIT: u64 = 4096;
    /// The index is made in pieces of 32 KB, and all of the first is filled by the first commit; before it come
    /// the lock file and the log.
    const BYTES: usize = 128 << 10;

    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    if fs::metadata(folder).map_or(UNIT, |folder| folder.blksize()) >= UNIT {
        return Ok(());
    }
    let path = folder.join(format!(".cot-{:016x}", fastrand::u64(..)));
    let write = |mut file: File| {
        file.write_all(&[1; BYTES])?;
        // Blocks are taken now, and not when the operating system finds the time.
        file.sync_all()
    };
    let written = File::options().write(true).create_new(true).open(&path).and_then(write);
    // It may not have been made.
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
        // SQLite says best what else is wrong.
        _ => Ok(()),
    }
}

/// Other systems end no program for this.
#[cfg(not(unix))]
pub(crate) fn check(_database: &Path) -> Result<(), StoreError> {
    Ok(())
}

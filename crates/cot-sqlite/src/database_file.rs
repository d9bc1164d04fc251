//! The file of an open database, to notice when it is deleted or replaced.
//!
//! SQLite keeps reading and writing the file that it has opened, whatever has become of its name: without this check,
//! readers would show the same data forever, and writes would be lost.

use std::{fs, io, path::PathBuf};

use crate::error::OperationError;

/// The file of an open database.
#[derive(Debug)]
pub(crate) struct DatabaseFile {
    path: PathBuf,
    id: FileId,
}

impl DatabaseFile {
    /// Remembers the file that has this canonical path.
    pub(crate) fn new(path: PathBuf) -> io::Result<Self> {
        let id = FileId::from_metadata(&fs::metadata(&path)?);
        Ok(Self { path, id })
    }

    pub(crate) fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Fails if the path has no file or another one. Takes about a microsecond.
    pub(crate) fn check(&self) -> Result<(), OperationError> {
        let path = self.path.display();
        match fs::metadata(&self.path) {
            Ok(now) if FileId::from_metadata(&now) == self.id => Ok(()),
            Ok(_) => {
                let why = format!(
                    "another file has taken the place of the database `{path}`; open it again"
                );
                Err(OperationError::Gone(why, io::Error::other("its name belongs to another file")))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let why = format!("the database `{path}` does not exist any more");
                Err(OperationError::Gone(why, error))
            }
            // A folder that can't be searched at the moment says nothing about the file.
            Err(_) => Ok(()),
        }
    }
}

/// What tells a file from another one of the same name.
#[derive(Debug, PartialEq, Eq)]
struct FileId(u64, u64);

impl FileId {
    #[cfg(unix)]
    fn from_metadata(file: &fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self(file.dev(), file.ino())
    }

    /// Other systems do not let an open file be replaced.
    #[cfg(not(unix))]
    fn from_metadata(_file: &fs::Metadata) -> Self {
        Self(0, 0)
    }
}

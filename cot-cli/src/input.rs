//! What a command is given to read.

use std::{
    error::Error,
    fmt, fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

/// Why an input could not be read.
#[derive(Debug)]
pub(crate) struct Unavailable {
    path: PathBuf,
    source: io::Error,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "can't read {}", name_of(&self.path))
    }
}

impl Error for Unavailable {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

/// All bytes of a file, or of standard input for `-`.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Unavailable> {
    let read = if is_standard(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    read.map_err(|source| Unavailable { path: path.to_owned(), source })
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The input as messages name it.
pub(crate) fn name_of(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { format!("`{}`", path.display()) }
}

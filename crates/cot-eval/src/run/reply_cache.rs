//! Replies that are kept, so that a call is paid once.

use std::{
    collections::HashMap,
    fmt,
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cot_model::{Digest, ModelInfo, ModelReply, ModelRequest};
use serde::{Deserialize, Serialize};

/// Replies by their request, the model, and the number of the repeat, in a file or in memory.
///
/// A call that was made before is answered from it and costs nothing. So an eval that was killed continues where it was,
/// and after a change of a prompt only the calls are paid whose requests are different. Clones share the replies; one
/// cache at a time has a file open.
///
/// A reply belongs to its variant, by name. Give a variant another name when something changes that requests do not have:
/// a setting of the client, or the program behind a model without a name.
#[derive(Clone, Default)]
pub struct ReplyCache(Arc<Mutex<Replies>>);

#[derive(Default)]
struct Replies {
    replies: HashMap<Digest, ModelReply>,
    file: Option<File>,
    /// Why a reply could not be written.
    failure: Option<String>,
}

/// The most bytes of a line. Replies are far shorter.
const MAX_LINE: u64 = 64 << 20;
/// How each line begins.
const START: &[u8] = br#"{"key":""#;

#[derive(Serialize, Deserialize)]
struct Line {
    key: Digest,
    reply: ModelReply,
}

/// The error of opening a [`ReplyCache`].
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum CacheError {
    /// The file can't be read or written.
    #[error("the cache `{}` can't be opened", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another cache has the file open, in this program or another one.
    #[error("the cache `{}` is open elsewhere: clone a cache to share it", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A line is not an entry of a cache.
    #[error("line {line} of `{}` is not a cached reply", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// Why it can't be read.
        source: serde_json::Error,
    },
}

cot_schema::debug_as_sentence!(CacheError);

impl ReplyCache {
    /// Creates a cache in memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens the cache in a file, or creates it. A last line that was not written to its end, as by a program that was
    /// killed, is removed.
    ///
    /// # Errors
    ///
    /// If the file can't be read or written, another cache has it open, or it has another line that is not a cached reply.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, CacheError> {
        let path = path.as_ref();
        let failed = |source| CacheError::Io { path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path).map_err(failed)?;
        // A device may have no end.
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file")));
        }
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => CacheError::InUse { path: path.to_owned() },
            TryLockError::Error(error) => failed(error),
        })?;
        let (mut replies, mut whole, mut number) = (HashMap::new(), 0, 0);
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        while reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(failed)? > 0 {
            number += 1;
            // Of a line that is cut, only what looks like an entry is removed: the file may be something else.
            let is_cut = line.last() != Some(&b'\n') && (line.len() as u64) < MAX_LINE;
            if is_cut && (line.starts_with(START) || START.starts_with(&line)) {
                file.set_len(whole).map_err(failed)?;
                break;
            }
            whole += line.len() as u64;
            let Line { key, reply } = serde_json::from_slice(&line).map_err(|source| {
                CacheError::Line { path: path.to_owned(), line: number, source }
            })?;
            replies.insert(key, reply);
            line.clear();
        }
        Ok(Self(Arc::new(Mutex::new(Replies { replies, file: Some(file), failure: None }))))
    }

    pub(super) fn find(&self, key: &Digest) -> Option<ModelReply> {
        self.lock().replies.get(key).cloned()
    }

    /// Adds a reply. That it can't be written does not affect the run; the report says so.
    pub(super) fn add(&self, key: Digest, reply: &ModelReply) {
        let mut replies = self.lock();
        if let Some(file) = &mut replies.file {
            let line = Line { key, reply: reply.clone() };
            let written = serde_json::to_string(&line)
                .map_err(io::Error::from)
                .and_then(|line| file.write_all(format!("{line}\n").as_bytes()));
            if let Err(error) = written {
                // What follows would be written after a part of a line.
                replies.file = None;
                replies.failure = Some(error.to_string());
            }
        }
        replies.replies.insert(key, reply.clone());
    }

    /// Returns why a reply could not be written.
    pub(super) fn failure(&self) -> Option<String> {
        self.lock().failure.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Replies> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Unlocks the file. Closing it would not be enough: a process that the program is about to start holds it open for a moment.
impl Drop for Replies {
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            let _ = file.unlock();
        }
    }
}

impl fmt::Debug for ReplyCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplyCache").field("replies", &self.lock().replies.len()).finish()
    }
}

/// Returns what tells a request apart that a trial of a variant makes for the `times`-th time; `None` if the request can't be
/// written as JSON.
pub(super) fn key(
    request: &ModelRequest,
    model: ModelInfo<'_>,
    variant: &str,
    (repeat, times): (u32, u32),
) -> Option<Digest> {
    let of = (model.provider, model.model, model.address, model.port, variant, repeat, times);
    let text = serde_json::to_string(&(request, of)).ok()?;
    Some(Digest::from_bytes(text.as_bytes()))
}

//! The reports in a folder.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use axum::http::StatusCode;
use cot_eval::{Report, Summary};

use crate::error::PageError;

/// The largest file that is read. A report of 100,000 trials is smaller.
const MAX_BYTES: u64 = 256 << 20;

/// The reports in a folder: its files whose names end in `.json`. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Reports(Arc<Folder>);

struct Folder {
    path: PathBuf,
    /// What was read of the files, by their names.
    known: Mutex<BTreeMap<String, ReadFile>>,
}

/// A file as it was read.
#[derive(Clone)]
struct ReadFile {
    modified: SystemTime,
    bytes: u64,
    read: Result<Arc<Digest>, String>,
}

/// What lists and plots show of a report. Its trials are read for its own page alone.
pub(crate) struct Digest {
    pub(super) file: String,
    pub(super) name: String,
    pub(super) process: String,
    /// When its last run ended, or else when its file was written.
    pub(super) at: SystemTime,
    pub(super) variants: Vec<(String, Summary)>,
}

/// The reports of a folder, the newest first, and the files that are none, with the reasons.
#[derive(Default)]
pub(crate) struct FolderList {
    pub(super) reports: Vec<Arc<Digest>>,
    pub(super) unreadable: Vec<String>,
}

impl FolderList {
    /// Returns the reports of an eval, the newest first.
    pub(super) fn reports_named<'a>(&'a self, eval: &str) -> impl Iterator<Item = &'a Arc<Digest>> {
        self.reports.iter().filter(move |report| report.name == eval)
    }
}

impl Reports {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self(Arc::new(Folder { path: folder, known: Mutex::default() }))
    }

    /// Lists the reports of the folder, of which only those are read that have changed.
    pub(super) async fn list(&self) -> Result<FolderList, PageError> {
        self.off_thread(|folder| folder.list().map_err(|error| folder.unreadable(&error))).await
    }

    /// Reads a report, if the folder has it.
    pub(super) async fn read(&self, file: &str) -> Result<Report, PageError> {
        let file = file.to_owned();
        self.off_thread(move |folder| folder.read(&file)).await
    }

    /// Reads files where it delays no other request.
    async fn off_thread<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Folder) -> Result<T, PageError> + Send + 'static,
    ) -> Result<T, PageError> {
        let folder = Arc::clone(&self.0);
        let read = tokio::task::spawn_blocking(move || read(&folder)).await;
        read.unwrap_or_else(|_| Err(PageError::internal("The reports could not be read.")))
    }
}

impl Folder {
    fn list(&self) -> io::Result<FolderList> {
        let files = self.files()?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|file, _| files.contains_key(file));
        let mut listing = FolderList::default();
        for (file, (modified, bytes)) in files {
            let last = known.get(&file);
            let is_same = |known: &&ReadFile| (known.modified, known.bytes) == (modified, bytes);
            let read = match last.filter(is_same) {
                Some(known) => known.read.clone(),
                None => self.parse(&file).map(|report| Arc::new(digest(&file, report, modified))),
            };
            match &read {
                Ok(digest) => listing.reports.push(Arc::clone(digest)),
                Err(why) => listing.unreadable.push(why.clone()),
            }
            known.insert(file, ReadFile { modified, bytes, read });
        }
        listing.reports.sort_by(|a, b| (b.at, &b.file).cmp(&(a.at, &a.file)));
        Ok(listing)
    }

    /// Returns when the files were written, and their sizes.
    fn files(&self) -> io::Result<BTreeMap<String, (SystemTime, u64)>> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            // A name that is not Unicode is no part of an address.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let is_json = Path::new(&name).extension().is_some_and(|end| end == "json");
            // Another program may have removed it.
            let Ok(facts) = fs::metadata(entry.path()) else { continue };
            if is_json && facts.is_file() {
                let modified = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                files.insert(name, (modified, facts.len()));
            }
        }
        Ok(files)
    }

    /// Reads a file that the folder lists, so that an address leads to no other file.
    fn read(&self, file: &str) -> Result<Report, PageError> {
        let files = self.files().map_err(|error| self.unreadable(&error))?;
        if !files.contains_key(file) {
            let message = format!("The folder of reports has no file `{file}`.");
            return Err(PageError::new(StatusCode::NOT_FOUND, "No such report", message));
        }
        self.parse(file).map_err(|why| {
            PageError::new(StatusCode::UNPROCESSABLE_ENTITY, "The report can't be read", why)
                .advice("Write what `Eval::run` returns as JSON.")
        })
    }

    fn parse(&self, file: &str) -> Result<Report, String> {
        let path = self.path.join(file);
        let too_large = || format!("`{file}` has more than {} MB", MAX_BYTES >> 20);
        let unread = |error: io::Error| format!("`{file}` can't be read: {error}");
        if fs::metadata(&path).map_err(unread)?.len() > MAX_BYTES {
            return Err(too_large());
        }
        let text = fs::read(&path).map_err(unread)?;
        serde_json::from_slice(&text)
            .map_err(|error| format!("`{file}` is not a report of an eval: {error}"))
    }

    fn unreadable(&self, error: &io::Error) -> PageError {
        let message = format!("The folder `{}` can't be read: {error}.", self.path.display());
        PageError::new(StatusCode::SERVICE_UNAVAILABLE, "The reports can't be read", message)
    }
}

fn digest(file: &str, report: Report, modified: SystemTime) -> Digest {
    let summary = |variant: &String| (variant.clone(), report.summary(variant));
    Digest {
        file: file.to_owned(),
        variants: report.variants.iter().map(summary).collect(),
        name: report.name,
        process: report.process,
        at: report.at.unwrap_or(modified),
    }
}

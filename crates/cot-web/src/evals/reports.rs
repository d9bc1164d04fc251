//! The reports in a folder.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use axum::http::StatusCode;
use cot_eval::{Report, Summary};
use maud::Markup;
use tokio::sync::Semaphore;

use crate::{error::PageError, frame::text::excerpt};

/// The largest file that is read. A report of 100,000 trials is smaller.
const MAX_BYTES: u64 = 256 << 20;
/// The characters of an error that are kept.
const MAX_ERROR: usize = 300;
/// The number of variants of a report that pages show.
const MAX_VARIANTS: usize = 20;

/// The reports in a folder: its files whose names end in `.json`. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Reports {
    folder: Arc<Folder>,
    /// Whose turn it is to read or to render: a report can take a lot of memory.
    turn: Arc<Semaphore>,
}

struct Folder {
    path: PathBuf,
    /// What was read of the files, by their names.
    known: Mutex<BTreeMap<String, ReadFile<Digest>>>,
    /// The report that was read last for its own page, with its name.
    last: Mutex<Option<(String, ReadFile<ShownReport>)>>,
}

/// A file as it was read.
struct ReadFile<T> {
    version: Version,
    read: Result<Arc<T>, String>,
}

impl<T> ReadFile<T> {
    /// Returns what was read, if the file has not changed.
    fn read_of(&self, version: Version) -> Option<Result<Arc<T>, String>> {
        (self.version == version).then(|| self.read.clone())
    }
}

/// When a file was written, and its size.
type Version = (SystemTime, u64);

/// A report as pages show it.
pub(super) struct ShownReport {
    /// The report, without the variants that are too many.
    pub(super) report: Report,
    pub(super) more_variants: usize,
}

/// What lists and plots show of a report. Its trials are read for its own page alone.
pub(crate) struct Digest {
    pub(super) file: String,
    pub(super) name: String,
    pub(super) process: String,
    /// When its last run ended, or else when its file was written.
    pub(super) at: SystemTime,
    pub(super) variants: Vec<(String, Summary)>,
    pub(super) more_variants: usize,
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
    pub(crate) fn new(path: PathBuf) -> Self {
        let folder = Folder { path, known: Mutex::default(), last: Mutex::default() };
        Self { folder: Arc::new(folder), turn: Arc::new(Semaphore::new(1)) }
    }

    /// Lists the reports of the folder, of which only those are read that have changed.
    pub(super) async fn list(&self) -> Result<FolderList, PageError> {
        self.off_thread(|folder| folder.list().map_err(|error| folder.unreadable(&error))).await
    }

    /// Reads a report, if the folder has it.
    pub(super) async fn read(&self, file: &str) -> Result<Arc<ShownReport>, PageError> {
        let file = file.to_owned();
        self.off_thread(move |folder| folder.read(&file)).await
    }

    /// Renders a report where it delays no other request.
    pub(super) async fn render(
        &self,
        render: impl FnOnce() -> Markup + Send + 'static,
    ) -> Result<Markup, PageError> {
        self.off_thread(|_| Ok(render())).await
    }

    /// Does what takes long, one at a time. A request that is dropped in between keeps its turn until that is done.
    async fn off_thread<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Folder) -> Result<T, PageError> + Send + 'static,
    ) -> Result<T, PageError> {
        let folder = Arc::clone(&self.folder);
        let turn = Arc::clone(&self.turn).acquire_owned().await;
        let read = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            read(&folder)
        });
        read.await.unwrap_or_else(|_| Err(PageError::internal("The reports could not be read.")))
    }
}

impl Folder {
    fn list(&self) -> io::Result<FolderList> {
        let files = self.files()?;
        // Its owner has the turn, so that nobody waits for it.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|file, _| files.contains_key(file));
        let mut listing = FolderList::default();
        for (file, version) in files {
            let read = known.get(&file).and_then(|known| known.read_of(version));
            let read = read.unwrap_or_else(|| {
                self.parse(&file).map(|shown| Arc::new(digest(&file, shown, version.0)))
            });
            match &read {
                Ok(digest) => listing.reports.push(Arc::clone(digest)),
                Err(why) => listing.unreadable.push(why.clone()),
            }
            known.insert(file, ReadFile { version, read });
        }
        listing.reports.sort_by(|a, b| (b.at, &b.file).cmp(&(a.at, &a.file)));
        Ok(listing)
    }

    /// Returns when the files were written, and their sizes.
    fn files(&self) -> io::Result<BTreeMap<String, Version>> {
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

    /// Reads a file that the folder lists, so that an address leads to no other file. The last one is kept, since several
    /// pages show it.
    fn read(&self, file: &str) -> Result<Arc<ShownReport>, PageError> {
        let files = self.files().map_err(|error| self.unreadable(&error))?;
        let Some(version) = files.get(file) else {
            let message = format!("The folder of reports has no file `{file}`.");
            return Err(PageError::new(StatusCode::NOT_FOUND, "No such report", message));
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.as_ref().filter(|(name, _)| name == file);
        let read = known.and_then(|(_, known)| known.read_of(*version)).unwrap_or_else(|| {
            // Two large ones may not fit into the memory.
            *last = None;
            let read = self.parse(file).map(Arc::new);
            *last = Some((file.to_owned(), ReadFile { version: *version, read: read.clone() }));
            read
        });
        read.map_err(|why| {
            PageError::new(StatusCode::UNPROCESSABLE_ENTITY, "The report can't be read", why)
                .advice("Write what `Eval::run` returns as JSON.")
        })
    }

    fn parse(&self, file: &str) -> Result<ShownReport, String> {
        let unread = |error: io::Error| format!("`{file}` can't be read: {error}");
        let opened = fs::File::open(self.path.join(file)).map_err(unread)?;
        let mut text = Vec::new();
        // A file can grow while it is read.
        opened.take(MAX_BYTES + 1).read_to_end(&mut text).map_err(unread)?;
        if text.len() as u64 > MAX_BYTES {
            return Err(format!("`{file}` has more than {} MB", MAX_BYTES >> 20));
        }
        let mut report: Report = serde_json::from_slice(&text)
            // The error quotes a text of the file, which may be all of it.
            .map_err(|error| {
                let error = excerpt(&error.to_string(), MAX_ERROR);
                format!("`{file}` is not a report of an eval: {error}")
            })?;
        let more_variants = report.variants.len().saturating_sub(MAX_VARIANTS);
        report.variants.truncate(MAX_VARIANTS);
        Ok(ShownReport { report, more_variants })
    }

    fn unreadable(&self, error: &io::Error) -> PageError {
        let message = format!("The folder `{}` can't be read: {error}.", self.path.display());
        PageError::new(StatusCode::SERVICE_UNAVAILABLE, "The reports can't be read", message)
    }
}

fn digest(file: &str, shown: ShownReport, modified: SystemTime) -> Digest {
    let ShownReport { report, more_variants } = shown;
    let summary = |variant: &String| (variant.clone(), report.summary(variant));
    Digest {
        file: file.to_owned(),
        variants: report.variants.iter().map(summary).collect(),
        more_variants,
        name: report.name,
        process: report.process,
        at: report.at.unwrap_or(modified),
    }
}

//! The processes of this workspace, and what is compared of them.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use cot_format::{Document, Language, Problem, Refusal, format_snippets};
use proc_macro2::{Span, TokenStream, TokenTree};

/// A file that contains processes.
#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) language: Language,
}

/// Returns the files of the workspace that contain processes.
pub(crate) fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    list(&root, &mut paths);
    paths.sort();
    let read = |path: PathBuf| {
        let is_markdown = path.extension().is_some_and(|extension| extension == "md");
        let language = if is_markdown { Language::Markdown } else { Language::Rust };
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        File { name, text: fs::read_to_string(&path).unwrap(), language }
    };
    let files = paths.into_iter().map(read);
    files.filter(|file| file.text.contains("cot_process!")).collect()
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        let is_hidden = name == "target" || name.to_string_lossy().starts_with('.');
        if path.is_dir() && !is_hidden {
            list(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "md") {
            found.push(path);
        }
    }
}

/// Formats files with one call of rustfmt for each edition.
pub(crate) fn format_all(files: &[File]) -> Vec<Result<String, Vec<Problem>>> {
    let read = |file: &'_ File| {
        let text = Box::leak(file.text.clone().into_boxed_str());
        Document::read(text, file.language, 100)
    };
    let documents: Vec<_> = files.iter().map(read).collect();
    let codes = ["2021", "2024"].map(|edition| {
        let readable = files.iter().zip(&documents).filter_map(|(file, document)| {
            (file.edition() == edition).then_some(document.as_ref().ok()?)
        });
        let snippets: Vec<_> = readable.flat_map(Document::snippets).collect();
        format_snippets(&snippets, &mut |code: &str| rustfmt(edition, code))
    });
    let mut codes = codes.map(Vec::into_iter);
    let mut finished = Vec::new();
    for (file, document) in files.iter().zip(documents) {
        finished.push(document.and_then(|document| {
            let codes = &mut codes[usize::from(file.edition() == "2024")];
            document.finish(&codes.take(document.snippets().len()).collect::<Vec<_>>())
        }));
    }
    finished
}

impl File {
    fn edition(&self) -> &'static str {
        if self.name.contains("edition2021") { "2021" } else { "2024" }
    }
}

fn rustfmt(edition: &str, code: &str) -> Result<String, Refusal> {
    let config = "use_small_heuristics=Max,style_edition=2024";
    let mut child = Command::new("rustfmt")
        .args(["--quiet", "--edition", edition, "--config", config])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // rustfmt reads everything before it prints.
    child.stdin.take().unwrap().write_all(code.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    if text.is_empty() { Err(Refusal::Code) } else { Ok(text) }
}

/// Returns the tokens without commas, or `None` for a text that is incomplete.
pub(crate) fn tokens(text: &str) -> Option<Vec<String>> {
    let mut tokens = Vec::new();
    each(text.parse().ok()?, &mut |token, _| tokens.push(token));
    tokens.retain(|token| token != ",");
    Some(tokens)
}

/// Calls a function with the text and the span of each token and delimiter, in order.
pub(crate) fn each(stream: TokenStream, call: &mut impl FnMut(String, Span)) {
    for token in stream {
        match token {
            TokenTree::Group(group) => {
                call(format!("{:?}", group.delimiter()), group.span_open());
                each(group.stream(), call);
                call("end".to_owned(), group.span_close());
            }
            other => call(other.to_string(), other.span()),
        }
    }
}

/// Returns the names of the inserted comments, in order.
pub(crate) fn comments(text: &str) -> Vec<&str> {
    let names = text.split("note_").skip(1);
    names.map(|name| name.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default()).collect()
}

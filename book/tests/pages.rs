//! Links, order and fences of the pages, and of the guides that they show.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
};

use cot_book::{Page, entries, folder, guide_of, render, workspace};

/// The files of the workspace that are texts for readers, besides the pages and the guides.
const OTHERS: [&str; 5] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "book/README.md",
    "crates/cot-cli/README.md",
];

fn source() -> PathBuf {
    folder().join("src")
}

/// The chapters in their order: the path from the folder of the pages, and the text.
fn chapters() -> Vec<(PathBuf, String)> {
    let summary = fs::read_to_string(source().join("SUMMARY.md")).unwrap();
    let files = entries(&summary).into_iter().map(|entry| PathBuf::from(entry.file));
    files.map(|file| (file.clone(), fs::read_to_string(source().join(file)).unwrap())).collect()
}

/// All texts: their paths from the root of the workspace, without `.` and `..`.
fn texts() -> Vec<(PathBuf, String)> {
    let pages = files_in(&source()).into_iter();
    let pages = pages.map(|file| Path::new("book").join(file.strip_prefix(folder()).unwrap()));
    let docs = files_in(&workspace().join("cot-core/docs")).into_iter();
    let docs = docs.map(|file| Path::new("cot-core/docs").join(file.file_name().unwrap()));
    let all = pages.chain(docs).chain(OTHERS.map(PathBuf::from));
    all.map(|path| (path.clone(), fs::read_to_string(workspace().join(path)).unwrap())).collect()
}

pub(super) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_in(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_page_is_in_the_summary_once() {
    let listed: Vec<PathBuf> = chapters().into_iter().map(|(file, _)| file).collect();
    let listed_once: BTreeSet<_> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), listed_once.len(), "a page is listed twice");
    let there = files_in(&source()).into_iter();
    let there = there.map(|file| file.strip_prefix(source()).unwrap().to_owned());
    let there: BTreeSet<_> = there.filter(|file| file.as_os_str() != "SUMMARY.md").collect();
    assert_eq!(listed_once, there);
}

#[test]
fn every_guide_is_a_page() {
    let shown: BTreeSet<_> =
        chapters().iter().filter_map(|(file, text)| guide_of(file, text)).collect();
    let docs = files_in(&workspace().join("cot-core/docs")).into_iter();
    let docs = docs.map(|file| Path::new("cot-core/docs").join(file.file_name().unwrap()));
    let missing: Vec<_> = docs.filter(|guide| !shown.contains(guide)).collect();
    assert!(missing.is_empty(), "the book does not show {missing:?}");
}

#[test]
fn every_page_leads_to_the_next_one() {
    let chapters = chapters();
    let mut wrong = Vec::new();
    for pair in chapters.windows(2) {
        let (file, text) = &pair[0];
        let last = text.trim_end().lines().last().unwrap_or_default();
        let link = Page::new(last).links.first().map(|link| link.target.to_owned());
        let next = link.map(|target| file.parent().unwrap().join(target));
        let next = next.map(|next| cot_book::relative(Path::new(""), &next));
        if !last.starts_with("Next: ") || next != Some(pair[1].0.display().to_string()) {
            wrong.push(format!("{} ends with {last:?}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "the last line leads to the next page in SUMMARY.md: {wrong:#?}");
}

#[test]
fn every_page_begins_with_what_it_is_for() {
    for (file, text) in chapters() {
        let mut lines = text.lines();
        assert!(lines.next().is_some_and(|line| line.starts_with("# ")), "{file:?} has no title");
        assert_eq!(lines.next(), Some(""), "{file:?}");
        let first = lines.next().unwrap_or_default();
        let is_text = first.starts_with(|c: char| c.is_alphabetic() || c == '[' || c == '`');
        assert!(is_text, "{file:?} begins with {first:?}");
    }
}

#[test]
fn every_fence_has_a_language() {
    let mut bare = Vec::new();
    for (file, text) in texts() {
        let fences = Page::new(&text).fences;
        let without = fences.into_iter().filter(|fence| fence.info.is_empty());
        bare.extend(without.map(|fence| format!("{}:{}", file.display(), fence.line)));
    }
    assert!(bare.is_empty(), "code without a language: {bare:#?}");
}

#[test]
fn every_page_with_rust_code_is_tested() {
    let tested = fs::read_to_string(folder().join("code/pages.rs")).unwrap();
    for (file, text) in chapters() {
        let is_tested = |info: &str| info == "rust" || info.starts_with("rust,no_run");
        let has_code = Page::new(&text).fences.iter().any(|fence| is_tested(fence.info));
        assert_eq!(
            has_code,
            tested.contains(&format!("\"{}\"", file.display())),
            "{file:?} in pages.rs"
        );
    }
}

/// Also those of the guides, as they are on a code host and in the form in which the book shows them.
#[test]
fn every_link_leads_somewhere() {
    let texts = texts();
    let mut anchors: HashMap<PathBuf, Vec<String>> =
        texts.iter().map(|(file, text)| (file.clone(), Page::new(text).anchors())).collect();
    let mut wrong = Vec::new();
    let rendered: Vec<_> = chapters()
        .into_iter()
        .map(|(file, text)| {
            (Path::new("book/src").join(&file), render(&file, &text, None).unwrap())
        })
        .collect();
    for (file, text) in &rendered {
        anchors.insert(file.clone(), Page::new(text).anchors());
    }
    for (file, text) in texts.iter().chain(&rendered) {
        for link in Page::new(text).links {
            if !leads_somewhere(file, link.target, &anchors) {
                wrong.push(format!("{}: {}", file.display(), link.target));
            }
        }
    }
    assert!(wrong.is_empty(), "links that lead nowhere: {wrong:#?}");
}

fn leads_somewhere(from: &Path, target: &str, anchors: &HashMap<PathBuf, Vec<String>>) -> bool {
    if target.starts_with("http") {
        return true;
    }
    let (file, section) = target.split_once('#').unwrap_or((target, ""));
    let to = if file.is_empty() { from.to_owned() } else { from.parent().unwrap().join(file) };
    let to = PathBuf::from(cot_book::relative(Path::new(""), &to));
    // The images of the guides are copied to the book when it is built.
    let image = to
        .strip_prefix("book/src/images")
        .map(|image| Path::new("cot-core/docs/images").join(image));
    let exists = workspace().join(image.as_ref().unwrap_or(&to)).exists();
    exists
        && (section.is_empty()
            || anchors.get(&to).is_none_or(|known| known.iter().any(|it| it == section)))
}

#[test]
fn dead_links_are_found() {
    let page = Path::new("book/src/start/vendors.md");
    let anchors = HashMap::from([(page.to_owned(), vec!["ollama".to_owned()])]);
    let leads = |target: &str| leads_somewhere(page, target, &anchors);
    let alive = ["../introduction.md", "#ollama", "../../../README.md", "https://example.org"];
    assert!(alive.into_iter().all(leads));
    for dead in
        ["none.md", "../introduction.md/none", "#llama", "crate::Machine", "../../../none.rs"]
    {
        assert!(!leads(dead), "{dead}");
    }
}

/// The built book, in the folder that `COT_BOOK` names: every address in it is a file of it, with the anchor.
#[test]
fn the_built_book_has_no_dead_link() {
    let Some(book) = std::env::var_os("COT_BOOK").map(PathBuf::from) else { return };
    let mut wrong = Vec::new();
    let mut pages = Vec::new();
    html_files(&book, &mut pages);
    assert!(pages.len() > 40, "{} has {} pages", book.display(), pages.len());
    for page in pages {
        let html = fs::read_to_string(&page).unwrap();
        for target in attributes(&html, "href=\"").chain(attributes(&html, "src=\"")) {
            if !is_there(&page, target) {
                wrong.push(format!("{}: {target}", page.strip_prefix(&book).unwrap().display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The pages of the book, without those of the API, which rustdoc checks.
fn html_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "api") {
            html_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            found.push(path);
        }
    }
}

fn attributes<'a>(html: &'a str, start: &'a str) -> impl Iterator<Item = &'a str> {
    html.match_indices(start).filter_map(|(at, _)| html[at + start.len()..].split('"').next())
}

fn is_there(page: &Path, target: &str) -> bool {
    if target.contains(':') || target.is_empty() {
        return true;
    }
    let (file, section) = target.split_once('#').unwrap_or((target, ""));
    let to = if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
    if !to.exists() {
        return false;
    }
    section.is_empty() || {
        let html = fs::read_to_string(to).unwrap();
        html.contains(&format!("id=\"{section}\""))
    }
}

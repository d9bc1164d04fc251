//! Links to code in the guides (`cot-core/docs`) lead somewhere, in the documentation and on a code host.
//!
//! A guide writes `[text][crate::Runner]`. What that label stands for is defined twice: in `links.in`, which comes first in
//! the documentation, as the item; and at the end of the guide, which decides on a code host, as the file of the item or as
//! another guide. `UPDATE_EXPECT=1 cargo test --test structure guide_links` writes both.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

use crate::workspace::root;

/// The line before the definitions of a guide.
const MARK: &str =
    "\n<!-- Where the links to code lead on a code host; a test writes these lines. -->\n";
/// Guides of items that are not called as their file.
const GUIDES: [(&str, &str); 2] =
    [("crate::CotOutput", "output"), ("crate::cot_process", "process")];
/// The crates in the order in which an item of the root of `cot_core` is looked for.
const CRATES: [&str; 6] =
    ["cot-engine", "cot-runtime", "cot-model", "cot-description", "cot-reader", "cot-store"];

#[test]
fn links_to_code_lead_somewhere_on_a_code_host() {
    let sources = sources();
    let mut all = BTreeSet::new();
    for guide in files(&root().join("cot-core/docs"), "md") {
        let text = fs::read_to_string(&guide).unwrap();
        let body = text.split(MARK).next().unwrap();
        assert!(!body.contains("](crate::"), "{}: write `[text][crate::…]`", guide.display());
        let labels = labels(body);
        let lines = labels.iter().map(|label| format!("[{label}]: {}\n", target(label, &sources)));
        let lines: String = lines.collect();
        let definitions = if lines.is_empty() { lines } else { format!("{MARK}\n{lines}") };
        let body = body.trim_end();
        assert_written(&guide, &format!("{body}\n{definitions}"));
        all.extend(labels.into_iter().map(str::to_owned));
    }
    let lines = all.iter().map(|label| format!("[{label}]: {label}\n"));
    assert_written(
        &root().join("cot-core/docs/links.in"),
        &format!("{}\n", lines.collect::<String>()),
    );
    let folded: BTreeSet<_> = all.iter().map(|label| label.to_lowercase()).collect();
    assert_eq!(folded.len(), all.len(), "labels that differ in case are the same in Markdown");
}

#[test]
fn guides_define_their_labels_in_the_documentation() {
    for file in ["cot-core/src/guide.rs", "cot-core/src/lib.rs", "cot-core/src/task_format.rs"] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        let guides = text.matches("include_str!(\"../docs/").count();
        let links = text.matches("include_str!(\"../docs/links.in\")").count();
        assert_eq!(guides, links * 2, "{file}: `links.in` stands before each guide");
    }
}

fn assert_written(path: &Path, expected: &str) {
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, expected).unwrap();
    }
    let there = fs::read_to_string(path).unwrap_or_default();
    assert!(there == expected, "{} is not up to date; UPDATE_EXPECT=1 writes it", path.display());
}

/// The labels that begin with `crate::`, perhaps after a kind such as `macro@`.
fn labels(text: &str) -> BTreeSet<&str> {
    let ends = text.split("][").skip(1).filter_map(|rest| rest.split(']').next());
    ends.filter(|label| label.split('@').next_back().unwrap().starts_with("crate::")).collect()
}

/// Where a label leads on a code host, from the folder of the guides.
fn target(label: &str, sources: &Sources) -> String {
    let path = label.split('@').next_back().unwrap();
    let (path, section) = path.split_once('#').unwrap_or((path, ""));
    let special = GUIDES.iter().find(|(item, _)| *item == path).map(|(_, guide)| *guide);
    if let Some(guide) = path.strip_prefix("crate::guide::").or(special) {
        let file = format!("{guide}.md");
        assert!(root().join("cot-core/docs").join(&file).exists(), "{label} is no guide");
        return if section.is_empty() { file } else { format!("{file}#{section}") };
    }
    let names: Vec<&str> = path.split("::").skip(1).collect();
    let own = format!("cot-core/src/{}.rs", names.join("/"));
    // A crate that the facade has as a module.
    let inner = if names.len() == 1 { "lib".to_owned() } else { names[1..].join("/") };
    let reexported = format!("crates/cot-{}/src/{inner}.rs", names[0]);
    if let Some(module) = [own, reexported].iter().find(|file| root().join(file).exists()) {
        return format!("../../{module}");
    }
    let is_type = |name: &&str| name.starts_with(char::is_uppercase);
    let item = names.iter().position(is_type).unwrap_or(names.len() - 1);
    let file = file_of(names[item], &names[..item], sources);
    format!("../../{}", file.unwrap_or_else(|| panic!("no file declares `{label}`")).display())
}

/// Returns the file that declares an item: one whose path has the names of its modules, or the first one of `CRATES`.
fn file_of<'a>(item: &str, modules: &[&str], sources: &'a Sources) -> Option<&'a PathBuf> {
    let rank = |path: &Path| {
        let text = path.display().to_string().replace('-', "_");
        let missing = modules.iter().filter(|module| !text.contains(**module)).count();
        let order = CRATES.iter().position(|name| path.starts_with(format!("crates/{name}")));
        let private = text.contains("private") || text.contains("tests");
        (private, missing, order.unwrap_or(CRATES.len()))
    };
    sources.get(item)?.iter().min_by_key(|path| rank(path))
}

/// The names of public items, each with the files that declare one, from the root.
type Sources = BTreeMap<String, Vec<PathBuf>>;

fn sources() -> Sources {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let folders = folders.map(|folder| folder.unwrap().path().join("src"));
    let files = folders.filter(|folder| folder.is_dir()).flat_map(|folder| files(&folder, "rs"));
    let mut sources = Sources::new();
    for file in files {
        let path = file.strip_prefix(root()).unwrap().to_owned();
        let text = fs::read_to_string(file).unwrap();
        let declared = text.lines().filter_map(|line| line.trim_start().strip_prefix("pub "));
        for name in declared.filter_map(name) {
            sources.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    sources
}

/// Returns the name of an item, from what stands behind its `pub`.
fn name(item: &str) -> Option<&str> {
    let mut words = item.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.find(|word| {
        !["async", "const", "fn", "struct", "enum", "trait", "type", "mod", "process"]
            .contains(word)
    })
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

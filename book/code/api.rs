//! The pages of rustdoc.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The kinds of items that have a page of their own.
const KINDS: [&str; 8] = ["struct", "enum", "trait", "fn", "macro", "derive", "constant", "type"];
/// The prefixes of the anchors of what belongs to an item.
const MEMBERS: [&str; 6] =
    ["method", "tymethod", "variant", "structfield", "associatedconstant", "associatedtype"];

/// The output of `cargo doc` for the facade.
#[derive(Debug)]
pub struct Api {
    folder: PathBuf,
}

impl Api {
    /// Opens the output in a folder, such as `target/doc`; `None` if there is none.
    #[must_use]
    pub fn open(folder: &Path) -> Option<Self> {
        folder.join("cot_core/index.html").exists().then(|| Self { folder: folder.to_owned() })
    }

    /// Returns the page of an item, such as `crate::Runner::model`, from the folder of the output, with the anchor.
    #[must_use]
    pub fn page(&self, path: &str) -> Option<String> {
        let (path, section) = path.split_once('#').map_or((path, ""), |(a, b)| (a, b));
        let names: Vec<&str> = path.split("::").skip(1).collect();
        let found = self.item(&names).or_else(|| self.member(&names))?;
        Some(if section.is_empty() { found } else { format!("{found}#{section}") })
    }

    fn item(&self, names: &[&str]) -> Option<String> {
        let module = format!("{}/index.html", [&["cot_core"], names].concat().join("/"));
        if self.folder.join(&module).exists() {
            return Some(module);
        }
        let (name, modules) = names.split_last()?;
        let folder = [&["cot_core"], modules].concat().join("/");
        let pages = KINDS.iter().map(|kind| format!("{folder}/{kind}.{name}.html"));
        pages.into_iter().find(|page| self.folder.join(page).exists())
    }

    fn member(&self, names: &[&str]) -> Option<String> {
        let (name, item) = names.split_last()?;
        let page = self.item(item)?;
        let html = fs::read_to_string(self.folder.join(&page)).ok()?;
        let anchors = MEMBERS.iter().map(|kind| format!("{kind}.{name}"));
        let anchor = anchors.into_iter().find(|id| html.contains(&format!("id=\"{id}\"")))?;
        Some(format!("{page}#{anchor}"))
    }
}

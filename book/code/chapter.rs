//! What the book shows of a page: guides in place of links to them, and links that lead somewhere.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    api::Api,
    folder,
    markdown::{Page, normal, relative},
    workspace,
};

/// The line before a link to a guide, which the book shows in place of the link.
pub const GUIDE: &str = "<!-- guide -->\n";

/// The folder of the documentation of the code in the built book.
const API: &str = "api";

/// Texts that a chapter shows, and where they are in the workspace.
const GUIDES: &[(&str, &str)] =
    &[("crate::CotOutput", "output"), ("crate::cot_process", "process")];

/// Returns the text of the workspace that a page shows, if it is the page of a guide.
#[must_use]
pub fn guide_of(chapter: &Path, text: &str) -> Option<PathBuf> {
    let link = text.split_once(GUIDE)?.1;
    let target = Page::new(link).links.first()?.target;
    Some(normal(&Path::new("book/src").join(chapter).parent()?.join(target)))
}

/// Returns what the book shows of a chapter, whose path is that from `book/src`. Without an API, links to code are
/// their labels.
///
/// # Errors
///
/// Fails if a guide can't be read, or a link to code leads nowhere.
pub fn render(chapter: &Path, text: &str, api: Option<&Api>) -> io::Result<String> {
    let at = Path::new("book/src").join(chapter);
    let links = Links { chapter: &at, api, guides: guides()? };
    let Some((before, after)) = text.split_once(GUIDE) else {
        return links.rewrite(text, &at);
    };
    let guide = guide_of(chapter, text).ok_or_else(|| dead(chapter, GUIDE))?;
    let after = after.split_once('\n').map_or("", |(_, after)| after);
    let body = below_title(&inline_links(&fs::read_to_string(workspace().join(&guide))?));
    let parts = [(before, &*at), (&body, &*guide), (after, &*at)];
    parts.iter().map(|(text, at)| links.rewrite(text, at)).collect()
}

/// The line before the definitions with which links of a guide lead somewhere on a code host.
const DEFINITIONS: &str = "\n<!-- Where the links to code lead";

/// Writes links to code in the form `[label](crate::Item)`, which leads to the pages of rustdoc.
fn inline_links(guide: &str) -> String {
    let text = guide.split(DEFINITIONS).next().unwrap_or_default();
    let mut pieces = text.split("][");
    let mut inlined = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once(']') {
            Some((label, rest)) if code_path(label).is_some() => {
                inlined += &format!("]({label}){rest}");
            }
            _ => inlined += &format!("][{piece}"),
        }
    }
    inlined
}

/// Removes the first line of a guide, which is its title or its summary, and puts its headings below the title of the
/// chapter.
fn below_title(guide: &str) -> String {
    let guide = guide.split_once('\n').map_or("", |(_, rest)| rest);
    let mut text = guide.to_owned();
    let sections = Page::new(guide).headings;
    if sections.iter().any(|place| guide[place.clone()].starts_with("# ")) {
        sections.iter().rev().for_each(|place| text.insert(place.start, '#'));
    }
    text
}

/// The chapters that show guides: the path of the guide in the workspace, and that of the chapter.
fn guides() -> io::Result<Vec<(PathBuf, PathBuf)>> {
    let summary = fs::read_to_string(folder().join("src/SUMMARY.md"))?;
    let mut guides = Vec::new();
    for entry in crate::entries(&summary) {
        let file = PathBuf::from(entry.file);
        let text = fs::read_to_string(folder().join("src").join(&file))?;
        guides
            .extend(guide_of(&file, &text).map(|guide| (guide, Path::new("book/src").join(file))));
    }
    Ok(guides)
}

/// The links of a chapter.
struct Links<'a> {
    chapter: &'a Path,
    api: Option<&'a Api>,
    guides: Vec<(PathBuf, PathBuf)>,
}

/// What becomes of a link.
enum Leads {
    To(String),
    /// Out of the book, where a reader of it can't follow.
    Nowhere,
}

impl Links<'_> {
    /// Rewrites the links of a text that is at a place in the workspace.
    fn rewrite(&self, text: &str, at: &Path) -> io::Result<String> {
        let page = Page::new(text);
        let mut rewritten = text.to_owned();
        for link in page.links.iter().rev() {
            match (self.lead(link.target, at)?, &link.whole) {
                (Leads::To(target), _) => rewritten.replace_range(link.place.clone(), &target),
                (Leads::Nowhere, Some(whole)) => {
                    let label = &text[whole.start + 1..link.place.start - 2];
                    rewritten.replace_range(whole.clone(), label);
                }
                (Leads::Nowhere, None) => return Err(dead(at, link.target)),
            }
        }
        Ok(rewritten)
    }

    fn lead(&self, target: &str, at: &Path) -> io::Result<Leads> {
        if target.starts_with("http") || target.starts_with('#') {
            return Ok(Leads::To(target.to_owned()));
        }
        if let Some(code) = code_path(target) {
            return self.lead_to_code(&code, at);
        }
        let (file, section) = target.split_once('#').unwrap_or((target, ""));
        let file = normal(&at.parent().unwrap_or(at).join(file));
        let file = match self.chapter_of(&file) {
            Some(chapter) => chapter.to_owned(),
            None if file.starts_with("book/src") => file,
            None if file.starts_with("cot-core/docs/images") => {
                Path::new("book/src/images").join(file.file_name().unwrap_or_default())
            }
            None => return Ok(Leads::Nowhere),
        };
        Ok(Leads::To(self.link(&file, section)))
    }

    fn lead_to_code(&self, code: &str, at: &Path) -> io::Result<Leads> {
        let (path, section) = code.split_once('#').unwrap_or((code, ""));
        let special = GUIDES.iter().find(|(item, _)| *item == path).map(|(_, guide)| *guide);
        let guide = path.strip_prefix("crate::guide::").or(special);
        if let Some(guide) = guide {
            let guide = PathBuf::from(format!("cot-core/docs/{guide}.md"));
            let chapter = self.chapter_of(&guide).ok_or_else(|| dead(at, code))?;
            return Ok(Leads::To(self.link(chapter, section)));
        }
        let Some(api) = self.api else { return Ok(Leads::Nowhere) };
        let page = api.page(code).ok_or_else(|| dead(at, code))?;
        let file = Path::new("book/src").join(API).join(page);
        Ok(Leads::To(self.link(&file, "")))
    }

    fn chapter_of(&self, guide: &Path) -> Option<&Path> {
        self.guides.iter().find(|(known, _)| known == guide).map(|(_, chapter)| &**chapter)
    }

    /// Returns the link from the chapter to a file.
    fn link(&self, file: &Path, section: &str) -> String {
        let path = relative(self.chapter.parent().unwrap_or(self.chapter), file);
        if section.is_empty() { path } else { format!("{path}#{section}") }
    }
}

/// Returns the path of an item that a link of rustdoc names, without its kind.
fn code_path(target: &str) -> Option<String> {
    let path = target.split_once('@').map_or(target, |(_, path)| path);
    path.starts_with("crate::").then(|| path.to_owned())
}

fn dead(at: &Path, target: &str) -> io::Error {
    io::Error::other(format!("{}: `{}` leads nowhere", at.display(), target.trim()))
}

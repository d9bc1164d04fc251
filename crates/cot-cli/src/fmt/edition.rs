//! The edition of Rust code.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The editions that rustfmt knows, the latest last.
pub(super) const EDITIONS: [&str; 4] = ["2015", "2018", "2021", "2024"];

/// Returns the edition in the nearest manifest of a path that has one, or the latest.
pub(super) fn edition_of_nearest_package(path: &Path) -> String {
    let absolute = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    let manifests = absolute.ancestors().map(|folder| folder.join("Cargo.toml"));
    let edition = manifests.filter_map(|path| edition_in(&fs::read_to_string(path).ok()?)).next();
    edition.unwrap_or("2024").to_owned()
}

/// Returns the edition that a manifest sets, for its package or for those of its workspace.
fn edition_in(manifest: &str) -> Option<&'static str> {
    let mut lines = manifest.lines().filter_map(|line| line.split_once('='));
    let (_, value) = lines.find(|(key, value)| key.trim() == "edition" && !value.contains('{'))?;
    EDITIONS.into_iter().find(|edition| value.contains(edition))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edition_of_the_workspace_is_looked_for_above() {
        assert_eq!(edition_in("[package]\nedition = \"2021\" # old\n"), Some("2021"));
        assert_eq!(edition_in("[package]\nedition.workspace = true\n"), None);
        assert_eq!(edition_in("[package]\nedition = { workspace = true }\n"), None);
    }
}

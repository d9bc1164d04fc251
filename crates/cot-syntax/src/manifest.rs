//! The name that the manifest of a package gives to `cot-core`.

use std::{fs, path::Path};

/// Returns the name of `cot-core` in the package of a folder, if the package or its workspace renames it.
pub(crate) fn renamed_crate(root: &Path) -> Option<String> {
    let read = |folder: &Path| fs::read_to_string(folder.join("Cargo.toml")).ok();
    let own = read(root)?;
    renamed(&own).or_else(|| {
        let workspaces = root.ancestors().skip(1).filter_map(read);
        let name = workspaces
            .filter(|text| text.contains("[workspace"))
            .find_map(|text| renamed(&text))?;
        has_key(&own, &name).then_some(name)
    })
}

/// Returns the key of the dependency of a manifest that is `cot-core` under another name.
fn renamed(manifest: &str) -> Option<String> {
    let mut header = "";
    // An inline table begins at the line of its key, and can have several lines.
    let mut key = "";
    for line in manifest.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if line.starts_with('[') {
            (header, key) = (line, line);
        } else if let Some((before, _)) = line.split_once('{') {
            key = before;
        }
        if names_core(line) {
            let table = header.trim_matches(['[', ']']).rsplit('.').next()?;
            let is_inline = key != header;
            let name = if is_inline { key.trim_end().strip_suffix('=')? } else { table };
            return Some(name.trim().trim_matches(['"', '\'']).to_owned());
        }
        if line.contains('}') {
            key = header;
        }
    }
    None
}

/// Returns whether a line has the entry `package = "cot-core"`.
fn names_core(line: &str) -> bool {
    line.match_indices("package").any(|(at, word)| {
        let value = line[at + word.len()..].trim_start().strip_prefix('=').map(str::trim_start);
        value.is_some_and(|value| {
            value.starts_with("\"cot-core\"") || value.starts_with("'cot-core'")
        })
    })
}

/// Returns whether a manifest has a dependency with this key.
fn has_key(manifest: &str, key: &str) -> bool {
    manifest.lines().map(str::trim).any(|line| {
        let in_header = line.strip_prefix('[').and_then(|rest| rest.rsplit_once(']'));
        let last = in_header.and_then(|(path, _)| path.rsplit('.').next());
        let rest = line.trim_start_matches(['"', '\'']).strip_prefix(key);
        let rest = rest.map(|rest| rest.trim_start_matches(['"', '\'']).trim_start());
        last == Some(key) || rest.is_some_and(|rest| rest.starts_with(['=', '.']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_is_renamed_in_each_form_of_a_table() {
        for (manifest, expected) in [
            ("[dependencies]\ncot-core = { path = \"x\" }", None),
            ("[package]\nname = \"cot-core\"\n[dependencies]\na = \"1\"", None),
            ("[dependencies]\n# cot = { package = \"cot-core\" }", None),
            ("[dependencies]\na = { package = \"cot-core-other\" }", None),
            (
                "[dependencies]\na = \"1\"\ncot = { package = \"cot-core\", path = \"x\" }",
                Some("cot"),
            ),
            (
                "[dev-dependencies]\na = { path = \"y\" }\nmy-cot={path='x',package='cot-core'}",
                Some("my-cot"),
            ),
            ("[dependencies]\ncot = {\n  path = \"x\",\n  package = \"cot-core\",\n}", Some("cot")),
            (
                "[target.'cfg(unix)'.dependencies.cot]\npath = \"x\"\npackage = \"cot-core\"",
                Some("cot"),
            ),
            ("[dependencies.\"cot\"]\nfeatures = [\"a\"]\npackage  =  \"cot-core\"", Some("cot")),
            (
                "[workspace.dependencies]\na = { version = \"1\" }\ncot = { package = \"cot-core\" }",
                Some("cot"),
            ),
        ] {
            assert_eq!(renamed(manifest).as_deref(), expected, "{manifest}");
        }
    }

    #[test]
    fn a_dependency_of_the_workspace_is_used_by_its_name() {
        for (manifest, expected) in [
            ("[dependencies]\ncot = { workspace = true }", true),
            ("[dependencies]\ncot.workspace = true", true),
            ("[dependencies.cot]\nworkspace = true", true),
            ("[dependencies]\ncot-core.workspace = true", false),
            ("[dependencies]\nother = \"cot\"", false),
        ] {
            assert_eq!(has_key(manifest, "cot"), expected, "{manifest}");
        }
    }
}

//! What a registry shows of each crate, and the Rust that the locked dependencies need.

use std::{env, fs, path::Path};

use serde_json::Value;

use crate::workspace::{Package, cargo, packages, root};

/// The end of each README.
const END: &str = "\
It is a part of [cot](../../README.md): typed, durable workflows of model calls in Rust. A program depends on
[`cot-core`](../../README.md#depend-on-it), and on this crate only where the documentation names it.
";

#[test]
fn readmes_are_the_first_lines_of_the_crates() {
    // The facade has the README of the workspace, and the command one of its own.
    let generated = |package: &Package| {
        package.is_library() && !["cot-core", "cot-cli"].contains(&&*package.name)
    };
    for package in packages().into_iter().filter(generated) {
        let wanted = readme(&package);
        let file = package.folder.join("README.md");
        if env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&file, &wanted).unwrap();
        }
        let written = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(written, wanted, "{} (UPDATE_EXPECT=1 writes it)", file.display());
    }
}

/// They take the address of the repository from the workspace, which has none before the first release.
#[test]
fn libraries_have_what_a_registry_shows() {
    for package in packages().iter().filter(|package| package.is_library()) {
        let manifest = fs::read_to_string(package.folder.join("Cargo.toml")).unwrap();
        for key in ["description", "license", "keywords", "categories", "repository"] {
            let is_set = manifest.lines().any(|line| line.starts_with(key));
            assert!(is_set, "{} has no `{key}`", package.name);
        }
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert!(package.folder.join(licence).exists(), "{} has no {licence}", package.name);
        }
    }
}

#[test]
#[ignore = "needs the manifests of all dependencies: run `cargo fetch` first"]
fn dependencies_need_no_newer_rust() {
    let metadata = cargo(&["metadata", "--format-version", "1", "--offline", "--all-features"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let oldest = version(&fs::read_to_string(root().join("Cargo.toml")).unwrap());
    let mut newer = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        let needs = package["rust_version"].as_str().map(numbers);
        let name = package["name"].as_str().unwrap();
        if !package["source"].is_null() && needs > Some(oldest) {
            newer.push(format!("{name} needs {}", package["rust_version"]));
        }
    }
    assert!(newer.is_empty(), "`rust-version` is {oldest:?}: {newer:#?}");
}

/// Returns the text of a README: the first lines of a crate without links to its items.
fn readme(package: &Package) -> String {
    let source = fs::read_to_string(package.root_file()).unwrap();
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let text: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let text = text.join("\n");
    let mut paragraphs = text.split("\n\n");
    let first = paragraphs.next();
    let is_prose =
        |text: &&str| !text.starts_with(['`', '#', '-', '<']) && !text.contains("cot-core");
    let paragraphs = first.into_iter().chain(paragraphs.next().filter(is_prose));
    let paragraphs: Vec<String> = paragraphs.map(without_links).collect();
    format!("# {}\n\n{}\n\n{}", package.name, paragraphs.join("\n\n"), end(&package.folder))
}

fn end(folder: &Path) -> String {
    let is_below_root = folder.parent() == Some(root());
    if is_below_root { END.replace("../../", "../") } else { END.to_owned() }
}

/// Replaces links of rustdoc by their labels. Addresses stay links.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let (label, after) = after.split_once(']').unwrap();
        let target = after.strip_prefix('(').and_then(|after| after.split_once(')'));
        plain.push_str(before);
        rest = target.map_or(after, |(_, after)| after);
        match target {
            Some((address, _)) if address.starts_with("http") => {
                plain.push_str(&format!("[{label}]({address})"));
            }
            _ => plain.push_str(label),
        }
    }
    plain + rest
}

/// Returns the `rust-version` of a manifest.
fn version(manifest: &str) -> (u32, u32) {
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \""));
    numbers(line.unwrap().trim_end_matches('"'))
}

fn numbers(version: &str) -> (u32, u32) {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap_or(0))
}

#[test]
fn links_to_items_become_their_labels() {
    let text = "A [`Machine`] and [issues](cot_schema::Issues) of [Restate](https://restate.dev).";
    let plain = "A `Machine` and issues of [Restate](https://restate.dev).";
    assert_eq!(without_links(text), plain);
}

/// An upgrader reads what breaks first.
#[test]
fn the_changelog_has_its_sections_in_order() {
    let text = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let sections: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert_eq!(sections, ["Breaking", "Added", "Changed", "Removed", "Fixed"]);
}

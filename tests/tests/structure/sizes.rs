//! Files, folders and crates stay small.

use std::{collections::BTreeMap, fs, path::Path};

use crate::workspace::{packages, root};

const MAX_LINES: usize = 400;
/// Rust files in one folder.
const MAX_FILES: usize = 25;
/// Folders with more, each with their number. The list may only get shorter, and the numbers smaller.
const CROWDED: &[(&str, usize)] = &[("crates/cot-reader/src/parse", 27)];
/// Lines of code in the `src` of one crate, without blank lines, comments and files of unit tests.
const MAX_CRATE_LINES: usize = 15_000;
/// Crates with more, each with their limit, which may only get smaller.
const LARGE_CRATES: &[(&str, usize)] = &[("cot-engine", 20_000)];

const FOLDERS: &[&str] = &[
    "book",
    "cot-core/benches",
    "cot-core/src",
    "cot-core/tests",
    "cot-macros/src",
    "crates",
    "examples",
    "tests/crash",
    "tests/dialects",
    "tests/externs",
    "tests/real",
    "tests/src",
    "tests/tests",
    "tests/ui/src",
];

#[test]
fn files_are_short() {
    let files = FOLDERS.iter().flat_map(|folder| lines_in(&root().join(folder)));
    let long: Vec<_> = files.filter(|(_, lines)| *lines > MAX_LINES).collect();
    assert!(long.is_empty(), "over {MAX_LINES} lines: {long:#?}");
}

#[test]
fn folders_hold_few_files() {
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for (file, _) in FOLDERS.iter().flat_map(|folder| lines_in(&root().join(folder))) {
        let folder = Path::new(&file).parent().unwrap().display().to_string();
        *folders.entry(folder).or_default() += 1;
    }
    for (folder, limit) in CROWDED {
        let files = folders.remove(&root().join(folder).display().to_string()).unwrap();
        assert!(files <= *limit, "{folder} has {files} files");
    }
    folders.retain(|_, files| *files > MAX_FILES);
    assert!(folders.is_empty(), "over {MAX_FILES} files: {folders:#?}");
}

#[test]
fn crates_are_small() {
    for package in packages().into_iter().filter(|package| package.is_library()) {
        let files = lines_in(&package.folder.join("src")).into_iter().map(|(file, _)| file);
        let production =
            files.filter(|file| !file.contains("/tests/") && !file.ends_with("/tests.rs"));
        let lines: usize = production.map(|file| code_lines(&file)).sum();
        let known = LARGE_CRATES.iter().find(|(name, _)| *name == package.name);
        let limit = known.map_or(MAX_CRATE_LINES, |(_, limit)| *limit);
        assert!(lines <= limit, "{} has {lines} lines", package.name);
    }
}

/// Prints the production lines of each package: all lines of the files under `src` but those of tests and snapshots.
#[test]
#[ignore = "it prints a table: `cargo test --test structure -- --ignored --nocapture production_lines`"]
fn production_lines() {
    let is_test =
        |file: &str| ["/tests/", "/snapshots/", "/tests.rs"].iter().any(|part| file.contains(part));
    let mut all = 0;
    for package in packages() {
        let folder = package.folder.join("src");
        let files = if folder.is_dir() { lines_in(&folder) } else { Vec::new() };
        let files = files.into_iter().map(|(file, _)| file);
        let lines: usize =
            files.filter(|file| !is_test(file)).map(|file| lines_before_tests(&file)).sum();
        println!("{lines:6} {}", package.name);
        all += lines;
    }
    println!("{all:6} all");
    assert!(all > 0);
}

fn lines_before_tests(file: &str) -> usize {
    let text = fs::read_to_string(file).unwrap();
    text.split("\n#[cfg(test)]\nmod tests {")
        .next()
        .map_or(0, |production| production.lines().count())
}

#[test]
fn no_file_stands_beside_a_folder_of_its_name() {
    // Each example is a file; its own tests are in a folder beside it.
    let folders = FOLDERS.iter().filter(|folder| **folder != "examples");
    let files = folders.flat_map(|folder| lines_in(&root().join(folder)));
    let beside: Vec<_> = files
        .filter(|(file, _)| Path::new(file).with_extension("").is_dir())
        .map(|(file, _)| file)
        .collect();
    assert!(beside.is_empty(), "the file belongs into the folder: {beside:#?}");
}

fn code_lines(file: &str) -> usize {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

/// The Rust files in a folder with their lines. Snapshots of expansions (`*.out.rs`) are as long as they are.
fn lines_in(folder: &Path) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        if path.is_dir() {
            found.extend(lines_in(&path));
        } else if name.ends_with(".rs") && !name.ends_with(".out.rs") {
            found.push((name, fs::read_to_string(&path).unwrap().lines().count()));
        }
    }
    found
}

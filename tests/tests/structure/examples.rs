//! An example can be copied: it is one file, and depends on what a user can depend on.

use std::fs;

use crate::workspace::{packages, root};

/// What makes a file need another one, or code that is not for users.
const OTHERS: [&str; 7] =
    ["include!", "include_str!", "include_bytes!", ": include ", "#[path", "\nmod ", "\nuse cot_"];

#[test]
fn examples_share_no_code() {
    let packages = packages();
    let examples = packages.iter().find(|package| package.name == "cot-examples").unwrap();
    // Beside the facade a user depends on a store, and the service can have another one.
    let known = ["cot-core", "cot-postgres", "cot-sqlite"];
    assert!(examples.depends_on.iter().eq(known), "{:?}", examples.depends_on);
    assert!(!examples.folder.join("src").exists());
}

#[test]
fn each_example_is_one_file() {
    let folders = ["examples", "crates/cot-cli/templates"].map(|name| root().join(name));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files.map(|file| file.unwrap().path());
    let programs: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|of| of == "rs")).collect();
    assert!(programs.len() > 15, "{programs:?}");
    for file in programs {
        let mut text = fs::read_to_string(&file).unwrap();
        // The photo can be another one, by an argument; tests stand in the file.
        for own in [
            r#"include_bytes!("data/receipt.png")"#,
            "\nuse cot_core",
            "\nuse cot_sqlite",
            "\nmod tests {",
            "\nmod before {",
            "\nmod today {",
        ] {
            text = text.replace(own, "");
        }
        let other = OTHERS.iter().find(|other| text.contains(**other));
        assert_eq!(other, None, "{} can't be copied", file.display());
    }
}

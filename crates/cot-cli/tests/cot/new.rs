//! `cot new`. The programs themselves are examples of `cot-examples`, where they are compiled and tested.

use std::fs;

use crate::Ended;

/// The folder of this repository.
const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn cot(arguments: &[&str]) -> Ended {
    crate::cot(arguments, "")
}

#[test]
fn each_template_is_a_package() {
    let place = tempfile::tempdir().unwrap();
    for template in ["extract", "agent", "approval", "service"] {
        let folder = place.path().join(format!("my-{template}"));
        let folder_text = folder.to_str().unwrap();
        let done = cot(&["new", folder_text, "--template", template, "--path", LIBRARY]);
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        for next in ["cargo test", "OPENAI_BASE_URL="] {
            assert!(done.out.contains(next), "{}", done.out);
        }
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&format!("name = \"my-{template}\"")), "{manifest}");
        assert!(manifest.contains("/cot-core\" }"), "{manifest}");
        let program = fs::read_to_string(folder.join("src/main.rs")).unwrap();
        assert_eq!(program.contains("cot_sqlite"), manifest.contains("cot-sqlite"));
        assert_eq!(program.contains("axum"), manifest.contains("axum"));
        assert_eq!(program.contains("eval::"), manifest.contains("features = [\"eval\"]"));
    }
}

#[test]
fn a_git_address_is_a_source_as_well() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("orders");
    let address = "https://example.org/\"cot\".git";
    assert_eq!(cot(&["new", folder.to_str().unwrap(), "--git", address]).code, 0);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    assert!(
        manifest.contains(r#"cot-core = { git = "https://example.org/\"cot\".git" }"#),
        "{manifest}"
    );
}

#[test]
fn what_can_not_be_written_is_said() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("taken"), "mine").unwrap();
    for (folder, library, said) in [
        (at("taken"), LIBRARY, "exists already"),
        (at("no/such/place"), LIBRARY, "can't write"),
        (at("7up"), LIBRARY, "can't be the name of a package"),
        (at("a b"), LIBRARY, "can't be the name of a package"),
        (at("fine"), place.path().to_str().unwrap(), "there is no `cot-core`"),
        (at("fine"), "/no/such/folder", "there is no `cot-core`"),
    ] {
        let refused = cot(&["new", &folder, "--path", library]);
        assert_eq!(refused.code, 2, "{folder}");
        assert!(refused.err.contains(said), "{}", refused.err);
    }
    assert_eq!(fs::read_to_string(at("taken")).unwrap(), "mine");
    assert!(!place.path().join("fine").exists());
    assert_eq!(cot(&["new", &at("fine")]).code, 2, "the library has no default");
}

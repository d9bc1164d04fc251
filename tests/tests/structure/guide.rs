//! The paths that ARCHITECTURE.md names exist.

use std::{fs, path::Path};

use crate::workspace::root;

#[test]
fn every_path_that_the_architecture_names_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let spans = text.split('`').skip(1).step_by(2);
    let paths: Vec<_> = spans.filter(|span| is_path(span)).flat_map(alternatives).collect();
    let missing: Vec<_> = paths.iter().filter(|path| !exists(path)).collect();
    assert!(paths.len() > 50, "the paths of ARCHITECTURE.md are not found: {paths:?}");
    assert!(missing.is_empty(), "ARCHITECTURE.md names paths that are not there: {missing:#?}");
}

/// Whether a code span is the path of something that is there: `<kind>.rs` stands for a file to write.
fn is_path(span: &str) -> bool {
    span.contains('/') && !span.contains([' ', '<', '\n'])
}

/// Returns the paths that `a/{b,c}/d` stands for.
fn alternatives(span: &str) -> Vec<String> {
    let parts =
        span.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    match parts {
        None => vec![span.to_owned()],
        Some((before, (inner, after))) => {
            let joined = inner.split(',').map(|name| format!("{before}{}{after}", name.trim()));
            joined.flat_map(|path| alternatives(&path)).collect()
        }
    }
}

/// Whether there is a file or a folder. A path in a crate leaves out `crates` and `src`, one of a test the second
/// `tests`, and one of a file perhaps its ending.
fn exists(path: &str) -> bool {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let places = [
        path.to_owned(),
        format!("crates/{path}"),
        format!("{first}/src/{rest}"),
        format!("crates/{first}/src/{rest}"),
        format!("{first}/tests/{rest}"),
    ];
    places.iter().any(|place| {
        let place = root().join(place);
        place.exists() || Path::new(&format!("{}.rs", place.display())).exists()
    })
}

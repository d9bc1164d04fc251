//! The files of the samples.

use std::{fs, path::PathBuf};

use serde_json::Value;

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/behaviour/stored_format/data", name].iter().collect()
}

/// The text of a sample.
pub(super) fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("sample {name}: {error}"))
}

/// The lines of a sample.
pub(super) fn lines(name: &str) -> Vec<String> {
    read(name).lines().map(str::to_owned).collect()
}

/// Compares what is written now with a sample, which is written first if it is missing and wanted.
pub(super) fn assert_same(name: &str, written: &str) {
    if std::env::var_os("COT_WRITE_SAMPLES").is_some() && !path(name).exists() {
        fs::write(path(name), written).unwrap();
    }
    let sample = read(name);
    for (number, (now, then)) in written.lines().zip(sample.lines()).enumerate() {
        assert_eq!(now, then, "line {} of {name}", number + 1);
    }
    assert_eq!(written.len(), sample.len(), "{name} is as long as it was");
}

/// Compares the end of a run with that of a sample.
pub(super) fn assert_end(name: &str, end: &Value, what: &str) {
    let expected: Value = serde_json::from_str(&read(name)).unwrap();
    assert_eq!(*end, expected, "{name}: {what}");
}

/// JSON as the ends of runs are written: a line for each member.
pub(super) fn pretty(value: &Value) -> String {
    let members = value.as_object().unwrap().iter();
    let lines: Vec<String> = members.map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// One line after the other.
pub(super) fn joined(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().map(|line| line + "\n").collect()
}

//! The output, files and exit status of `cot fmt`.

use std::{fs, path::Path};

use tempfile::TempDir;

use super::{Ended, command, ended, run};

const BEFORE: &str = "use cot_core::prelude::*;

fn  other( ) {}

cot_process! {
  /// Works.
  pub process Work { state: Desk, // the desk
    max_retries: 2, prompts: { tone: \"Be  brief.\" }
    task work -> Note { prompt: \"Work.\", update: { notes[]=output,count = state.count+1 }, next: { work if state.count<3&&!state.is_done( ), done } }
    task done { end }
  }
}
";

const AFTER: &str = "use cot_core::prelude::*;

fn  other( ) {}

cot_process! {
    /// Works.
    pub process Work {
        state: Desk, // the desk
        max_retries: 2,
        prompts: { tone: \"Be  brief.\" },

        task work -> Note {
            prompt: \"Work.\",
            update: { notes[] = output, count = state.count + 1 },
            next: { work if state.count < 3 && !state.is_done(), done },
        }

        task done { end }
    }
}
";

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn fmt(folder: &Path, arguments: &[&str], input: &str) -> Ended {
    let mut command = command(&[&["fmt"], arguments].concat());
    ended(run(command.current_dir(folder), input.as_bytes()))
}

#[test]
fn files_are_written_and_nothing_but_bodies_changes() {
    let markdown = format!("# Guide\n\n```rust\n{BEFORE}```\n\n```text\n{BEFORE}```\n");
    let folder = folder(&[
        ("src/a.rs", BEFORE),
        ("guide.md", &markdown),
        ("target/b.rs", BEFORE),
        (".hidden/c.rs", BEFORE),
        ("src/d.txt", BEFORE),
        ("src/returns.rs", &BEFORE.replace('\n', "\r\n")),
        ("src/mark.rs", &format!("\u{feff}{BEFORE}")),
    ]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let quiet = Ended { out: String::new(), err: String::new(), code: 0 };
    assert_eq!(fmt(folder.path(), &[], ""), quiet);
    assert_eq!(read("src/a.rs"), AFTER);
    assert_eq!(read("src/returns.rs"), AFTER.replace('\n', "\r\n"));
    assert_eq!(read("src/mark.rs"), format!("\u{feff}{AFTER}"));
    assert_eq!(read("guide.md"), markdown.replacen(BEFORE, AFTER, 1));
    for name in ["target/b.rs", ".hidden/c.rs", "src/d.txt"] {
        assert_eq!(read(name), BEFORE, "{name}");
    }
    assert_eq!(fmt(folder.path(), &["--check"], ""), quiet);
    assert_eq!(fmt(folder.path(), &["src/d.txt"], ""), quiet);
    assert_eq!(read("src/d.txt"), AFTER);
}

#[test]
fn check_prints_a_diff_and_changes_nothing() {
    let folder = folder(&[("a.rs", BEFORE), ("b.rs", AFTER)]);
    let Ended { out, err, code } = fmt(folder.path(), &["--check"], "");
    assert_eq!((err.as_str(), code), ("", 1));
    assert!(out.starts_with("--- a.rs\n+++ a.rs\n@@ -3,10 +3,18 @@\n"), "{out}");
    assert!(out.contains("\n-  /// Works.\n") && out.contains("\n+    /// Works.\n"), "{out}");
    assert_eq!(fs::read_to_string(folder.path().join("a.rs")).unwrap(), BEFORE);
}

#[test]
fn the_width_is_the_only_option() {
    let folder = folder(&[("a.rs", BEFORE)]);
    assert_eq!(fmt(folder.path(), &["--width", "50"], "").code, 0);
    let text = fs::read_to_string(folder.path().join("a.rs")).unwrap();
    let body = text.split("cot_process!").nth(1).unwrap();
    assert!(body.lines().all(|line| line.len() <= 50), "{text}");
    assert_eq!(fmt(folder.path(), &["--width", "50", "--check"], "").code, 0);
    assert_eq!(fmt(folder.path(), &["--width", "5"], "").code, 2);
}

#[test]
fn what_is_incomplete_is_reported_and_unharmed_and_the_rest_is_formatted() {
    let cases = [
        ("open.rs", "cot_process! {\n    process A {\n        state: \"B", "open.rs:3:16"),
        ("body.rs", "cot_process! {\n    process A {\n", "body.rs:1:14"),
        ("item.rs", "cot_process! { process A { state: B, task a { prompt } } }", "item.rs:1:47"),
        ("key.rs", "cot_process! { process A { sätte: B } }\n", "key.rs:1:28"),
        ("empty.rs", "cot_process! {}\n", "empty.rs:1:15"),
    ];
    let files = cases.map(|(name, text, _)| (name, text));
    let folder = folder(&[&files[..], &[("fine.rs", BEFORE)]].concat());
    let Ended { out, err, code } = fmt(folder.path(), &[], "");
    assert_eq!((out.as_str(), code), ("", 1), "{err}");
    for (name, text, place) in cases {
        assert!(err.contains(&format!("--> {place}\n")), "{name}: {err}");
        assert!(err.contains(&format!("error: `{name}` is not formatted\n")), "{err}");
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text);
    }
    assert_eq!(fs::read_to_string(folder.path().join("fine.rs")).unwrap(), AFTER);
}

#[test]
fn what_other_macros_make_is_left_to_them() {
    let text = "macro_rules! m { ($a:ident) => { cot_process! { process $a {  state:B } } } }\n\
        quote! { cot_process! { process #name {  } } }\nm! { cot_process! { … } }\n";
    let folder = folder(&[("a.rs", text)]);
    let quiet = Ended { out: String::new(), err: String::new(), code: 0 };
    assert_eq!(fmt(folder.path(), &[], ""), quiet);
    assert_eq!(fs::read_to_string(folder.path().join("a.rs")).unwrap(), text);
}

#[test]
fn a_whole_file_is_formatted_for_editors() {
    let folder = folder(&[("Cargo.toml", "[package]\nedition = \"2024\"\n")]);
    let whole = AFTER.replace("fn  other( ) {}", "fn other() {}");
    for input in [BEFORE, AFTER, &whole, &BEFORE.replace("2, ", "2,    \n  ")] {
        let Ended { out, err, code } = fmt(folder.path(), &["--stdin"], input);
        assert_eq!((out.as_str(), err.as_str(), code), (whole.as_str(), "", 0));
    }
    let inner = format!("mod inner {{\n{BEFORE}}}\n");
    let once = fmt(folder.path(), &["--stdin"], &inner);
    assert!(once.out.contains("\n    cot_process! {\n        /// Works.\n"), "{}", once.out);
    assert_eq!(fmt(folder.path(), &["--stdin", "--check"], &once.out).code, 0);
    let check = fmt(folder.path(), &["--stdin", "--check"], BEFORE);
    assert!(check.code == 1 && check.out.starts_with("--- standard input\n"), "{}", check.out);
}

#[test]
fn editors_keep_a_text_that_is_refused() {
    let folder = folder(&[]);
    for (input, place) in [
        ("cot_process! { process A { state: B, task ", ":1:14"),
        ("cot_process! { process A { state B } }", ":1:34"),
        ("fn main() { \"", ""),
        ("fn main( { cot_process! { process A { state: B, task a { end } } } }", ""),
    ] {
        let Ended { out, err, code } = fmt(folder.path(), &["--stdin"], input);
        assert_eq!((out.as_str(), code), ("", 1), "{input}");
        assert!(err.contains(place) && err.starts_with("error: "), "{err}");
    }
}

#[test]
fn without_rustfmt_the_code_stays_as_it_is_written() {
    let folder = folder(&[("a.rs", BEFORE)]);
    let mut command = command(&["fmt", "a.rs"]);
    let command = command.current_dir(folder.path()).env("RUSTFMT", "/no/such/program");
    let ended = ended(run(command, b""));
    assert_eq!((ended.out.as_str(), ended.code), ("", 0));
    assert!(ended.err.starts_with("warning: can't run rustfmt: "), "{}", ended.err);
    let text = fs::read_to_string(folder.path().join("a.rs")).unwrap();
    assert!(text.contains("next: { work if state.count<3&&!state.is_done( ), done },\n"), "{text}");
    assert!(text.contains("update: { notes[] = output, count = state.count+1 },\n"), "{text}");
}

#[test]
fn many_tasks_and_large_files_are_formatted() {
    let mut tasks = String::new();
    for number in 0..500 {
        tasks.push_str(&format!(
            "task t{number} -> Note {{ prompt: \"Work ${{state.count}}.\", \
             update: {{ notes[]=output , count = state.count+{number} }}, \
             next: {{ t0 if state.count<{number}, done }} }}\n"
        ));
    }
    let body = format!(
        "cot_process! {{ process Long {{ state: Desk,\n{tasks} task done {{ end }} }} }}\n"
    );
    let filler =
        "// Text about cot_process! { and strings: \" '\nconst A: &str = \"cot_process! {\";\n";
    let large = format!("{}{BEFORE}", filler.repeat(10_000_000 / filler.len()));
    let open = format!("{large}cot_process! {{ \"");
    let folder = folder(&[("long.rs", &body), ("large.rs", &large), ("open.rs", &open)]);
    assert_eq!(fmt(folder.path(), &[], "").code, 1);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("long.rs").contains("next: { t0 if state.count < 499, done },\n"));
    assert!(read("large.rs").ends_with(&AFTER[AFTER.find("cot_process").unwrap()..]));
    assert!(read("open.rs") == open);
}

#[cfg(unix)]
#[test]
fn files_keep_their_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let folder = folder(&[("a.rs", BEFORE)]);
    let (path, link) = (folder.path().join("a.rs"), folder.path().join("link.rs"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("a.rs", &link).unwrap();
    assert_eq!(fmt(folder.path(), &["link.rs"], "").code, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap(), AFTER);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn files_that_can_t_be_read_do_not_stop_the_others() {
    let folder = folder(&[("a.rs", BEFORE)]);
    fs::write(folder.path().join("b.rs"), b"\xff").unwrap();
    let ended = fmt(folder.path(), &["b.rs", "no.rs", "a.rs"], "");
    assert_eq!((ended.out.as_str(), ended.code), ("", 2));
    assert!(ended.err.contains("b.rs") && ended.err.contains("no.rs"), "{}", ended.err);
    assert_eq!(fs::read_to_string(folder.path().join("a.rs")).unwrap(), AFTER);
}

//! A newcomer's walk: a package outside of the workspace, with what the first page and the tutorial say, in their order.
//! It builds all dependencies in a folder of its own, so that `.ci/long` runs it and `cargo test` does not.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use cot_book::{Page, entries, folder, workspace};

/// A package as the pages make it.
struct Package {
    folder: PathBuf,
    /// The dependencies by name, and those for tests.
    dependencies: Vec<(String, String)>,
    for_tests: String,
}

#[test]
#[ignore = "builds all dependencies in a folder of its own"]
fn the_pages_lead_from_an_empty_folder_to_a_service() {
    let mut package = Package {
        folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join("walk"),
        dependencies: Vec::new(),
        for_tests: String::new(),
    };
    let summary = fs::read_to_string(folder().join("src/SUMMARY.md")).unwrap();
    let pages = entries(&summary).into_iter().map(|entry| entry.file);
    let is_of_walk = |page: &String| page.contains("first_process") || page.contains("tutorial/");
    for page in pages.filter(is_of_walk) {
        let text = fs::read_to_string(folder().join("src").join(&page)).unwrap();
        package.follow(&page, &text);
    }
    assert!(package.for_tests.contains("testing"), "the chapter on tests is among the pages");
}

/// Whether a block is a whole program.
fn is_program(code: &str) -> bool {
    code.contains("cot_process!") && code.contains("async fn main")
}

impl Package {
    /// Does what a page says, and compiles the result; the chapter on tests runs them.
    fn follow(&mut self, page: &str, text: &str) {
        let fences = Page::new(text).fences;
        let code = |info: &str| -> Vec<&str> {
            let of = fences.iter().filter(|fence| fence.info == info);
            of.map(|fence| &text[fence.code.clone()]).collect()
        };
        code("toml").into_iter().for_each(|block| self.depend(block));
        let has_tests = page.ends_with("test.md");
        if has_tests {
            let main = fs::read_to_string(self.folder.join("src/main.rs")).unwrap();
            self.write("src/main.rs", &format!("{main}\n#[cfg(test)]\nmod tests;\n"));
            self.write("src/tests.rs", &code("rust,ignore").join("\n"));
        } else if let Some(program) = code("rust,ignore").into_iter().find(|it| is_program(it)) {
            self.write("src/main.rs", program);
        } else {
            return;
        }
        self.write("Cargo.toml", &self.manifest());
        self.cargo(if has_tests { "test" } else { "check" }, page);
    }

    /// Takes the dependencies of a block. A later line for a crate replaces an earlier one.
    fn depend(&mut self, block: &str) {
        let block = block.replace("../cot/", &format!("{}/", workspace().display()));
        if let Some((_, lines)) = block.split_once("[dev-dependencies]\n") {
            lines.clone_into(&mut self.for_tests);
            return;
        }
        for line in block.lines().filter(|line| !line.starts_with(['#', '['])) {
            let (name, _) = line.split_once(" = ").unwrap();
            self.dependencies.retain(|(known, _)| known != name);
            self.dependencies.push((name.to_owned(), line.to_owned()));
        }
    }

    fn manifest(&self) -> String {
        let lines: String = self.dependencies.iter().map(|(_, line)| format!("{line}\n")).collect();
        let tests = &self.for_tests;
        format!(
            "[package]\nname = \"desk\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{lines}\n\
             [dev-dependencies]\n{tests}"
        )
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn cargo(&self, command: &str, page: &str) {
        let mut cargo = Command::new(env!("CARGO"));
        let output = cargo.arg(command).current_dir(&self.folder).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{page} leads to an error:\n{errors}");
    }
}

//! The pictures show what is true. `UPDATE_EXPECT=1 cargo test -p cot-book --test book` draws them.

use std::{env, fs, process::Command};

use cot_book::{Page, folder, pictures};
use cot_core::PromptSegments;

#[test]
fn the_loop_of_an_attempt() {
    assert_drawn("attempt.svg", &pictures::attempt());
}

/// The prompt of a choice, after a reply that was rejected, as the program of the third chapter sends it.
#[test]
fn a_whole_prompt() {
    let output = Command::new(env!("CARGO_BIN_EXE_tutorial")).arg("parts").output().unwrap();
    let request: PromptSegments = serde_json::from_slice(&output.stdout).unwrap();
    let errors = request.iter().find(|segment| segment.part.as_str() == "errors");
    assert!(errors.is_some_and(|errors| !errors.text.is_empty()), "a reply was rejected");
    assert_drawn("prompt.svg", &pictures::prompt("A whole prompt, as it is sent", &request));
}

/// The commands of the chapter on stores and what they print, which another test compares with real runs.
#[test]
fn a_program_is_killed_and_its_run_resumed() {
    let page = fs::read_to_string(folder().join("src/tutorial/store.md")).unwrap();
    let fences = Page::new(&page).fences;
    let pairs = fences.windows(2).filter(|pair| (pair[0].info, pair[1].info) == ("sh", "text"));
    let code = |fence: &cot_book::Fence<'_>| page[fence.code.clone()].trim_end().to_owned();
    let commands: Vec<_> = pairs.take(3).map(|pair| (code(&pair[0]), code(&pair[1]))).collect();
    assert!(commands[1].0.starts_with("CRASH=1") && commands[1].1.ends_with("the program dies"));
    assert!(commands[2].1.contains("after a crash"), "the run is resumed");
    let title = "A program dies in the middle of a run, and the next one continues it";
    assert_drawn("resume.svg", &pictures::cast(title, &commands));
}

/// The mistakes of the README with what the compiler prints, which another test compares with the compiler.
#[test]
fn mistakes_in_an_editor() {
    let mistakes = folder().join("../tests/ui/readme/three_mistakes");
    let [source, printed] = ["rs", "stderr"]
        .map(|extension| fs::read_to_string(mistakes.with_extension(extension)).unwrap());
    let title = "Three compile errors in an editor: the wrong words are underlined, and the text of one is open";
    let svg = pictures::editor(title, &source, &printed);
    assert_eq!(svg.matches(r#"class="wrong""#).count(), printed.matches("error: ").count());
    assert!(svg.contains("help: did you mean `fields`?"), "the help of the last one is shown");
    assert_drawn("editor.svg", &svg);
}

fn assert_drawn(name: &str, svg: &str) {
    let path = folder().join("src/pictures").join(name);
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, svg).unwrap();
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(there == svg, "{name} is not up to date; UPDATE_EXPECT=1 draws it");
}

//! Items for the other crates of this workspace. Semantic versioning does not cover them.

pub use crate::{
    case_line::{CaseLineError, CaseParts, Right, case_line},
    chain::{ContentHash, TextDigest},
    history::run::read_journal,
    journal::journal::{RecoveredRun, SnapshotEncoder},
    questions::{know_process, know_questions},
    stored::{
        number::{millis, signed, time},
        prompt::{RunTexts, StoredPrompt},
        prompt_list::TextLocation,
        prompt_reader::{PromptError, TextSource, read_prompt},
        row,
    },
};

//! Puts a prompt together from its standard parts.

use std::fmt::{self, Write};

use serde_json::Value;

use super::{PromptWriter, primers};
use crate::{
    Issue, Issues, OutputSchema,
    blueprint::{AiDefinition, Definition, HistoryLimit, TaskIndex, TaskKind},
    issue::cut_text,
    machine::{Piece, Typed, View},
    model::ModelRequest,
};

/// What a prompt is to be written for.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub(crate) definition: &'static Definition,
    pub(crate) task: TaskIndex,
    /// The visible transitions, by their number.
    pub(crate) visible: &'a [usize],
    /// What was wrong with the last reply, on a retry.
    pub(crate) issues: Option<&'a Issues>,
    pub(crate) view: View<'a>,
    /// About how long the prompt will be.
    pub(crate) size: usize,
}

/// The request of an AI task; or why one of its templates could not be written.
pub(crate) fn assemble(question: &Question<'_>, host: &dyn Typed) -> Result<ModelRequest, String> {
    let writer = PromptWriter::with_capacity(question.size + SLACK);
    let mut parts = Parts { question, host, writer };
    match parts.request() {
        Ok(request) => Ok(request),
        Err(fmt::Error) => Err(parts.writer.take_failure()),
    }
}

/// Room for what the next prompt has more than the last one.
const SLACK: usize = 256;
/// Most issues that a prompt shows.
const MAX_ISSUES: usize = 20;
/// Most bytes that the issues of a prompt take.
const MAX_ISSUE_BYTES: usize = 4096;
/// Most bytes of one issue's message that a prompt shows.
const MAX_MESSAGE_BYTES: usize = 1024;

struct Parts<'a> {
    question: &'a Question<'a>,
    host: &'a dyn Typed,
    writer: PromptWriter,
}

impl Parts<'_> {
    fn request(&mut self) -> Result<ModelRequest, fmt::Error> {
        let Question { definition, task, visible, .. } = *self.question;
        let TaskKind::Ai(ai) = &definition.task(task).kind else {
            return Err(fmt::Error);
        };
        let output = self.host.output_schema(task);
        let format_at = if self.piece(Piece::FullPrompt(task))? {
            // A retry that does not say what was wrong would be a blind one.
            self.part(Self::errors)?;
            self.writer.len()
        } else {
            self.standard_parts(ai, output)?
        };
        let prompt = std::mem::take(&mut self.writer).finish();
        let mut request = ModelRequest::assembled(prompt, format_at);
        request.system = Some(self.system()?).filter(|system| !system.trim().is_empty());
        request.schema = self.host.schemas().reply(definition, ai, task, visible, output);
        request.temperature = ai.temperature;
        request.max_tokens = ai.max_tokens;
        Ok(request)
    }

    /// Writes all parts; the result is where the one that explains the format begins.
    fn standard_parts(
        &mut self,
        ai: &AiDefinition,
        output: Option<&OutputSchema>,
    ) -> Result<usize, fmt::Error> {
        self.part(|parts| parts.piece(Piece::Intro).map(drop))?;
        self.part(Self::goal)?;
        self.part(Self::history)?;
        self.part(Self::errors)?;
        self.part(|parts| parts.piece(Piece::Prompt(parts.question.task)).map(drop))?;
        self.part(|parts| parts.transitions(ai, output.is_some()))?;
        let format_at = self.writer.len();
        self.part(|parts| parts.format(output))?;
        Ok(format_at)
    }

    /// Writes a part after an empty line, or nothing if the part is empty.
    fn part(&mut self, write: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        let before = self.writer.len();
        if before > 0 {
            self.writer.write_str("\n\n")?;
        }
        let start = self.writer.len();
        write(self)?;
        if !self.writer.trim_to(start) {
            self.writer.truncate(before);
        }
        Ok(())
    }

    fn goal(&mut self) -> fmt::Result {
        let goal = self.question.view.goal;
        if goal.trim().is_empty() {
            return Ok(());
        }
        self.primer(Piece::GoalPrimer, primers::GOAL)?;
        self.writer.write_str(goal)
    }

    fn history(&mut self) -> fmt::Result {
        let history = self.question.view.history;
        if history.is_empty() || self.question.definition.history == HistoryLimit::None {
            return Ok(());
        }
        self.primer(Piece::HistoryPrimer, primers::HISTORY)?;
        self.writer.write_json(history)
    }

    fn errors(&mut self) -> fmt::Result {
        let Some(issues) = self.question.issues else {
            return Ok(());
        };
        self.primer(Piece::ErrorsPrimer(self.question.task), primers::ERRORS)?;
        let start = self.writer.len();
        let mut shown = 0;
        for issue in issues.iter().take(MAX_ISSUES) {
            if self.writer.len() - start > MAX_ISSUE_BYTES {
                break;
            }
            self.writer.write_str(if shown == 0 { "[" } else { ",\n" })?;
            self.issue(issue)?;
            shown += 1;
        }
        self.writer.write_str(if shown == 0 { "[]" } else { "]" })?;
        match issues.len() - shown {
            0 => Ok(()),
            more => write!(self.writer, "\n({more} more are not shown)"),
        }
    }

    fn issue(&mut self, issue: &Issue) -> fmt::Result {
        self.writer.write_json(&ShownIssue {
            path: cut_text(&issue.path, MAX_MESSAGE_BYTES),
            message: cut_text(&issue.message, MAX_MESSAGE_BYTES),
            value: issue.value.as_ref(),
        })
    }

    fn transitions(&mut self, ai: &AiDefinition, has_output: bool) -> fmt::Result {
        let Question { definition, task, visible, .. } = *self.question;
        if visible.is_empty() {
            return Ok(());
        }
        let primer = if has_output { primers::CHOICE_INSTEAD } else { primers::CHOICE };
        self.primer(Piece::TransitionsPrimer, primer)?;
        for position in visible {
            let Some(target) = ai.transitions.get(*position) else {
                continue;
            };
            let about = &definition.task(*target).about;
            write!(self.writer, "- \"{}\": ", about.name)?;
            if !self.piece(Piece::Label(task, *position))? {
                self.writer.write_str(about.description)?;
            }
            self.writer.write_str("\n")?;
        }
        Ok(())
    }

    fn format(&mut self, output: Option<&OutputSchema>) -> fmt::Result {
        let may_choose = !self.question.visible.is_empty();
        let Some(output) = output else {
            return self.writer.write_str(if may_choose { primers::ONLY_CHOICE } else { "" });
        };
        self.primer(Piece::OutputPrimer, primers::OUTPUT)?;
        self.writer.write_str(output.text())?;
        if may_choose {
            self.writer.write_str("\n")?;
            self.writer.write_str(primers::OR_CHOICE)?;
        }
        Ok(())
    }

    fn system(&mut self) -> Result<String, fmt::Error> {
        if self.piece(Piece::System)? {
            return Ok(std::mem::take(&mut self.writer).finish());
        }
        Ok(primers::SYSTEM.to_owned())
    }

    /// Writes the process's own words, or else the library's, and ends the line.
    fn primer(&mut self, piece: Piece, default: &str) -> fmt::Result {
        let start = self.writer.len();
        if !self.piece(piece)? {
            self.writer.write_str(default)?;
        }
        if self.writer.trim_to(start) {
            self.writer.write_str("\n")?;
        }
        Ok(())
    }

    fn piece(&mut self, piece: Piece) -> Result<bool, fmt::Error> {
        self.host.write(piece, &self.question.view, &mut self.writer)
    }
}

/// An issue as prompts show it.
#[derive(serde::Serialize)]
struct ShownIssue<'a> {
    path: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a Value>,
}

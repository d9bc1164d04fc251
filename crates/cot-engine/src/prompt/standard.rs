//! The standard parts of a prompt, each with its primer.

use std::fmt::{self, Write};

use cot_model::{PartName, Stability};
use cot_reader::internal::quoted;
use cot_schema::{Issue, internal::truncate};

use super::{assembly::Frame, input::PromptInput, order::Section, primers};
use crate::{
    process::{
        host::TemplateId,
        schemas::{
            cache::shown_targets,
            choice::{ChoiceTarget, ChoiceTexts, choice_notation},
        },
        scope::{About, ScopeData},
        tables::{AiDefinition, HistoryLimit},
        texts::Primer,
        trust::UntrustedHistory,
    },
    values::history::HistoryEntry,
};
use cot_template::{Fragment, PromptWriter};

/// Maximum number of issues in a prompt.
const MAX_ISSUES: usize = 20;
/// Maximum length of all issues in a prompt, in bytes.
const MAX_ISSUE_BYTES: usize = 4096;
/// Maximum length of the message of an issue, in bytes.
const MAX_MESSAGE_BYTES: usize = 1024;

impl Frame<'_> {
    /// Writes a section, or nothing if it is empty.
    pub(super) fn standard(&self, section: Section, writer: &mut PromptWriter) -> fmt::Result {
        match section {
            Section::Part(part) => self.standard_part(part, writer),
            Section::TransitionsPrimer => self.transitions_primer(writer).map(drop),
            Section::TransitionsList => self.transitions_list(true, writer),
        }
    }

    fn standard_part(&self, part: PartName, writer: &mut PromptWriter) -> fmt::Result {
        match part {
            PartName::Intro => self.template(Fragment::IntroPrompt, TemplateId::Intro, writer),
            PartName::Goal => self.goal(writer),
            PartName::History => self.history(writer),
            PartName::Errors => self.errors(writer),
            PartName::Prompt => {
                self.template(Fragment::TaskPrompt, TemplateId::Prompt(self.input().task), writer)
            }
            PartName::Transitions => self.transitions(writer),
            PartName::Output => self.format(writer),
            // The system message is not part of the prompt.
            _ => Ok(()),
        }
    }

    fn template(
        &self,
        fragment: Fragment<'_>,
        piece: TemplateId,
        writer: &mut PromptWriter,
    ) -> fmt::Result {
        if self.assembly.keeps(fragment) {
            self.write_template(piece, writer).map(drop)
        } else {
            Ok(())
        }
    }

    fn goal(&self, writer: &mut PromptWriter) -> fmt::Result {
        let goal = self.input().view.goal;
        if goal.trim_start().is_empty() || !self.assembly.keeps(Fragment::Goal) {
            return Ok(());
        }
        self.write_primer(Fragment::GoalPrimer, Primer::Goal, primers::GOAL, writer)?;
        let mark = writer.open();
        writer.write_text(goal);
        writer.close(mark, &[], Stability::PerRun);
        Ok(())
    }

    fn history(&self, writer: &mut PromptWriter) -> fmt::Result {
        let PromptInput { definition, view, .. } = self.input();
        let is_shown = definition.history != HistoryLimit::None;
        let trust = definition.trust;
        let is_untrusted = |entry: &&HistoryEntry| trust.is_untrusted(entry.task());
        let omits = trust.history == UntrustedHistory::Omit;
        let entries = view.history.iter().filter(|entry| !omits || !is_untrusted(entry));
        let entries: Vec<_> = entries.collect();
        if entries.is_empty() || !is_shown || !self.assembly.keeps(Fragment::History) {
            return Ok(());
        }
        self.write_primer(Fragment::HistoryPrimer, Primer::History, primers::HISTORY, writer)?;
        let skipped = self
            .assembly
            .partial
            .map_or(0, |it| it.skipped_entries(entries.iter().map(|entry| entry.json().len())));
        let mark = writer.open();
        if skipped > 0 {
            writeln!(writer, "[{skipped} earlier entries omitted]")?;
        }
        let shown = entries.iter().copied().skip(skipped);
        let quotes = trust.history == UntrustedHistory::Quoted;
        let is_fenced = quotes && shown.clone().any(|it| is_untrusted(&it));
        self.write_fenced(is_fenced, writer, |writer| {
            write_entries(shown, writer);
            Ok(())
        })?;
        writer.close(mark, &[], Stability::Growing);
        Ok(())
    }

    fn errors(&self, writer: &mut PromptWriter) -> fmt::Result {
        let PromptInput { definition, task, issues, .. } = *self.input();
        let Some(issues) = issues.filter(|_| self.assembly.keeps(Fragment::Errors)) else {
            return Ok(());
        };
        self.write_primer(
            Fragment::ErrorsPrimer,
            TemplateId::ErrorsPrimer(task),
            primers::ERRORS,
            writer,
        )?;
        let limit = self.assembly.partial.and_then(|partial| partial.errors_limit());
        let mark = writer.open();
        // They repeat values that were refused, and what these are made of.
        let is_fenced = definition.trust.task(task).is_some_and(|found| found.shows_untrusted);
        let listed = issues.iter().take(limit.unwrap_or(MAX_ISSUES));
        let shown = self.write_fenced(is_fenced, writer, |writer| write_issues(listed, writer))?;
        match (issues.len() - shown, limit) {
            (0, _) => {}
            (more, Some(_)) => write!(writer, "\n[{more} more errors omitted]")?,
            (more, None) => write!(writer, "\n({more} more are not shown)")?,
        }
        writer.close(mark, &[], Stability::Volatile);
        if self.assembly.keeps(Fragment::ErrorsPrimer) {
            writer.write_text("\n");
            self.write_text_of(Primer::AfterErrors, None, &[primers::AFTER_ERRORS], "", writer)?;
        }
        Ok(())
    }

    /// Writes a text, in a fence that it can't close if it has untrusted values.
    fn write_fenced<T>(
        &self,
        is_fenced: bool,
        writer: &mut PromptWriter,
        write: impl FnOnce(&mut PromptWriter) -> Result<T, fmt::Error>,
    ) -> Result<T, fmt::Error> {
        if !is_fenced {
            return write(writer);
        }
        let mut inside = self.assembly.new_writer();
        let written = write(&mut inside)?;
        writer.write_text(&quoted(&inside.finish()));
        Ok(written)
    }

    fn transitions(&self, writer: &mut PromptWriter) -> fmt::Result {
        let is_introduced = self.transitions_primer(writer)?;
        self.transitions_list(!is_introduced, writer)
    }

    /// Writes the text before the transitions. Returns whether it is one of the process, which introduces the
    /// list too.
    fn transitions_primer(&self, writer: &mut PromptWriter) -> Result<bool, fmt::Error> {
        if !self.shows_transitions() {
            return Ok(false);
        }
        let has_output = self.assembly.host.output_schema(self.input().task).is_some();
        let primer = if has_output { primers::CHOICE_INSTEAD } else { primers::CHOICE };
        self.write_primer(Fragment::TransitionsPrimer, Primer::Transitions, primer, writer)
    }

    /// Writes the list of visible transitions, after a line that introduces it if it needs one.
    fn transitions_list(&self, needs_words: bool, writer: &mut PromptWriter) -> fmt::Result {
        let Some(ai) = self.ai().filter(|_| self.shows_transitions()) else {
            return Ok(());
        };
        let tasks = if needs_words { primers::TASKS } else { "" };
        self.write_primer(Fragment::TransitionsPrimer, Primer::Tasks, tasks, writer)?;
        for position in self.input().visible {
            self.transition(ai, *position, writer)?;
        }
        if self.is_choice_guarded(ai) && self.assembly.keeps(Fragment::Output) {
            let format = writer.enter_part(PartName::Output);
            let mark = writer.open();
            self.choice(writer)?;
            writer.close(mark, &[], Stability::Volatile);
            writer.leave_part(format);
        }
        Ok(())
    }

    fn shows_transitions(&self) -> bool {
        !self.input().visible.is_empty() && self.assembly.keeps(Fragment::Transitions)
    }

    fn transition(
        &self,
        ai: &AiDefinition,
        position: usize,
        writer: &mut PromptWriter,
    ) -> fmt::Result {
        let PromptInput { definition, task, .. } = *self.input();
        let Some(transition) = ai.transitions.get(position) else {
            return Ok(());
        };
        let about = &definition.task(transition.target).about;
        let mark = writer.open();
        let name = ["- \"", about.name, "\":"];
        self.write_text_of(Primer::Transition, Some(about), &name, " ", writer)?;
        if !self.write_template(TemplateId::Label(task, position), writer)? {
            writer.write_text(about.description);
        }
        writer.write_text("\n");
        // Transitions without a guard are the same in every request.
        if self.assembly.host.is_guarded(task, position) {
            writer.close_whole(&mark);
        }
        Ok(())
    }

    fn format(&self, writer: &mut PromptWriter) -> fmt::Result {
        if !self.assembly.keeps(Fragment::Output) {
            return Ok(());
        }
        if self.ai().is_some_and(|ai| ai.format.is_reasoning()) {
            writer.write_text(primers::default_system_prompt());
            return Ok(());
        }
        if let Some(output) = self.assembly.host.output_schema(self.input().task) {
            self.write_text_of(Primer::Output, None, &[primers::OUTPUT], "\n", writer)?;
            writer.write_text(output.notation());
            writer.write_text("\n");
        }
        match self.ai().filter(|ai| !self.is_choice_guarded(ai)) {
            Some(_) => self.choice(writer),
            None => Ok(()),
        }
    }

    /// Writes the type of a choice, if the model may choose.
    fn choice(&self, writer: &mut PromptWriter) -> fmt::Result {
        let PromptInput { definition, task, visible, .. } = *self.input();
        let Some(ai) = self.ai().filter(|_| !visible.is_empty()) else {
            return Ok(());
        };
        let host = self.assembly.host;
        let (primer, default) = match host.output_schema(task) {
            Some(_) => (Primer::OrChoice, primers::OR_CHOICE),
            None => (Primer::Choice, primers::ONLY_CHOICE),
        };
        self.write_text_of(primer, None, &[default], "\n", writer)?;
        if definition.texts.primers.iter().any(|(primer, _)| primer.is_of_choice()) {
            let targets = shown_targets(definition, ai, visible, &|task| host.inputs_schema(task));
            writer.write_text(&self.own_choice(&targets)?);
        } else if let Some(format) = &self.assembly.format {
            writer.write_text(&format.choice);
        }
        Ok(())
    }

    /// Returns the choice as a type with the comments of the process.
    fn own_choice(&self, targets: &[ChoiceTarget]) -> Result<String, fmt::Error> {
        let text = |primer, task, default: &[&str]| {
            let mut writer = self.assembly.new_writer();
            self.write_text_of(primer, task, default, "", &mut writer)?;
            Ok(writer.finish())
        };
        let takers = targets.iter().filter(|target| target.inputs.is_some());
        let inputs = takers.map(|target| {
            text(Primer::Inputs, Some(target.about), &primers::inputs(target.about.name))
        });
        Ok(choice_notation(
            targets,
            &ChoiceTexts {
                go_to: text(Primer::GoTo, None, &[primers::GO_TO])?,
                inputs: inputs.collect::<Result<_, _>>()?,
                no_inputs: text(Primer::NoInputs, None, &[primers::NO_INPUTS])?,
                intent: text(Primer::Intent, None, &[primers::INTENT])?,
                step_after: text(Primer::StepAfter, None, &[primers::STEP_AFTER])?,
            },
        ))
    }

    /// Returns whether the type of a choice changes within a run, so that it stands after the parts that do not.
    fn is_choice_guarded(&self, ai: &AiDefinition) -> bool {
        let task = self.input().task;
        let mut transitions = ai.transitions.iter().enumerate();
        transitions.any(|(at, it)| it.with_model && self.assembly.host.is_guarded(task, at))
    }

    /// Writes a primer and ends the line, unless it is omitted. Returns whether it is one of the process.
    fn write_primer(
        &self,
        fragment: Fragment<'_>,
        own: impl Into<TemplateId>,
        default: &str,
        writer: &mut PromptWriter,
    ) -> Result<bool, fmt::Error> {
        let is_kept = self.assembly.keeps(fragment);
        if is_kept { self.write_text_of(own, None, &[default], "\n", writer) } else { Ok(false) }
    }

    /// Writes the text of the process, or else the default text, and what ends it if it is not empty. In the text,
    /// `task` may be another one. Returns whether the process has a text.
    fn write_text_of(
        &self,
        own: impl Into<TemplateId>,
        task: Option<&'static About>,
        default: &[&str],
        end: &str,
        writer: &mut PromptWriter,
    ) -> Result<bool, fmt::Error> {
        let (start, own) = (writer.written(), own.into());
        let is_own = self.may_have(own) && {
            let view = self.input().view;
            let view = ScopeData { parts: Some(self), task: task.unwrap_or(view.task), ..view };
            self.assembly.host.write(own, &view, writer)?
        };
        if !is_own {
            default.iter().for_each(|text| writer.write_text(text));
        }
        if writer.trim_to(start) {
            writer.write_text(end);
        }
        Ok(is_own)
    }

    /// Returns whether the process may have a text. Most have no primer, and each prompt has several.
    fn may_have(&self, text: TemplateId) -> bool {
        let declared = self.input().definition.texts.primers;
        !matches!(text, TemplateId::Primer(_)) || !declared.is_empty()
    }

    fn ai(&self) -> Option<&'static AiDefinition> {
        self.input().definition.task(self.input().task).kind.ai()
    }
}

/// Writes history entries as a JSON list. Equal transitions are written once: a model repeats what it is shown often.
fn write_entries<'e>(entries: impl Iterator<Item = &'e HistoryEntry>, writer: &mut PromptWriter) {
    let mut before = "[";
    for entry in entries.filter(|entry| !entry.is_repeated()) {
        writer.write_text(before);
        writer.write_text(entry.json());
        before = ",";
    }
    writer.write_text(if before == "[" { "[]" } else { "]" });
}

/// Writes issues as lines, up to the length limit. Returns the number written.
fn write_issues<'i>(
    issues: impl Iterator<Item = &'i Issue>,
    writer: &mut PromptWriter,
) -> Result<usize, fmt::Error> {
    let start = writer.written();
    let mut shown = 0;
    for Issue { path, message, value, .. } in issues {
        if writer.written() - start > MAX_ISSUE_BYTES {
            break;
        }
        writer.write_text(if shown == 0 { "- " } else { "\n- " });
        writer.write_text(truncate(path, MAX_MESSAGE_BYTES));
        writer.write_text(": ");
        writer.write_text(truncate(message, MAX_MESSAGE_BYTES));
        if let Some(value) = value {
            writer.write_text("; you gave ");
            writer.write_json(value)?;
        }
        shown += 1;
    }
    Ok(shown)
}

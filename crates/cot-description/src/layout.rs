//! The layout of the prompts of a task: its sections in order, with what is known of them before a run.

use std::hash::Hasher;

use cot_engine::internal::{
    AiDefinition, Definition, HistoryLimit, Primer, ProcessOutline, ProcessTexts, Section,
    TaskIndex, TaskOutline, TaskTexts, TextFacts, TransitionDefinition, hex, primers,
    section_order,
};
use cot_model::{PartName, Stability, Turn};
use fnv::FnvHasher;
use serde::Serialize;

/// The layout of the prompts of a task.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Layout {
    pub(crate) sections: Vec<SectionFacts>,
    /// The length of the fixed text, in bytes.
    pub(crate) fixed: usize,
    /// The length of the fixed text before the first value.
    pub(crate) fixed_prefix: usize,
    /// The number of values that are per run.
    pub(crate) per_run: usize,
    /// The number of growing values.
    pub(crate) growing: usize,
    /// The number of volatile values.
    pub(crate) volatile: usize,
}

/// A section of a request.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SectionFacts {
    pub(crate) part: &'static str,
    pub(crate) stability: Stability,
    pub(crate) fixed_bytes: usize,
    /// Hash of the texts of the section.
    pub(crate) hash: String,
}

/// Returns the layout of a task that asks a model.
pub(crate) fn layout(
    outline: &'static dyn ProcessOutline,
    task: TaskIndex,
    code: &TaskOutline,
) -> Option<Layout> {
    let definition = outline.definition();
    let ai = definition.tasks.get(task)?.kind.ai()?;
    let examples = outline.examples().iter().find(|examples| examples.task == task);
    let examples = examples.map_or(&[][..], |examples| &examples.turns);
    let sections = Sections { outline, definition, task, ai, code, examples };
    Some(sections.layout())
}

/// The text of a section: its fixed text, and its values by their stability.
#[derive(Default)]
struct SectionText {
    fixed: usize,
    prefix: usize,
    values: [usize; 3],
    /// The length of the white space at the end.
    trailing: usize,
    hasher: FnvHasher,
}

impl SectionText {
    fn text(&mut self, text: &str) {
        self.facts(TextFacts::new(text.len(), text.len(), [0; 3], hash(text)));
        self.trailing = text.len() - text.trim_ascii_end().len();
    }

    fn facts(&mut self, facts: TextFacts) {
        if self.values == [0; 3] {
            self.prefix += facts.prefix;
        }
        self.trailing = 0;
        self.fixed += facts.fixed;
        for (count, more) in self.values.iter_mut().zip(facts.values) {
            *count += more;
        }
        self.hasher.write_u64(facts.hash);
    }

    fn value(&mut self, stability: Stability) {
        let values = match stability {
            Stability::Fixed => [0; 3],
            Stability::PerRun => [1, 0, 0],
            Stability::Growing => [0, 1, 0],
            Stability::Volatile => [0, 0, 1],
        };
        self.facts(TextFacts::new(0, 0, values, 0));
    }

    /// Adds the text of the process, or else the default text, and ends the line.
    fn primer(&mut self, own: Option<TextFacts>, default: &str) {
        let before = (self.fixed, self.values);
        self.own_or(own, default);
        if (self.fixed, self.values) != before {
            self.text("\n");
        }
    }

    /// Adds the text of the process, or else the default text.
    fn own_or(&mut self, own: Option<TextFacts>, default: &str) {
        match own {
            Some(facts) => self.facts(facts),
            None => self.text(default),
        }
    }

    /// Removes the white space at the end.
    fn trim(&mut self) {
        self.fixed -= self.trailing;
        self.prefix = self.prefix.min(self.fixed);
        self.trailing = 0;
    }

    fn stability(&self) -> Stability {
        TextFacts::new(0, 0, self.values, 0).stability()
    }

    const fn is_empty(&self) -> bool {
        matches!((self.fixed, self.values), (0, [0, 0, 0]))
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// The sections of the requests of a task.
struct Sections<'a> {
    outline: &'static dyn ProcessOutline,
    definition: &'static Definition,
    task: TaskIndex,
    ai: &'static AiDefinition,
    code: &'a TaskOutline,
    examples: &'static [Turn],
}

impl Sections<'_> {
    fn layout(&self) -> Layout {
        let mut layout = Layout::default();
        let mut is_prefix = true;
        for (part, text) in self.texts() {
            if is_prefix {
                layout.fixed_prefix += text.prefix;
            }
            is_prefix &= text.values == [0; 3];
            layout.fixed += text.fixed;
            let [per_run, growing, volatile] = text.values;
            layout.per_run += per_run;
            layout.growing += growing;
            layout.volatile += volatile;
            layout.sections.push(SectionFacts {
                part,
                stability: text.stability(),
                fixed_bytes: text.fixed,
                hash: hex(text.hasher.finish()),
            });
        }
        layout
    }

    /// Returns the sections that are not empty, in the order of the request.
    fn texts(&self) -> Vec<(&'static str, SectionText)> {
        let mut texts = vec![
            (PartName::System.as_str(), self.system()),
            ("examples", self.examples()),
            (PartName::Turns.as_str(), self.turns()),
        ];
        let mut is_first = true;
        for section in self.prompt() {
            let mut text = SectionText::default();
            // The sections of a prompt are separated by a blank line.
            if !is_first {
                text.text("\n\n");
            }
            let before = text.fixed;
            self.section(section, &mut text);
            text.trim();
            if text.fixed > before || text.values != [0; 3] {
                is_first = false;
                texts.push((section.part().as_str(), text));
            }
        }
        texts.retain(|(_, text)| !text.is_empty());
        texts
    }

    fn prompt(&self) -> Vec<Section> {
        match self.own().full_prompt {
            Some(_) => [PartName::Prompt, PartName::Errors].map(Section::Part).to_vec(),
            None => section_order(self.definition, self.task).iter().collect(),
        }
    }

    fn primer(&self, primer: Primer) -> Option<TextFacts> {
        self.process().primer(primer)
    }

    fn process(&self) -> &'static ProcessTexts {
        &self.definition.texts
    }

    fn own(&self) -> &'static TaskTexts {
        &self.definition.task(self.task).texts
    }

    fn system(&self) -> SectionText {
        let mut text = SectionText::default();
        match self.process().system {
            Some(facts) => text.facts(facts),
            None => text.text(primers::SYSTEM),
        }
        text
    }

    fn examples(&self) -> SectionText {
        let mut text = SectionText::default();
        self.examples.iter().for_each(|turn| text.text(&turn.text));
        text
    }

    fn turns(&self) -> SectionText {
        let mut text = SectionText::default();
        if let Some(stability) = self.own().turns {
            text.value(stability);
        }
        text
    }

    fn section(&self, section: Section, text: &mut SectionText) {
        let own = self.own().full_prompt.or(self.own().prompt);
        match section {
            Section::TransitionsPrimer => self.transitions_primer(text),
            Section::TransitionsList => self.transitions_list(true, text),
            Section::Part(PartName::Intro) => {
                self.process().intro.into_iter().for_each(|facts| text.facts(facts));
            }
            Section::Part(PartName::Prompt) => own.into_iter().for_each(|facts| text.facts(facts)),
            Section::Part(PartName::Goal) => self.goal(text),
            Section::Part(PartName::History) => self.history(text),
            Section::Part(PartName::Errors) => {
                let primer = self.own().errors_primer.or_else(|| self.primer(Primer::Errors));
                text.primer(primer, primers::ERRORS);
                text.value(Stability::Volatile);
                text.text("\n");
                text.own_or(self.primer(Primer::AfterErrors), primers::AFTER_ERRORS);
            }
            Section::Part(PartName::Transitions) => {
                self.transitions_primer(text);
                let is_introduced = self.primer(Primer::Transitions).is_some();
                self.transitions_list(!is_introduced, text);
            }
            Section::Part(PartName::Output) => self.output(text),
            Section::Part(_) => {}
        }
    }

    fn goal(&self, text: &mut SectionText) {
        if self.outline.has_goal() || self.definition.uses_goal {
            text.primer(self.primer(Primer::Goal), primers::GOAL);
            text.value(Stability::PerRun);
        }
    }

    fn history(&self, text: &mut SectionText) {
        if self.definition.history != HistoryLimit::None {
            text.primer(self.primer(Primer::History), primers::HISTORY);
            text.value(Stability::Growing);
        }
    }

    fn transitions_primer(&self, text: &mut SectionText) {
        if !self.ai.transitions.is_empty() {
            let has_output = self.code.output.is_some();
            let default = if has_output { primers::CHOICE_INSTEAD } else { primers::CHOICE };
            text.primer(self.primer(Primer::Transitions), default);
        }
    }

    fn transitions_list(&self, needs_words: bool, text: &mut SectionText) {
        if self.ai.transitions.is_empty() {
            return;
        }
        let tasks = if needs_words { primers::TASKS } else { "" };
        text.primer(self.primer(Primer::Tasks), tasks);
        let prefix = text.prefix;
        for (transition, has_label) in self.fixed_transitions() {
            let about = &self.definition.task(transition.target).about;
            text.own_or(self.primer(Primer::Transition), &format!("- \"{}\":", about.name));
            text.text(" ");
            text.text(if has_label { "" } else { about.description });
            text.text("\n");
        }
        let ends_with_guard = self.code.transitions.last().is_some_and(|code| code.has_guard);
        if !ends_with_guard {
            // The labels are not the end of the text, although they are counted last.
            text.trim();
        }
        if let Some(labels) = self.own().labels {
            text.facts(labels);
            // A value may stand in any label.
            text.prefix = if labels.values == [0; 3] { text.prefix } else { prefix };
        }
    }

    /// Returns the transitions without a guard, and whether each has a label.
    fn fixed_transitions(&self) -> impl Iterator<Item = (&'static TransitionDefinition, bool)> {
        let both = self.ai.transitions.iter().zip(&self.code.transitions);
        let fixed = both.filter(|(_, code)| !code.has_guard);
        fixed.map(|(transition, code)| (transition, code.has_label))
    }

    fn output(&self, text: &mut SectionText) {
        if self.ai.format.is_reasoning() {
            text.text(primers::default_system_prompt());
            return;
        }
        if let Some(output) = self.code.output {
            text.primer(self.primer(Primer::Output), primers::OUTPUT);
            text.text(output.notation());
            text.text("\n");
        }
        if self.ai.transitions.is_empty() || self.is_choice_guarded() {
            text.trim();
            return;
        }
        match self.code.output {
            Some(_) => text.primer(self.primer(Primer::OrChoice), primers::OR_CHOICE),
            None => text.primer(self.primer(Primer::Choice), primers::ONLY_CHOICE),
        }
        let format = self.outline.widest_reply(self.task);
        text.text(format.as_ref().map_or("", |format| &format.choice));
    }

    /// Returns whether a task that takes inputs from the model can be hidden, so that no part of the choice's type
    /// is fixed.
    fn is_choice_guarded(&self) -> bool {
        let mut both = self.ai.transitions.iter().zip(&self.code.transitions);
        both.any(|(transition, code)| transition.with_model && code.has_guard)
    }
}

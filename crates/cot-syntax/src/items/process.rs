//! The items of a process.

use syn::{Ident, LitBool, LitInt, Path};

use crate::{
    items::{budget::BudgetItems, history::HistoryValue},
    parse::{item::Slot, row::Range, table::item_table},
    task::Task,
    template::syntax::Template,
    values::{
        duration::Seconds,
        engines::Engines,
        parts::{Part, Primers, Prompts},
        plain::CratePath,
        sequence::Sequence,
        state::StateItem,
    },
};

item_table! {
    /// The items of a process.
    pub struct ProcessItems of "process" {
        /// What the tasks share.
        state: Slot<StateItem> { form: "state: Type` or `state: { name: Type, … }" }
        /// What the process is for.
        goal: Slot<Template> { form: "goal: \"template\"" }
        /// The first part of every prompt.
        intro: Slot<Template> { form: "intro: \"template\"" }
        /// The system message of every request.
        system: Slot<Template> { form: "system: \"template\"" }
        /// The parts that prompts can show.
        prompts: Slot<Prompts> { form: "prompts: { name: \"template\", … }" }
        /// What stands before the standard parts of prompts.
        primers: Slot<Primers> { form: "primers: { goal: \"template\", … }" }
        /// The engines that tasks ask.
        model: Slot<Engines> { form: "model: \"engine id\"` or `model: [\"first\", \"second\"]" }
        /// The most retries of a task.
        max_retries: Slot<LitInt> { form: "max_retries: 2", range: Some(Range::COUNT) }
        /// How much of the history prompts show.
        history: Slot<HistoryValue> { form: "history: none` or `history: { max_items: 20 }" }
        /// The first task.
        start: Slot<Ident> { form: "start: task" }
        /// Where tasks go that lead nowhere.
        default_return: Slot<Ident> { form: "default_return: task" }
        /// The most steps of a run.
        max_steps: Slot<LitInt> { form: "max_steps: 50", range: Some(Range::LIMIT) }
        /// The longest time of a run.
        timeout: Slot<Seconds> { form: "timeout: 10m" }
        /// What a run may use up.
        budget: Slot<BudgetItems> { form: "budget: { tokens: 100000 }" }
        /// The function that answers for the tasks without a mock.
        mock: Slot<Path> { form: "mock: function" }
        /// Whether mocks answer.
        mock_mode: Slot<LitBool> { form: "mock_mode: true" }
        /// Where generated code finds the library.
        crate_path: Slot<CratePath> { key: "crate", form: "crate: ::path::to::cot_core" }
        /// The sequences of tasks.
        sequences: Vec<Sequence> { key: "sequence", form: "sequence name [task, task]" }
        /// The tasks.
        tasks: Vec<Task> { key: "task", form: "task name { … }" }
    }
}

impl ProcessItems {
    /// Returns the parts that prompts can show.
    pub fn parts(&self) -> &[Part] {
        self.prompts.as_ref().map_or(&[], |item| &item.value.0)
    }

    /// Returns what stands before the standard parts of prompts.
    pub fn primer_parts(&self) -> &[Part] {
        self.primers.as_ref().map_or(&[], |item| &item.value.0)
    }
}

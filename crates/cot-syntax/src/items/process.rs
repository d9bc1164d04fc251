//! The items of a process.

use std::mem;

use syn::{Ident, LitBool, LitInt, Path, Type};

use crate::{
    items::{
        at_most::AtMostItems, budget::BudgetItems, history::HistoryValue,
        settings::item_table_with_settings,
    },
    parse::{item::Slot, row::Range},
    task::Task,
    template::syntax::Template,
    values::{
        duration::DurationValue,
        engines::Engines,
        order::Order,
        parts::{Part, Primers, Prompts},
        plain::CratePath,
        sequence::Sequence,
        state::StateItem,
        tools::tool::Tools,
        word::TrustValue,
    },
};

item_table_with_settings! {
    kinds: &[];
    /// The items of a process.
    pub struct ProcessItems of "process" {
        /// The state that the tasks share.
        state: Slot<StateItem> { form: "state: Type` or `state: { name: Type, … }" }
        /// The type of what the program gives to the functions of the process.
        context: Slot<Type> { form: "context: Type" }
        /// The goal of the process.
        goal: Slot<Template> { form: "goal: \"template\"" }
        /// The first part of every prompt.
        intro: Slot<Template> { form: "intro: \"template\"" }
        /// The system message of every request.
        system: Slot<Template> { form: "system: \"template\"" }
        /// The named texts that prompts can show.
        prompts: Slot<Prompts> { form: "prompts: { name: \"template\", … }" }
        /// The texts in place of the default ones around the standard parts of prompts.
        primers: Slot<Primers> { form: "primers: { goal: \"template\", … }" }
        /// The functions that models can call.
        tools: Slot<Tools> { form: "tools: { name: function \"what it does\", … }" }
        /// The maximum number of tool calls in a visit of a task.
        max_tool_calls: Slot<LitInt> { form: "max_tool_calls: 16", range: Some(Range::LIMIT) }
        /// The order of the standard parts of prompts.
        order: Slot<Order> { form: "order: [intro, goal, prompt, transitions, output, history, errors]" }
        /// The engines of all tasks that do not name their own.
        model: Slot<Engines> { form: "model: \"engine id\"` or `model: [\"first\", \"second\"]" }
        /// The engines that private values may be shown to.
        private: Slot<Engines> { form: "private: [\"engine id\"]" }
        /// Whether it is an error that an untrusted value reaches an effect.
        trust: Slot<TrustValue> { form: "trust: strict` or `trust: warn" }
        /// The maximum number of retries of a task.
        max_retries: Slot<LitInt> { form: "max_retries: 2", range: Some(Range::COUNT) }
        /// The maximum number of times that a model makes the same choice in a row.
        max_repeats: Slot<LitInt> { form: "max_repeats: 3", range: Some(Range::LIMIT) }
        /// The part of the history that prompts show.
        history: Slot<HistoryValue> { form: "history: none` or `history: { max_items: 20 }" }
        /// The first task.
        start: Slot<Ident> { form: "start: task" }
        /// The task that follows tasks without a `next`.
        default_return: Slot<Ident> { form: "default_return: task" }
        /// The maximum number of steps of a run.
        max_steps: Slot<LitInt> { form: "max_steps: 50", range: Some(Range::LIMIT) }
        /// The maximum duration of a run.
        timeout: Slot<DurationValue> { form: "timeout: 10m" }
        /// The limits on tokens, model calls and cost of a run.
        budget: Slot<BudgetItems> { form: "budget: { tokens: 100000 }" }
        /// What a run is proven not to exceed.
        at_most: Slot<AtMostItems> { form: "at_most: { calls: 60, output_tokens: 90000 }" }
        /// The mock function of all tasks that have none of their own.
        mock: Slot<Path> { form: "mock: function" }
        /// Whether the mocks are active.
        mock_mode: Slot<LitBool> { form: "mock_mode: true" }
        /// The path of `cot_core` in generated code.
        crate_path: Slot<CratePath> { key: "crate", form: "crate: ::path::to::cot_core" }
        /// The sequences of tasks.
        sequences: Vec<Sequence> { key: "sequence", form: "sequence name [task, task]" }
        /// The tasks.
        tasks: Vec<Task> { key: "task", form: "task name { … }" }
        /// The tasks that run branches at the same time.
        // They are put among the others after parsing.
        parallel: Vec<Task> { form: "parallel name [task, task] => join" }
    }
}

impl ProcessItems {
    /// Returns the named texts of `prompts`.
    pub fn parts(&self) -> &[Part] {
        self.prompts.as_ref().map_or(&[], |item| &item.value.0)
    }

    /// Puts the parallel tasks among the others, in the order of declaration. `keys` are those of all items.
    /// Returns whether the order is known: a misspelled keyword is not among the keys.
    pub(crate) fn order_tasks(&mut self, keys: &[Ident]) -> bool {
        if self.parallel.is_empty() {
            return true;
        }
        let mut tasks = mem::take(&mut self.tasks).into_iter();
        let mut parallel = mem::take(&mut self.parallel).into_iter();
        for key in keys {
            if key == "task" {
                self.tasks.extend(tasks.next());
            } else if key == "parallel" {
                self.tasks.extend(parallel.next());
            }
        }
        let ordered = self.tasks.len();
        self.tasks.extend(tasks.chain(parallel));
        ordered == self.tasks.len()
    }

    /// Returns the named texts of `primers`.
    pub fn primer_parts(&self) -> &[Part] {
        self.primers.as_ref().map_or(&[], |item| &item.value.0)
    }
}

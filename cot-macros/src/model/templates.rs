//! The templates of a process, with their roles.

use super::process::Model;
use cot_syntax::{TaskItems, Template, ValueView};

/// The role of a template, which determines the names that it can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The goal, rendered once at the start of a run.
    Goal,
    /// A template that tasks share: `intro`, `system`, primers and parts.
    Prompt,
    /// A template of the task with this index.
    Task(usize),
    /// The `full_prompt` of the task with this index.
    Full(usize),
}

/// A template of a process, with its role.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TemplateUse<'a> {
    pub(crate) template: &'a Template,
    pub(crate) role: Role,
    /// The item that contains the template, such as `prompt` or `primers`, or `label`.
    pub(crate) item: &'static str,
    /// The index of the part, if the template is one.
    pub(crate) part: Option<usize>,
}

impl<'a> Model<'a> {
    /// Returns every template of the process.
    pub(crate) fn templates(&self) -> Vec<TemplateUse<'a>> {
        let mut uses = self.shared_templates();
        for index in 0..self.tasks.len() {
            uses.extend(self.task_templates(index));
        }
        uses
    }

    /// Returns the templates outside of tasks.
    pub(crate) fn shared_templates(&self) -> Vec<TemplateUse<'a>> {
        let items = &self.syntax.items;
        let used = |item, role| {
            move |template: &'a Template| TemplateUse { template, role, item, part: None }
        };
        let mut uses = Vec::new();
        let own = [
            (&items.goal, used("goal", Role::Goal)),
            (&items.intro, used("intro", Role::Prompt)),
            (&items.system, used("system", Role::Prompt)),
        ];
        uses.extend(own.into_iter().filter_map(|(slot, used)| Some(used(&slot.as_ref()?.value))));
        let parts = self.parts.iter().enumerate();
        let part = used("prompts", Role::Prompt);
        uses.extend(
            parts.map(|(index, it)| TemplateUse { part: Some(index), ..part(&it.template) }),
        );
        let primer = used("primers", Role::Prompt);
        uses.extend(self.primers.iter().map(|part| primer(&part.template)));
        uses
    }

    /// Returns the templates of the task with this index.
    pub(crate) fn task_templates(&self, index: usize) -> Vec<TemplateUse<'a>> {
        let task = &self.tasks[index];
        let used =
            |template: &'a Template, item, role| TemplateUse { template, role, item, part: None };
        let items = TaskItems::TABLE.items(&task.syntax.items);
        let texts = items.filter_map(|(row, item)| match item.value {
            ValueView::Template(template) if row.key == "full_prompt" => {
                Some(used(template, row.key, Role::Full(index)))
            }
            ValueView::Template(template) => Some(used(template, row.key, Role::Task(index))),
            _ => None,
        });
        let labels = task.transitions.iter().filter_map(|edge| edge.syntax.label.as_ref());
        texts.chain(labels.map(|label| used(label, "label", Role::Task(index)))).collect()
    }
}

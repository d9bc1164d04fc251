//! Finds the Rust code in a process: expressions, types and paths.
//!
//! A test compares the items with those of the grammar's tables, so that one that is added there is added here too.

use cot_syntax::{
    Engine, Engines, Part, Process, ProcessItems, StateItem, Task, TaskItems, Template, Tool,
    ToolWork, With,
};
use syn::{Expr, Path, Type, spanned::Spanned as _};

use crate::outline::{FragmentKind, Outline};

/// Adds the code, the keys and the names of a process.
pub(crate) fn collect(process: &Process, outline: &mut Outline) {
    let items = ProcessItems::TABLE.items(&process.items);
    outline.keys.extend(items.map(|(_, item)| item.key.span().byte_range().start));
    process_items(&process.items, outline);
}

impl Outline {
    fn expr(&mut self, expr: &Expr) {
        self.add(FragmentKind::Expr, expr.span());
    }

    fn optional(&mut self, expr: Option<&Expr>) {
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    fn path(&mut self, path: &Path) {
        self.add(FragmentKind::Expr, path.span());
    }

    fn ty(&mut self, ty: &Type) {
        self.add(FragmentKind::Type, ty.span());
    }

    fn template(&mut self, template: &Template) {
        if let Template::Function(path) = template {
            self.path(path);
        }
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            self.template(&part.template);
        }
    }

    fn state(&mut self, state: &StateItem) {
        match state {
            StateItem::Type(ty) => self.ty(ty),
            StateItem::Inline(state) => {
                for field in &state.fields {
                    self.ty(&field.ty);
                    self.optional(field.default.as_ref());
                }
            }
        }
    }

    fn engines(&mut self, engines: &Engines) {
        for engine in &engines.0 {
            if let Engine::Constant(path) = engine {
                self.path(path);
            }
        }
    }
}

/// Calls a method of the outline with the value of each item that is present.
macro_rules! each {
    ($items:ident => $outline:ident.$method:ident: $($item:ident),*) => {$(
        if let Some(item) = &$items.$item {
            $outline.$method(&item.value);
        }
    )*};
}

fn process_items(items: &ProcessItems, outline: &mut Outline) {
    each!(items => outline.state: state);
    each!(items => outline.ty: context);
    each!(items => outline.template: goal, intro, system);
    each!(items => outline.engines: model, private);
    each!(items => outline.path: mock);
    if let Some(prompts) = &items.prompts {
        outline.parts(&prompts.value.0);
    }
    if let Some(primers) = &items.primers {
        outline.parts(&primers.value.0);
    }
    for tool in items.tools.iter().flat_map(|tools| &tools.value.tools) {
        add_tool(tool, outline);
    }
    if let Some(path) = &items.crate_path {
        outline.path(&path.value.0);
    }
    let sequences = items.sequences.iter().map(|sequence| sequence.name.span());
    outline.names.extend(sequences.map(|name| name.byte_range().start));
    items.tasks.iter().chain(&items.parallel).for_each(|task| add_task(task, outline));
}

fn add_tool(tool: &Tool, outline: &mut Outline) {
    match &tool.work {
        ToolWork::Function { path, .. } => outline.path(path),
        ToolWork::Source(source) => outline.expr(source),
    }
    let items = &tool.items;
    each!(items => outline.path: mock);
    tool.found_rows().iter().for_each(|row| outline.expr(&row.source));
    outline.optional(tool.guard.as_ref());
}

fn add_task(task: &Task, outline: &mut Outline) {
    outline.names.insert(task.name.span().byte_range().start);
    outline.keys.extend(task.keys.iter().map(|key| key.span().byte_range().start));
    if let Some(output) = &task.output {
        outline.ty(output);
    }
    let items = &task.items;
    each!(items => outline.ty: inputs);
    each!(items => outline.path: run, examples, mock);
    each!(items => outline.expr: context, turns, calls);
    each!(items => outline.template: ask, prompt, full_prompt, reason, errors_primer, fail);
    each!(items => outline.engines: model);
    add_work(items, outline);
    add_routes(items, outline);
}

fn add_work(items: &TaskItems, outline: &mut Outline) {
    if let Some(process) = &items.process {
        outline.path(&process.value.path);
        outline.optional(process.value.with.as_ref());
    }
    if let Some(for_each) = &items.for_each {
        outline.expr(&for_each.value.list);
    }
    if let Some(read) = &items.read {
        let items = &read.value;
        each!(items => outline.path: reply, until, schema);
    }
    for tool in items.tools.iter().flat_map(|tools| &tools.value) {
        outline.optional(tool.guard.as_ref());
    }
    for row in items.found_in.iter().flat_map(|found_in| &found_in.value.rows) {
        outline.expr(&row.source);
    }
    if let Some(check) = &items.check {
        outline.path(&check.value.path);
    }
    if let Some(function) = &items.process_output {
        function.value.path.iter().for_each(|path| outline.path(path));
    }
}

fn add_routes(items: &TaskItems, outline: &mut Outline) {
    for transition in items.transitions.iter().flat_map(|transitions| &transitions.value) {
        transition.label.iter().for_each(|label| outline.template(label));
        outline.optional(transition.with.as_ref().and_then(With::expr));
        outline.optional(transition.guard.as_ref());
    }
    for arm in items.next.iter().flat_map(|next| &next.value.arms) {
        outline.optional(arm.with.as_ref());
        outline.optional(arm.guard.as_ref());
    }
    for write in items.update.iter().flat_map(|update| &update.value.writes) {
        outline.add(FragmentKind::StatePath, write.path.span());
        outline.optional(write.value.as_ref());
        outline.optional(write.guard.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The items that contain no Rust code.
    const WITHOUT_CODE: &str = "max_tool_calls max_repeats always_ask order max_retries history start default_return max_steps timeout budget at_most \
        mock_mode sequence temperature top_p max_tokens stop seed effort extra title description max_concurrency max_items collect \
        wait on join retry effect trust content clears trusts may_end no_history end";

    /// The items whose code is collected above.
    const WITH_CODE: &str = "state context goal intro system prompts primers tools model private mock crate task parallel inputs \
        run ask process for_each prompt full_prompt reason read turns examples transitions calls update found_in check \
        process_output next errors_primer fail";

    #[test]
    fn each_item_is_known() {
        let known: Vec<&str> =
            WITHOUT_CODE.split_whitespace().chain(WITH_CODE.split_whitespace()).collect();
        let items = ProcessItems::TABLE.rows().iter().map(|row| row.key);
        for key in items.chain(TaskItems::TABLE.rows().iter().map(|row| row.key)) {
            assert!(known.contains(&key), "collect the Rust code in `{key}`, if it can have any");
        }
    }
}

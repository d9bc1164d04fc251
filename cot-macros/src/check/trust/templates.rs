//! The rules about untrusted values in templates: a prompt shows them in a fence, and never as instructions.

use cot_syntax::diagnostics::Errors;
use syn::Expr;

use super::{
    facts::{Fact, facts_in, outside_fences},
    finding::Finding,
    flow::Flow,
    path::{describe, path_to},
};
use crate::{
    check::{
        diagnostic::report_in_template,
        proof::sites::{Site, Sites},
    },
    model::{Model, Task},
};

/// The items whose text the model takes for instructions.
const AUTHORITY: [&str; 3] = ["system", "goal", "intro"];

/// Items whose text no model is shown.
const FOR_PEOPLE: [&str; 2] = ["ask", "fail"];

/// An expression in a template, with the untrusted facts that it shows as they are.
struct ShownFacts<'a> {
    task: Option<usize>,
    site: Site<'a>,
    expr: &'a Expr,
    is_authority: bool,
    facts: Vec<Fact>,
}

/// Returns the expressions in the templates that models are shown, each once.
fn shown<'a>(model: &Model<'a>, sites: &Sites<'a>) -> Vec<ShownFacts<'a>> {
    let goal = sites.goal.iter().map(|site| (None, site));
    let tasks = model.tasks.iter().flat_map(|task| {
        sites.tasks[task.index].iter().map(move |(_, site)| (Some(task.index), site))
    });
    let shown = goal.chain(tasks).filter_map(|(task, site)| {
        let Site::Shown { expr, item, .. } = *site else { return None };
        let declared = task.map(|task| &model.tasks[task]);
        let asks = declared.is_none_or(|task| task.kind.asks_model());
        if FOR_PEOPLE.contains(&item) || !asks {
            return None;
        }
        let is_authority = AUTHORITY.contains(&item);
        let facts = match is_authority {
            true => facts_in(model, declared, expr),
            false => facts_in(model, declared, &outside_fences(expr)),
        };
        Some(ShownFacts { task, site: *site, expr, is_authority, facts })
    });
    shown.collect()
}

/// Checks that templates show declared untrusted fields in a fence, and not where instructions stand.
pub(super) fn check_declared(model: &Model<'_>, sites: &Sites<'_>, errors: &Errors) {
    let mut reported: Vec<*const Expr> = Vec::new();
    for shown in shown(model, sites) {
        let is_declared = |fact: &&Fact| matches!(fact, Fact::Declared(field) if model.state_fields()[*field].is_untrusted());
        let Some(fact) = shown.facts.iter().find(is_declared) else { continue };
        let Site::Shown { text, code, at, item, .. } = shown.site else { continue };
        if reported.contains(&std::ptr::from_ref(shown.expr)) {
            continue;
        }
        reported.push(shown.expr);
        let (message, help) = words(&describe(model, *fact), item, shown.is_authority, code);
        report_in_template(text, at, code, &message, &help, errors);
    }
}

/// Returns the message and the help text for a value that is shown where or how it may not be.
fn words(value: &str, item: &str, is_authority: bool, code: &str) -> (String, String) {
    match is_authority {
        true => (
            format!("{value} is untrusted, and can't be shown in `{item}`"),
            format!(
                "a model obeys `{item}`: show it in the `prompt` of a task, as `${{quoted(…)}}`"
            ),
        ),
        false => (
            format!("{value} is untrusted, and is shown as if it were part of the prompt"),
            format!("show it in a fence that it can't close: `${{quoted({})}}`", inner(code)),
        ),
    }
}

/// Returns the expression in `${…}`.
fn inner(code: &str) -> &str {
    let code = code.strip_prefix("${").unwrap_or(code);
    code.strip_suffix('}').unwrap_or(code).trim()
}

/// Finds the values that come from untrusted ones and that templates show without a fence.
pub(super) fn derived<'a>(model: &Model<'a>, sites: &Sites<'a>, flow: &Flow) -> Vec<Finding<'a>> {
    let mut found = Vec::new();
    let mut seen: Vec<*const Expr> = Vec::new();
    for shown in shown(model, sites) {
        let Some(task) = shown.task else { continue };
        let declared = &model.tasks[task];
        let Site::Shown { text, code, at, item, .. } = shown.site else { continue };
        let fact = shown.facts.iter().find(|fact| is_derived(model, flow, declared, **fact));
        let Some(fact) = fact.filter(|_| !seen.contains(&std::ptr::from_ref(shown.expr))) else {
            continue;
        };
        seen.push(shown.expr);
        let (message, help) = words(&describe(model, *fact), item, shown.is_authority, code);
        found.push(Finding {
            name: "untrusted_without_fence",
            span: text.literal.span(),
            message,
            place: Some(format!("in `{code}`, {at} of the template")),
            path: path_to(model, flow, task, *fact, &format!("task `{}`", declared.name())),
            help,
            task: Some(task),
            condition: None,
        });
    }
    found
}

/// Returns whether a fact that a template shows is a text that came from an untrusted value.
fn is_derived(model: &Model<'_>, flow: &Flow, task: &Task<'_>, fact: Fact) -> bool {
    match fact {
        // The declaration is reported on its own.
        Fact::Declared(_) => false,
        Fact::Written(field) => {
            let field = &model.state_fields()[field];
            !field.is_untrusted() && !field.holds_no_text() && flow.holds(task.index, fact)
        }
        fact => flow.holds(task.index, fact),
    }
}

//! Warnings about valid code that is probably unintended. Macros can't emit warnings in stable Rust, so
//! each warning is a use of a deprecated constant, which is named after the problem and has the span of the
//! user's code.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Attribute;

use crate::model::{Model, Task};
use cot_syntax::{Piece, TaskKind, Template, is_lint_level};

/// Generates the warnings of a process. `#[allow(deprecated)]` on the process silences them.
pub(crate) fn warnings(model: &Model<'_>) -> TokenStream {
    let attributes = model.syntax.attributes.iter();
    let levels: Vec<_> = attributes.filter(|attribute| is_lint_level(attribute)).collect();
    let unrouted = model.tasks.iter().filter_map(timeout_without_route);
    let plain = model.templates().into_iter().filter_map(|used| plain_placeholder(used.template));
    unrouted.chain(plain).map(|warning| warning.expand(&levels)).collect()
}

struct Warning {
    name: &'static str,
    span: Span,
    note: String,
}

impl Warning {
    fn expand(&self, levels: &[&Attribute]) -> TokenStream {
        let name = Ident::new(self.name, self.span);
        let note = &self.note;
        quote! {
            #(#levels)*
            const _: () = {
                #[deprecated(note = #note)]
                #[allow(non_upper_case_globals)]
                const #name: () = ();
                let _ = #name;
            };
        }
    }
}

/// Warns about a human task with a timeout but no route for it, which halts the run when a person is late.
fn timeout_without_route(task: &Task<'_>) -> Option<Warning> {
    let timeout = task.syntax.items.timeout.as_ref()?;
    let routed = task.on.iter().any(|edge| edge.syntax.when == "timeout");
    let unclear = task.incomplete || task.syntax.invalid.may_include(&["on"]);
    (task.kind == TaskKind::Human && !routed && !unclear).then(|| Warning {
        name: "timeout_without_route",
        span: timeout.key.span(),
        note: format!(
            "the run halts if nobody answers task `{}` in time: write \
             `on: {{ timeout => task }}`, or `#[allow(deprecated)]` on the process if that is intended",
            task.name()
        ),
    })
}

/// Warns about `{state.x}` and `$state.x`, which a template shows literally.
fn plain_placeholder(template: &Template) -> Option<Warning> {
    let Template::Text(text) = template else { return None };
    let shown = text.pieces.iter().find_map(|piece| match piece {
        Piece::Text(text) => placeholder(text),
        Piece::Expr { .. } => None,
    })?;
    Some(Warning {
        name: "placeholder_without_effect",
        span: text.literal.span(),
        note: format!(
            "the model sees `{shown}` as it stands: write `${{{}}}` to show the value, or \
             `#[allow(deprecated)]` on the process if that is intended",
            shown.trim_matches(['$', '{', '}'])
        ),
    })
}

/// Finds the first `{state.x}` or `$state.x` in a text.
fn placeholder(text: &str) -> Option<&str> {
    let mut places = text.match_indices("state.");
    places.find_map(|(at, word)| {
        let path = |byte: char| byte.is_alphanumeric() || ['_', '.'].contains(&byte);
        let rest = &text[at + word.len()..];
        let field = rest.find(|byte| !path(byte)).unwrap_or(rest.len());
        let field = rest[..field].trim_end_matches('.').len();
        let end = at + word.len() + field;
        match text[..at].chars().next_back()? {
            _ if field == 0 => None,
            '$' => Some(&text[at - 1..end]),
            '{' if text[end..].starts_with('}') => Some(&text[at - 1..=end]),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model;
    use cot_syntax::diagnostics::Errors;

    fn expanded(source: &str) -> String {
        let errors = Errors::new();
        let syntax = cot_syntax::parse(source.parse().unwrap(), &errors).unwrap();
        let tokens = warnings(&model::build(&syntax, &errors));
        assert!(errors.is_empty());
        tokens.to_string()
    }

    fn warned(source: &str) -> String {
        let tokens = expanded(source);
        let notes = tokens.split("deprecated (note = \"").skip(1);
        let notes: Vec<_> = notes.filter_map(|note| note.split('"').next()).collect();
        notes.join("\n")
    }

    #[test]
    fn a_person_may_be_late_with_a_route() {
        let source = |on: &str, with: &str| {
            format!(
                "{with} process P {{ state: S, task ask -> A {{ ask: \"?\", timeout: 1h, {on} next: done }}
                task done {{ end }} }}"
            )
        };
        assert!(warned(&source("", "")).starts_with("the run halts if nobody answers task `ask`"));
        assert_eq!(warned(&source("on: { timeout => done },", "")), "");
        let silenced = expanded(&source("", "#[allow(deprecated)]"));
        assert!(silenced.starts_with("# [allow (deprecated)] const _"), "{silenced}");
    }

    #[test]
    fn placeholders_are_written_with_both() {
        let found =
            ["a {state.x} b", "$state.a.b. c", "{state.}", "state.x", "{ state.x: 1 }", "{state.x"];
        let found = found.map(placeholder);
        assert_eq!(found, [Some("{state.x}"), Some("$state.a.b"), None, None, None, None]);
        let source = "process P { state: S, task ask -> A { prompt: \"Of {state.x}\", next: done }
            task done { end } }";
        assert!(
            warned(source)
                .starts_with("the model sees `{state.x}` as it stands: write `${state.x}`")
        );
    }
}

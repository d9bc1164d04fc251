//! Checks the order of the parts of prompts.

use cot_syntax::{
    ORDER_HELP, STANDARD_PARTS,
    diagnostics::{Errors, join_names, suggest},
};

use crate::model::Model;

/// Checks that `order` names each standard part exactly once.
pub(super) fn check_the_order_is_complete(model: &Model<'_>, errors: &Errors) {
    let Some(item) = &model.syntax.items.order else { return };
    let mut named: Vec<&str> = Vec::new();
    for name in &item.value.0 {
        let word = name.to_string();
        let part = STANDARD_PARTS.into_iter().find(|part| *part == word);
        if part.is_some_and(|part| named.contains(&part)) {
            let help = "each part stands in a prompt once: remove one of the two";
            errors.add_with_help(name.span(), format!("`{name}` is named twice"), help);
        }
        // A misspelled part counts as the one that was meant.
        let near = part.or_else(|| suggest(&word, STANDARD_PARTS));
        if part.is_none() {
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => explain_unknown(model, &word),
            };
            errors.add_with_help(name.span(), format!("unknown part `{name}`"), help);
        }
        named.extend(near);
    }
    let missing: Vec<_> = STANDARD_PARTS.iter().filter(|part| !named.contains(part)).collect();
    if !missing.is_empty() {
        let message = format!("`order` lacks {}", join_names(missing));
        errors.add_with_help(item.key.span(), message, ORDER_HELP);
    }
}

fn explain_unknown(model: &Model<'_>, word: &str) -> String {
    if word == "system" {
        return "the system message is not part of the prompt: it always comes first".to_owned();
    }
    if model.parts.iter().any(|part| part.name == word) {
        return format!("a part of `prompts` is shown by a template: `${{part({word})}}`");
    }
    format!("the standard parts are {}", join_names(STANDARD_PARTS))
}

//! Checks the images and documents that templates show.

use cot_syntax::{Piece, Template, diagnostics::Errors};
use syn::Expr;

use super::{
    diagnostic::{Diagnostic, report_in_template},
    shown_parts::part_name,
};
use crate::model::{
    Model, Uses, called_name, is_media_helper, media_helper, media_in_expr, media_in_part,
};

/// The items whose templates are part of the prompt of a model, apart from primers and labels.
const PROMPTS: [&str; 5] = ["intro", "prompts", "prompt", "full_prompt", "reason"];

/// Checks that images and documents are shown only where a prompt is written for a model, and on their own.
pub(super) fn check_media_can_be_shown(model: &Model<'_>, errors: &Errors) {
    for used in model.templates() {
        let Template::Text(text) = used.template else { continue };
        for piece in &text.pieces {
            let Piece::Expr { expr, code, at } = piece else { continue };
            let found = match PROMPTS.contains(&used.item) {
                true => embedded_part(model, expr),
                false => misplaced(model, expr, used.item),
            };
            if let Some((message, help)) = found {
                report_in_template(text, *at, code, &message, &help, errors);
            }
        }
    }
}

/// Returns the error of an expression that shows a medium in an item that can't.
fn misplaced(model: &Model<'_>, expr: &Expr, item: &str) -> Option<(String, String)> {
    let media = media_in_expr(model, expr);
    if media.is_none() {
        return None;
    }
    let place = match item {
        "label" => "a label".to_owned(),
        "primers" => "a primer".to_owned(),
        item => format!("`{item}`"),
    };
    let what = match media_helper(expr) {
        Some(helper) => format!("`{helper}` can't be used in {place}"),
        None => format!("{place} can't show {}", media.describe()),
    };
    let help = match item {
        "ask" => "a person reads text: write where to find it, such as its address",
        _ => {
            "show it in `prompt`, `full_prompt`, `reason`, `intro`, or a part of `prompts` that these show"
        }
    };
    Some((what, help.to_owned()))
}

/// Returns the error of a part with media in a larger expression, which would lose them.
fn embedded_part(model: &Model<'_>, expr: &Expr) -> Option<(String, String)> {
    let is_alone = |part: &Expr| {
        called_name(expr).is_some_and(|name| name == "part")
            && matches!(expr, Expr::Call(call) if call.args.first() == Some(part))
    };
    let parts = Uses::from_expr(expr).parts;
    let mut embedded = parts.iter().filter(|part| !is_alone(part)).filter_map(part_name);
    let (name, media) = embedded.find_map(|name| {
        let media = media_in_part(model, &name);
        (!media.is_none()).then_some((name, media))
    })?;
    let media = media.describe();
    Some((
        format!("part `{name}` shows {media}, which can't be part of a larger expression"),
        format!("show it on its own: `${{part({name})}}`"),
    ))
}

/// Returns the errors of media within larger expressions.
pub(super) fn embedded_media<'a>(
    expr: &'a Expr,
    uses: &'a Uses,
) -> impl Iterator<Item = Diagnostic> + 'a {
    let own = usize::from(media_helper(expr).is_some());
    let calls = uses.calls.iter().filter(|(name, _)| is_media_helper(name));
    calls.skip(own).map(|(name, _)| {
        Diagnostic::new(
            name.span(),
            format!("`{name}(…)` can't be part of a larger expression"),
            format!(
                "it gives no text: write `${{{name}(…)}}`, with an `Option` or a list as its value"
            ),
        )
    })
}

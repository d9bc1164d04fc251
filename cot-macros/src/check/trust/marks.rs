//! What the process declares about trust.

use cot_syntax::{
    ClearsValue, EffectValue, Item, Names, Slot, StateField, Tool, ToolWork, TrustValue,
};
use syn::Type;

use crate::model::{Model, Task};

/// Returns whether the process says where untrusted values come from, so that they are followed. Without that, nothing
/// is untrusted.
pub(crate) fn is_followed(model: &Model<'_>) -> bool {
    model.syntax.items.trust.is_some()
        || model.state_fields().iter().any(is_untrusted)
        || model.tools.iter().any(|tool| tool.items.untrusted.is_some())
}

/// Returns whether it is an error that an untrusted value reaches an effect, not a warning.
pub(crate) fn is_strict(model: &Model<'_>) -> bool {
    model.syntax.items.trust.as_ref().is_some_and(|item| item.value == TrustValue::Strict)
}

/// A mark whose values are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Untrusted,
    Private,
}

impl Mark {
    /// Returns whether a field has the mark.
    pub(super) fn is_on(self, field: &StateField) -> bool {
        match self {
            Self::Untrusted => is_untrusted(field),
            Self::Private => is_private(field),
        }
    }

    /// Returns whether the output of a task does not have the mark, whatever the task was shown.
    pub(super) fn is_cleared_by(self, task: &Task<'_>) -> bool {
        let cleared = match self {
            Self::Untrusted => ClearsValue::Untrusted,
            Self::Private => ClearsValue::Private,
        };
        task.syntax.items.clears.as_ref().is_some_and(|item| item.value == cleared)
    }
}

/// Returns whether a field is untrusted, by its mark or by its type.
pub(super) fn is_untrusted(field: &StateField) -> bool {
    field.untrusted.is_some() || is_of_type(field, "Untrusted")
}

/// Returns whether a field is private, by its mark or by its type.
pub(super) fn is_private(field: &StateField) -> bool {
    field.private.is_some() || is_of_type(field, "Private")
}

fn is_of_type(field: &StateField, name: &str) -> bool {
    last_name(&field.ty).is_some_and(|last| last == name)
}

/// Returns whether no text fits into a field, so that it can be shown without a fence.
pub(super) fn holds_no_text(field: &StateField) -> bool {
    let scalar = ["bool", "f32", "f64"];
    last_name(&field.ty).is_some_and(|name| {
        let digits = name.strip_prefix(['u', 'i']);
        let is_number = digits.is_some_and(|it| it == "size" || it.parse::<u8>().is_ok());
        is_number || scalar.contains(&&*name)
    })
}

fn last_name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    Some(path.path.segments.last()?.ident.to_string())
}

/// Returns whether the results of a tool are untrusted: if it says so, and those of a source unless it says why not.
pub(super) fn gives_untrusted(tool: &Tool) -> bool {
    let is_source = matches!(tool.work, ToolWork::Source(_));
    tool.items.untrusted.is_some() || is_source && tool.items.trusts.is_none()
}

/// Returns whether a function changes something: unless it says that it only reads.
pub(super) fn has_effect(effect: &Slot<EffectValue>) -> bool {
    effect.as_ref().is_none_or(|item| item.value != EffectValue::None)
}

/// Returns whether a name is listed as one that carries no authority.
pub(super) fn is_content(content: &Slot<Names>, name: &str) -> bool {
    content.iter().flat_map(|Item { value, .. }| &value.0).any(|listed| listed == name)
}

impl Task<'_> {
    /// Returns whether the task says why untrusted values may reach what it does.
    pub(super) fn trusts(&self) -> bool {
        self.syntax.items.trusts.is_some()
    }
}

//! Embeds the user's expressions in generated functions and binds the names that they use.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, spanned::Spanned};

use super::{fields::unset::UnsetFields, locals::Locals};
use crate::{
    check::{expressions::diagnose_expr, fields::unknown_field_written},
    model::{Model, Place, Role, Task, VisibleNames, find_mention, root_of_place},
};
use cot_syntax::StatePath;

/// The place of expressions in a generated function, with the names that they can use.
pub(in crate::expand) struct Site<'m> {
    model: &'m Model<'m>,
    /// The task whose inputs and item are available.
    task: Option<&'m Task<'m>>,
    seen: VisibleNames<'m>,
    unset: UnsetFields<'m>,
    /// The expression of the state in the generated function.
    state: TokenStream,
    /// Whether expressions own their `output` and `inputs`, which are cloned.
    owned: bool,
    /// The fallback of the generated function when the value with a name is missing. The engine ensures
    /// that it is not.
    missing: fn(&str) -> TokenStream,
}

impl<'m> Site<'m> {
    /// Creates the place of expressions in a template.
    pub(in crate::expand) fn for_template(model: &'m Model<'m>, role: Role) -> Self {
        let task = match role {
            Role::Goal | Role::Prompt => None,
            Role::Task(task) | Role::Full(task) => model.tasks.get(task),
        };
        Self::new(model, task, model.names_in_template(role), fallback_template)
    }

    /// Creates the place of expressions of a task outside templates.
    pub(in crate::expand) fn for_task(
        model: &'m Model<'m>,
        task: &'m Task<'m>,
        place: Place,
        missing: fn(&str) -> TokenStream,
    ) -> Self {
        let owned = matches!(place, Place::With | Place::ArmWith | Place::Write | Place::Start);
        let site = Self::new(model, Some(task), model.names_at(task, place), missing);
        let Locals { state, .. } = Locals::new();
        match place {
            Place::Write => Self { owned, state: quote!((*#state)), ..site },
            _ => Self { owned, ..site },
        }
    }

    /// Creates the place of the guards of tools.
    pub(in crate::expand) fn for_tools(
        model: &'m Model<'m>,
        missing: fn(&str) -> TokenStream,
    ) -> Self {
        Self::new(model, None, model.names_in_tools(), missing)
    }

    fn new(
        model: &'m Model<'m>,
        task: Option<&'m Task<'m>>,
        seen: VisibleNames<'m>,
        missing: fn(&str) -> TokenStream,
    ) -> Self {
        let Locals { scope, .. } = Locals::new();
        let state = quote!((*#scope.state));
        Self {
            model,
            task,
            seen,
            unset: UnsetFields::from_model(model),
            state,
            owned: false,
            missing,
        }
    }

    /// Returns whether an expression has no errors. Invalid expressions have been reported and are not
    /// expanded.
    pub(in crate::expand) fn is_sound(&self, expr: &Expr) -> bool {
        diagnose_expr(expr, &self.seen).is_empty()
    }

    /// Returns whether the state has the field with which a path begins. Otherwise that has been reported.
    pub(in crate::expand) fn has_field(&self, path: &StatePath) -> bool {
        unknown_field_written(path, &self.seen).is_none()
    }

    pub(in crate::expand) const fn unset(&self) -> &UnsetFields<'m> {
        &self.unset
    }

    /// Generates the fallback for a missing value.
    pub(in crate::expand) fn missing(&self, what: &str) -> TokenStream {
        (self.missing)(what)
    }

    /// Generates bindings for the names that expressions use, each with the hygiene of its use.
    pub(in crate::expand) fn bindings(&self, exprs: &[&Expr]) -> TokenStream {
        let bound = self.seen.names.iter().filter_map(|word| {
            let name = exprs.iter().find_map(|expr| find_mention(expr, word))?;
            self.binding(&name)
        });
        let values = self.unset.bindings(exprs, &self.state, self.missing);
        quote!(#(#bound)* #values)
    }

    /// Generates an expression with its bindings.
    pub(in crate::expand) fn block(&self, expr: &Expr) -> TokenStream {
        let bindings = self.bindings(&[expr]);
        let value = self.value(expr);
        quote_spanned!(expr.span()=> { #bindings #value })
    }

    /// Generates an expression whose names are bound. If it must be owned, a place in the state is cloned.
    pub(in crate::expand) fn value(&self, expr: &Expr) -> TokenStream {
        let value = self.unset.rewrite(expr);
        match self.owned && self.is_borrowed_place(expr) {
            true => quote_spanned!(expr.span()=> (#value).clone()),
            false => value,
        }
    }

    /// Returns whether an expression is a place in the state or in the item, such as `state.a.b`.
    fn is_borrowed_place(&self, expr: &Expr) -> bool {
        let Some(root) = root_of_place(expr) else { return false };
        let is_item = self.item_name().is_some_and(|item| item == root);
        root == "state" || (is_item && self.seen.contains(root))
    }

    /// Returns the name of the item of the task.
    fn item_name(&self) -> Option<&'m Ident> {
        self.task.and_then(|task| Some(&task.syntax.items.for_each.as_ref()?.value.item))
    }

    /// Generates a condition with its bindings; `None` if the expression has errors.
    pub(in crate::expand) fn guard(&self, expr: &Expr) -> Option<TokenStream> {
        if !self.is_sound(expr) {
            return None;
        }
        let bindings = self.bindings(&[expr]);
        let value = self.value(expr);
        // `let` is only allowed in a condition.
        let condition = match has_let(expr) {
            true => quote_spanned!(expr.span()=> if #value { true } else { false }),
            false => value,
        };
        Some(quote!(#bindings #condition))
    }

    fn binding(&self, name: &Ident) -> Option<TokenStream> {
        let Locals { scope, output, .. } = Locals::new();
        if self.item_name().is_some_and(|item| item == name) {
            return Some(self.item(name));
        }
        Some(match name.to_string().as_str() {
            "state" => {
                let state = &self.state;
                quote!(let #name = &#state;)
            }
            "goal" => quote!(let #name: &::core::primitive::str = #scope.goal;),
            "inputs" => self.inputs(name),
            // Otherwise the pattern that matches the outputs binds it.
            "output" if self.owned => quote!(let #name = ::core::clone::Clone::clone(#output);),
            "output" => return None,
            _ => quote!(let #name = #scope.#name;),
        })
    }

    /// Generates the binding of the inputs of the task.
    pub(in crate::expand) fn inputs(&self, name: &Ident) -> TokenStream {
        let Locals { scope, .. } = Locals::new();
        let ty = self.task.and_then(|task| Some(&task.syntax.items.inputs.as_ref()?.value));
        let missing = self.missing("inputs");
        let given = quote_spanned! {ty.span()=>
            ::cot_core::__private::inputs::<#ty>(#scope.inputs)
        };
        let owned = self.owned.then(|| quote!(.cloned()));
        quote!(let ::core::option::Option::Some(#name) = #given #owned else { return #missing };)
    }

    /// Generates the binding of the item of a for-each task.
    pub(in crate::expand) fn item(&self, name: &Ident) -> TokenStream {
        let Locals { scope, .. } = Locals::new();
        let missing = self.missing("item");
        let item = self.list(
            |list| quote_spanned!(list.span()=> ::cot_core::__private::nth(#list, #scope.item)),
        );
        quote!(let ::core::option::Option::Some(#name) = (#item) else { return #missing };)
    }

    /// Generates an expression over the list of a for-each task, which is passed by reference if it is a
    /// place.
    pub(in crate::expand) fn list(
        &self,
        with: impl FnOnce(TokenStream) -> TokenStream,
    ) -> TokenStream {
        let for_each = self
            .task
            .and_then(|task| Some((task, &task.syntax.items.for_each.as_ref()?.value.list)));
        let Some((task, list)) = for_each else {
            return TokenStream::new();
        };
        let site = Site::for_task(self.model, task, Place::List, self.missing);
        let bindings = site.bindings(&[list]);
        let value = site.value(list);
        let value = match is_place(list) {
            true => quote_spanned!(list.span()=> &#value),
            false => value,
        };
        let value = with(value);
        quote!({ #bindings #value })
    }
}

fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// The fallback of a guard when a value is missing.
pub(in crate::expand) fn fallback_guard(_: &str) -> TokenStream {
    quote!(false)
}

/// The fallback for reading or committing an output when a value is missing.
pub(in crate::expand) fn fallback_error(what: &str) -> TokenStream {
    quote!(::core::result::Result::Err(::cot_core::__private::missing_value_error(#what)))
}

/// The fallback of a template when a value is missing.
fn fallback_template(_: &str) -> TokenStream {
    quote!(::core::result::Result::Err(::core::fmt::Error))
}

/// Returns whether an expression is a place, such as `a.b[0]`.
pub(in crate::expand) fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Try(optional) => is_place(&optional.expr),
        Expr::Paren(inner) => is_place(&inner.expr),
        Expr::Group(inner) => is_place(&inner.expr),
        _ => false,
    }
}

//! Expands the helper functions of templates, such as `json(x)` and `list(xs)`.

use quote::{quote, quote_spanned};
use syn::{
    Expr, ExprCall, Ident,
    visit_mut::{self, VisitMut},
};

use super::{
    locals::Locals,
    parts::{ShownPart, part},
    site::is_place,
};
use crate::model::{HELPERS, Model, Uses};

/// Returns the name and the argument of a call of a helper function.
pub(super) fn helper_call(expr: &Expr) -> Option<(&Ident, &Expr)> {
    let Expr::Call(ExprCall { func, args, .. }) = expr else {
        return None;
    };
    let Expr::Path(path) = &**func else {
        return None;
    };
    let name = path.path.get_ident()?;
    let argument = if args.len() == 1 { args.first() } else { None };
    HELPERS.iter().any(|helper| name == helper).then_some(())?;
    Some((name, argument?))
}

/// Replaces calls of helper functions with calls of the library.
pub(super) struct Helpers<'m> {
    pub(super) model: &'m Model<'m>,
    pub(super) uses: Uses,
}

impl VisitMut for Helpers<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let replaced = helper_call(expr).map(|(name, argument)| {
            let (name, mut argument) = (name.clone(), argument.clone());
            if name == "part" {
                return self.part(&argument);
            }
            self.visit_expr_mut(&mut argument);
            let span = name.span();
            // A place is passed by reference. Other lists are passed by value, since they may be iterators.
            match &argument {
                // The argument of a closure is usually a reference already.
                Expr::Path(path) if path.path.get_ident().is_some_and(|it| self.uses.binds(it)) => {
                    quote_spanned!(span=> ::cot_core::__private::#name(#argument))
                }
                place if is_place(place) => {
                    quote_spanned!(span=> ::cot_core::__private::#name(&#argument))
                }
                _ if name == "list" => {
                    quote_spanned!(span=> ::cot_core::__private::#name(#argument))
                }
                _ => quote_spanned!(span=> ::cot_core::__private::#name(&(#argument))),
            }
        });
        match replaced {
            Some(tokens) => *expr = Expr::Verbatim(tokens),
            None => visit_mut::visit_expr_mut(self, expr),
        }
    }
}

impl Helpers<'_> {
    /// Expands `part(name)` in a larger expression.
    fn part(&self, argument: &Expr) -> proc_macro2::TokenStream {
        let Locals { scope, out, .. } = Locals::new();
        let write = match part(self.model, argument) {
            Some(ShownPart::Own(name, function)) => {
                quote!(|#scope, #out| {
                    ::cot_core::__private::own_part(#scope, #out, #name, #function)
                })
            }
            Some(ShownPart::Standard(name)) => {
                quote!(|#scope, #out| ::cot_core::__private::standard_part(#scope, #out, #name))
            }
            None => return quote!(""),
        };
        quote!(::cot_core::__private::part(#scope, #write))
    }
}

//! A warning.

use cot_syntax::codes::code_of;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Attribute;

/// A warning at a place of the user's code.
pub(in crate::expand) struct Warning {
    pub(in crate::expand) name: &'static str,
    pub(in crate::expand) span: Span,
    pub(in crate::expand) note: String,
}

impl Warning {
    /// Returns the note with its code. `item` is how rustc names what the constant belongs to.
    pub(in crate::expand) fn note(&self, item: &str) -> String {
        // As rustc prints it.
        let message = format!("use of deprecated {item}::{}`: {}", self.name, self.note);
        let code = code_of(&message).map(|code| format!(" [{code}]"));
        format!("{}{}", self.note, code.unwrap_or_default())
    }

    pub(in crate::expand) fn expand(&self, levels: &[&Attribute]) -> TokenStream {
        let (name, note) = (Ident::new(self.name, self.span), self.note("constant `_"));
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

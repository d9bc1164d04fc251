//! Generates the names that members have in the JSON.

use proc_macro2::TokenStream;
use quote::quote;

use super::form::{JsonPlace, Member, Output};

/// Generates `json_key`, if a member of the struct has another name in the JSON, or none.
pub(super) fn json_key(output: &Output<'_>) -> TokenStream {
    let structs = output.forms.iter().filter(|form| form.variant.is_none());
    let keys: Vec<_> = structs.flat_map(|form| &form.members).filter_map(key).collect();
    if keys.is_empty() {
        return TokenStream::new();
    }
    quote! {
        fn json_key(member: &::core::primitive::str)
            -> ::core::option::Option<&::core::primitive::str>
        {
            match member {
                #(#keys,)*
                member => ::core::option::Option::Some(member),
            }
        }
    }
}

fn key(member: &Member<'_>) -> Option<TokenStream> {
    let name = member.display_name();
    let key = match &member.place {
        JsonPlace::Key(key) if *key == name => return None,
        JsonPlace::Key(key) => quote!(::core::option::Option::Some(#key)),
        JsonPlace::Index(index) => {
            let index = index.to_string();
            quote!(::core::option::Option::Some(#index))
        }
        JsonPlace::Itself | JsonPlace::Flat => quote!(::core::option::Option::None),
        JsonPlace::Nowhere => return None,
    };
    Some(quote!(#name => #key))
}

//! Generates `gather_rules`, which collects the rules of an output and of the types in it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Type;

use super::{
    aliases,
    attributes::Attributes,
    checks::{is_ranged, presence},
    cot::CotAttributes,
    form::{JsonPlace, Member, Output},
    layer::Layer,
    locals::rules,
    shape::Shape,
};

/// Generates the body of `gather_rules`.
pub(super) fn body(output: &Output<'_>) -> TokenStream {
    let rules = rules();
    let members = || output.forms.iter().flat_map(|form| &form.members);
    let fields: Vec<TokenStream> = members().filter_map(field).collect();
    let variants: Vec<TokenStream> = variants(output);
    let notes = output.cot.notes(|_| None);
    let note = (!notes.is_empty()).then(|| quote!(#rules.set_notes::<Self>(&[#(#notes),*]);));
    let inner = inner_types(members());
    let has_rules = !output.cot.rules.is_empty()
        || members().any(|it| !it.cot.rules.is_empty() || is_ranged(it));
    let checks = has_rules.then(|| quote!(#rules.mark_checks();));
    let is_all = inner.is_empty() && note.is_none() && checks.is_none();
    let going = if is_all { quote!(_) } else { rules.to_token_stream() };
    quote! {
        #rules.add_type::<Self>(&[#(#fields),*], &[#(#variants),*], |#going| { #checks #note #(#inner)* });
    }
}

fn field(member: &Member<'_>) -> Option<TokenStream> {
    let (name, _) = member.name.as_ref()?;
    let cot = &member.cot;
    let aliases = all_aliases(&member.attributes, cot);
    let ty = &member.field.ty;
    let notes = cot.notes(|what| presence(what, ty).map(|presence| presence.note));
    let allow_loss = cot.allow_loss.is_some();
    if aliases.is_empty() && notes.is_empty() && !allow_loss {
        return None;
    }
    Some(quote! {
        ::cot_core::__private::FieldRule {
            name: #name,
            aliases: &[#(#aliases),*],
            allow_loss: #allow_loss,
            notes: &[#(#notes),*],
        }
    })
}

fn variants(output: &Output<'_>) -> Vec<TokenStream> {
    let cases = output.forms.iter().filter_map(|form| form.variant.as_ref());
    let with_aliases = cases.filter(|case| case.is_deserialized).filter_map(|case| {
        let aliases = all_aliases(&case.attributes, &case.cot);
        let (name, _) = &case.name;
        (!aliases.is_empty()).then(|| {
            quote! {
                ::cot_core::__private::VariantRule { name: #name, aliases: &[#(#aliases),*] }
            }
        })
    });
    with_aliases.collect()
}

/// Returns the aliases in `#[cot(…)]` and in attributes of `serde`. The schema contains neither.
fn all_aliases(attributes: &Attributes, cot: &CotAttributes) -> Vec<String> {
    let mut aliases: Vec<String> = cot.aliases.iter().map(syn::LitStr::value).collect();
    for alias in aliases::serde_aliases(attributes) {
        if !aliases.contains(&alias) {
            aliases.push(alias);
        }
    }
    aliases
}

/// Generates the calls for each type that may have rules, without duplicates.
fn inner_types<'a>(members: impl Iterator<Item = &'a Member<'a>>) -> Vec<TokenStream> {
    let rules = rules();
    let mut seen = Vec::new();
    let mut calls = Vec::new();
    for member in members.filter(|it| it.place != JsonPlace::Nowhere && !it.is_replaced()) {
        let Some(ty) = unknown_type(&member.field.ty) else { continue };
        let is_flat = member.place == JsonPlace::Flat;
        let key = (is_flat, ty.to_token_stream().to_string());
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let call = quote!(::cot_core::__private::OutputType::<#ty>::NEW.gather_rules(#rules));
        calls.push(match is_flat {
            true => quote!(#rules.add_flattened::<Self>(|#rules| #call);),
            false => quote!(#call;),
        });
    }
    calls
}

fn unknown_type(ty: &Type) -> Option<&Type> {
    let inner = Layer::innermost(ty);
    (Shape::from_type(inner) == Shape::Unknown).then_some(inner)
}

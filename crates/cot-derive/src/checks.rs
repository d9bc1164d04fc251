//! Generates `run_checks`, which applies the rules of an output and of the values in it.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, Path, Type, spanned::Spanned};

use super::{
    attributes::{Source, SourceItem},
    bounds::range_texts,
    cot::{CotAttributes, Requirement, Rule, self_members},
    form::{Form, JsonPlace, Member, Output},
    layer::Layer,
    locals::{self, checker, result, value},
    shape::Shape,
};

/// Generates the body of `run_checks`. It is empty if there is nothing to check.
pub(super) fn body(output: &Output<'_>) -> TokenStream {
    let own = own_checks(&output.cot);
    let mut forms = output.forms.iter();
    let inner = match forms.next() {
        Some(form) if form.variant.is_none() => members(form),
        _ => variants(output),
    };
    quote!(#inner #own)
}

/// Generates the checks of the type itself.
fn own_checks(cot: &CotAttributes) -> TokenStream {
    let checks = cot.rules.iter().filter_map(|rule| match &rule.requirement {
        Requirement::Check(path) => Some(check(path, &quote!(self), &cot.why(rule))),
        _ => None,
    });
    checks.collect()
}

fn variants(output: &Output<'_>) -> TokenStream {
    let arms: Vec<TokenStream> = output.forms.iter().filter_map(arm).collect();
    if arms.is_empty() {
        return TokenStream::new();
    }
    let others = (arms.len() < output.forms.len()).then(|| quote!(_ => {}));
    quote!(match self { #(#arms)* #others })
}

fn arm(form: &Form<'_>) -> Option<TokenStream> {
    let case = form.variant.as_ref().filter(|case| case.is_deserialized)?;
    let checker = checker();
    let members = members(form);
    if members.is_empty() {
        return None;
    }
    let body = form
        .steps
        .iter()
        .rev()
        .fold(members, |inner, step| quote!(#checker.field(#step, |#checker| { #inner });));
    let fields = form.members.iter().map(|member| {
        let (name, bound) = (field_name(member), locals::member(member));
        quote!(#name: #bound)
    });
    let ident = case.ident;
    Some(quote!(Self::#ident { #(#fields),* } => { #body }))
}

/// Generates the checks of all members of a struct or a variant.
fn members(form: &Form<'_>) -> TokenStream {
    form.members.iter().map(|it| member(form, it)).collect()
}

fn member(form: &Form<'_>, member: &Member<'_>) -> TokenStream {
    if member.place == JsonPlace::Nowhere {
        return TokenStream::new();
    }
    let checker = checker();
    let place = match form.variant {
        None => {
            let name = field_name(member);
            quote!(&self.#name)
        }
        Some(_) => locals::member(member).into_token_stream(),
    };
    let rules = member.cot.rules.iter().map(|it| rule(form, member, it, &place));
    let ranges = ranges(member, &place);
    let inside = if member.is_replaced() { None } else { check_nested(&member.field.ty, &place) };
    let body: TokenStream = rules.chain(ranges).chain(inside).collect();
    if body.is_empty() {
        return body;
    }
    match &member.place {
        JsonPlace::Key(name) => quote!(#checker.field(#name, |#checker| { #body });),
        JsonPlace::Index(index) => quote!(#checker.index(#index, |#checker| { #body });),
        JsonPlace::Itself | JsonPlace::Flat | JsonPlace::Nowhere => body,
    }
}

/// Returns whether a field has a `range` but its type is unknown, such as a decimal that is serialized as a
/// string. The schema constrains only numbers, so the range is checked at run time.
pub(super) fn is_ranged(member: &Member<'_>) -> bool {
    Shape::from_type(&member.field.ty) == Shape::Unknown && range_items(member).next().is_some()
}

fn range_items<'m>(member: &'m Member<'_>) -> impl Iterator<Item = &'m SourceItem> {
    member
        .attributes
        .items
        .iter()
        .filter(|item| item.source != Source::Serde && item.key == "range")
}

fn ranges(member: &Member<'_>, place: &TokenStream) -> Vec<TokenStream> {
    if !is_ranged(member) {
        return Vec::new();
    }
    let checker = checker();
    let check = |item: &SourceItem| {
        let (min, max) = range_texts(item);
        check_present(
            &member.field.ty,
            place,
            &|place| quote!(::cot_core::__private::RangeChecked(#place).check_range(#checker, #min, #max);),
        )
    };
    range_items(member).map(check).collect()
}

fn rule(form: &Form<'_>, member: &Member<'_>, rule: &Rule, place: &TokenStream) -> TokenStream {
    let checker = checker();
    let asked = match (&rule.requirement, presence(&rule.requirement, &member.field.ty)) {
        (Requirement::Check(path), _) => {
            let why = member.cot.why(rule);
            check_present(&member.field.ty, place, &|place| check(path, place, &why))
        }
        (_, Some(presence)) => {
            let message = member.cot.message(rule, presence.message);
            let holds = (presence.holds)(place);
            quote!(#checker.require(#holds, #message);)
        }
        (_, None) => TokenStream::new(),
    };
    let Some(when) = &rule.when else { return asked };
    let (condition, result) = (condition(form, when), result());
    quote! {
        let #result: bool = #condition;
        #checker.when(#result, |#checker| { #asked });
    }
}

/// Generates the condition of a rule. In a variant, `self.name` is replaced by the field of the variant.
fn condition(form: &Form<'_>, when: &Expr) -> TokenStream {
    if form.variant.is_none() {
        return quote!(#when);
    }
    self_members::replace(quote!(#when), &|name: &TokenTree| {
        let name = name.to_string();
        let member = form.members.iter().find(|member| field_name(member).to_string() == name)?;
        let bound = locals::member(member);
        Some(quote!((*#bound)))
    })
}

/// Generates a check of a field or, for an `Option`, of its value if it has one. `check` generates the
/// check of a reference.
fn check_present(
    ty: &Type,
    place: &TokenStream,
    check: &dyn Fn(&TokenStream) -> TokenStream,
) -> TokenStream {
    let (checker, value) = (checker(), value());
    match Layer::from_type(ty) {
        Layer::Optional(inner) => {
            let body = check_present(inner, &value.to_token_stream(), check);
            let inner = ungrouped(inner);
            quote!(#checker.optional(#place, |#value: &#inner, #checker| { #body });)
        }
        Layer::Pointer(inner) if is_optional(inner) => {
            check_present(inner, &quote!((&**#place)), check)
        }
        _ => check(place),
    }
}

fn is_optional(ty: &Type) -> bool {
    matches!(Layer::unboxed(ty), Layer::Optional(_))
}

/// Generates the call of a check. A wrong signature of the function is reported at its path.
fn check(path: &Path, place: &TokenStream, why: &str) -> TokenStream {
    let (checker, result) = (checker(), result());
    let place: TokenStream =
        place.clone().into_iter().map(|token| respanned(token, path.span())).collect();
    let call = quote_spanned!(path.span()=> #path(#place));
    let expected = quote_spanned!(path.span()=> ::core::result::Result<(), ::cot_core::Issues>);
    quote! {
        #checker.check(
            || {
                let #result: #expected = #call;
                #result
            },
            #why,
        );
    }
}

/// Moves a token to another span, at which rustc reports errors about it.
fn respanned(mut token: TokenTree, span: proc_macro2::Span) -> TokenTree {
    token.set_span(token.span().located_at(span));
    token
}

/// A rule about the presence of a value.
pub(super) struct Presence {
    /// The message if the rule is violated.
    message: &'static str,
    /// The text for the description in the schema.
    pub(super) note: &'static str,
    holds: fn(&TokenStream) -> TokenStream,
}

/// Returns the meaning of `required` or `absent` for a type. Returns `None` for unsupported types, which
/// have been reported.
pub(super) fn presence(what: &Requirement, ty: &Type) -> Option<Presence> {
    let is_option = match Layer::unboxed(ty) {
        Layer::Optional(_) => true,
        Layer::List(_) | Layer::Set(_) | Layer::Map(..) => false,
        Layer::Pointer(_) | Layer::Inner(_) => return None,
    };
    Some(match (what, is_option) {
        (Requirement::Check(_), _) => return None,
        (Requirement::Required(_), true) => Presence {
            message: "is required",
            note: "required",
            holds: |value| quote!((#value).is_some()),
        },
        (Requirement::Required(_), false) => Presence {
            message: "must not be empty",
            note: "not empty",
            holds: |value| quote!(!(#value).is_empty()),
        },
        (Requirement::Absent(_), true) => Presence {
            message: "must be absent",
            note: "absent",
            holds: |value| quote!((#value).is_none()),
        },
        (Requirement::Absent(_), false) => Presence {
            message: "must be empty",
            note: "empty",
            holds: |value| quote!((#value).is_empty()),
        },
    })
}

/// Generates the checks of the outputs in a value, if it can contain any. `place` is a reference to the
/// value.
fn check_nested(ty: &Type, place: &TokenStream) -> Option<TokenStream> {
    let (checker, value) = (checker(), value());
    let walk = |method: TokenStream, inner: &Type| {
        let body = check_nested(inner, &value.to_token_stream())?;
        let inner = ungrouped(inner);
        Some(quote! {
            #checker.#method(#place, |#value: &#inner, #checker| { #body });
        })
    };
    match Layer::from_type(ty) {
        Layer::Optional(inner) => walk(quote!(optional), inner),
        Layer::List(inner) => walk(quote!(items), inner),
        Layer::Set(inner) => walk(quote!(set), inner),
        Layer::Map(_, inner) => walk(quote!(members), inner),
        Layer::Pointer(inner) => check_nested(inner, &quote!((&**#place))),
        Layer::Inner(ty) => (Shape::from_type(ty) == Shape::Unknown)
            .then(|| quote!(::cot_core::__private::OutputPart(#place).run_checks(#checker);)),
    }
}

/// Removes the invisible groups that a macro may put around a type.
fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        ty => ty,
    }
}

fn field_name(member: &Member<'_>) -> TokenStream {
    match &member.field.ident {
        Some(ident) => quote!(#ident),
        None => syn::Index::from(member.index).to_token_stream(),
    }
}

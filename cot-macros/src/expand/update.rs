//! State writes: first every value, then every write, so that nothing is half done.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, ExprLit, Ident, Lit, spanned::Spanned};

use super::Locals;
use crate::{
    check::words::mistakes,
    model::{Seen, mentions},
    syntax::{Segment, StatePath, Update, Write},
};

/// The statements of an update.
pub(super) fn update(update: &Update, seen: &Seen<'_>) -> TokenStream {
    let sound = update.writes.iter().filter(|write| {
        let mut expressions = write.path.key().into_iter().chain(&write.value);
        expressions.all(|expr| mistakes(expr, seen).is_empty())
    });
    let (values, writes): (Vec<_>, Vec<_>) =
        sound.enumerate().map(|(index, item)| (value(index, item), write(index, item))).unzip();
    quote!(#(#values)* #(#writes)*)
}

/// What a path does with its value.
enum Action<'a> {
    Assign,
    Append(Span),
    Insert(Span, &'a Expr),
}

fn action(path: &StatePath) -> Action<'_> {
    match path.segments.last() {
        Some(Segment::Append(bracket)) => Action::Append(bracket.span.join()),
        Some(Segment::Insert(bracket, key)) => Action::Insert(bracket.span.join(), key),
        _ => Action::Assign,
    }
}

fn local(prefix: &str, index: usize) -> Ident {
    format_ident!("{prefix}_{index}", span = Span::mixed_site())
}

/// Computes the value of a write, and its key where it has one.
///
/// The branch that is never taken gives the variable the type of the place, so that rustc expects it
/// of the user's expression and says so under it.
fn value(index: usize, write: &Write) -> TokenStream {
    let place = reference(&write.path);
    let value = local("value", index);
    let given = match &write.value {
        Some(expr) => with_bindings(expr),
        None => {
            let Locals { output, value, .. } = Locals::at(write.path.span());
            quote_spanned! {write.path.span()=>
                { let #value = ::core::clone::Clone::clone(#output); #value }
            }
        }
    };
    let span = write.path.span();
    let (expected, key) = match action(&write.path) {
        Action::Assign => (quote_spanned!(span=> ::cot_core::__private::assigned(#place)), None),
        Action::Append(span) => {
            (quote_spanned!(span=> ::cot_core::__private::appended(#place)), None)
        }
        Action::Insert(span, expr) => {
            let (key, given) = (local("key", index), with_bindings(expr));
            // A literal may be the key of a map of `String`; whatever else has its own type.
            let given = match expr {
                Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) => {
                    quote_spanned!(expr.span()=> ::core::convert::Into::into(#given))
                }
                _ => given,
            };
            let expected = quote_spanned!(span=> ::cot_core::__private::key_of(#place));
            let expected = at_place(&write.path, &expected);
            let key = quote!(let #key; if false { #key = #expected; } else { #key = #given; });
            (quote_spanned!(span=> ::cot_core::__private::inserted(#place)), Some(key))
        }
    };
    let expected = at_place(&write.path, &expected);
    quote!(#key let #value; if false { #value = #expected; } else { #value = #given; })
}

fn write(index: usize, write: &Write) -> TokenStream {
    let value = local("value", index);
    let place = reference(&write.path);
    let written = match action(&write.path) {
        Action::Assign => quote!(*#place = #value),
        Action::Append(span) => quote_spanned! {span=>
            ::cot_core::__private::append(#place, #value)
        },
        Action::Insert(span, _) => {
            let key = local("key", index);
            quote_spanned! {span=>
                ::cot_core::__private::insert(#place, #key, #value)
            }
        }
    };
    let written = at_place(&write.path, &written);
    quote!(#written;)
}

/// Evaluates an expression that names a place.
///
/// The state goes by a name whose token is of the user's own context, as the rest of the path: only
/// so does the whole path have a span that rustc can point at.
fn at_place(path: &StatePath, expr: &TokenStream) -> TokenStream {
    let Locals { state, .. } = Locals::new();
    let root = root(path);
    quote!({ let #root = &mut *#state; #expr })
}

fn root(path: &StatePath) -> Ident {
    Ident::new("__state", path.span())
}

/// The place that a path names, to be written to.
fn reference(path: &StatePath) -> TokenStream {
    let place = place(path);
    quote_spanned!(path.span()=> &mut #place)
}

/// The place that a path names, in the user's own tokens.
fn place(path: &StatePath) -> TokenStream {
    let root = root(path);
    let mut place = quote_spanned!(path.span()=> (*#root));
    for segment in &path.segments {
        match segment {
            Segment::Field { dot: Some(dot), member } => place = quote!(#place #dot #member),
            Segment::Field { dot: None, member } => {
                place = quote_spanned!(member.span()=> #place.#member);
            }
            Segment::Create(mark) => {
                place =
                    quote_spanned!(mark.span()=> (*::cot_core::__private::or_default(&mut #place)));
            }
            Segment::Append(_) | Segment::Insert(..) => {}
        }
    }
    place
}

/// An expression with the names that it uses: its own copy of the output, and the state before the
/// update.
fn with_bindings(expr: &Expr) -> TokenStream {
    let Locals { output, state, goal, .. } = Locals::new();
    let owned = mentions(expr, "output")
        .map(|name| quote!(let #name = ::core::clone::Clone::clone(#output);));
    let before = mentions(expr, "state").map(|name| quote!(let #name = &*#state;));
    let goal =
        mentions(expr, "goal").map(|name| quote!(let #name: &::core::primitive::str = #goal;));
    let expr = if is_place_of_state(expr) {
        quote_spanned!(expr.span()=> (#expr).clone())
    } else {
        quote!(#expr)
    };
    quote_spanned!(expr.span()=> { #owned #before #goal #expr })
}

/// Whether an expression is a plain place of the state, such as `state.a.b`.
fn is_place_of_state(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.is_ident("state"),
        Expr::Field(field) => is_place_of_state(&field.base),
        Expr::Index(index) => is_place_of_state(&index.expr),
        Expr::Paren(inner) => is_place_of_state(&inner.expr),
        Expr::Group(inner) => is_place_of_state(&inner.expr),
        _ => false,
    }
}

//! Expands code tasks.

use cot_syntax::EffectValue;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::expansion::{KindExpansion, declared_type};
use crate::{
    expand::{
        inputs::given_inputs,
        locals::{Locals, callee, end},
        names::GeneratedNames,
        site::Site,
    },
    model::{Model, Place, Task},
};

pub(super) struct CodeExpansion;

impl KindExpansion for CodeExpansion {
    fn definition(&self, _: &Model<'_>, _: &GeneratedNames, task: &Task<'_>) -> TokenStream {
        let effect = effect(task);
        quote!(::cot_core::__private::TaskKind::Code(#effect))
    }

    fn output_type(&self, task: &Task<'_>) -> Option<TokenStream> {
        declared_type(task)
    }

    fn work(
        &self,
        model: &Model<'_>,
        names: &GeneratedNames,
        task: &Task<'_>,
    ) -> Option<TokenStream> {
        let function = function(model, names, task)?;
        Some(quote!(::cot_core::__private::TaskFunction::#function))
    }
}

/// Generates the variant of the function of a task, or of its items, with what it holds.
pub(super) fn function(
    model: &Model<'_>,
    names: &GeneratedNames,
    task: &Task<'_>,
) -> Option<TokenStream> {
    let (start, result) = (start(model, task)?, result_schema(task));
    if !task.is_transaction() {
        return Some(quote!(Run(#start, #result)));
    }
    let items = &task.syntax.items;
    let path = &items.run.as_ref()?.value;
    let (process, span) = (&names.process, end(path));
    let given = 1 + usize::from(items.inputs.is_some()) + usize::from(items.for_each.is_some());
    let taken = quote_spanned! {span=>
        || {
            #[allow(unused_imports)]
            use ::cot_core::__private::{NamesConnection as _, NamesNoConnection as _};
            (&::cot_core::__private::Taker::<#given, #process, _>(#path, ::core::marker::PhantomData))
                .connection_type()
        }
    };
    Some(quote!(Transact(#start, #result, #taken)))
}

/// Generates the `Effect` of the function of a task.
pub(super) fn effect(task: &Task<'_>) -> TokenStream {
    let effect = match &task.syntax.items.effect {
        Some(effect) if effect.value == EffectValue::Once => quote!(Once),
        Some(effect) if effect.value == EffectValue::Transaction => quote!(Transaction),
        _ => quote!(Repeatable),
    };
    quote!(::cot_core::__private::Effect::#effect)
}

/// Generates the schema of the result of the function of a task, if its type has one.
fn result_schema(task: &Task<'_>) -> TokenStream {
    let output = result_type(task);
    quote! {
        {
            #[allow(unused_imports)]
            use ::cot_core::__private::AnyResult as _;
            ::cot_core::__private::ResultType::<#output>::SCHEMA
        }
    }
}

fn result_type(task: &Task<'_>) -> TokenStream {
    task.output.as_ref().map_or_else(|| quote!(()), |ty| quote!(#ty))
}

/// Generates the start of the function of a task, which receives the item of a for-each task last.
fn start(model: &Model<'_>, task: &Task<'_>) -> Option<TokenStream> {
    let items = &task.syntax.items;
    let path = &items.run.as_ref()?.value;
    let (span, form) = (end(path), CallForm::new(task));
    let Locals { state, owned, scope, value, item, connection, .. } = &Locals::at(span);
    let bind_inputs = given_inputs(task, scope, value);
    let given = items.inputs.as_ref().map(|_| quote_spanned!(span=> , #value));
    let site = Site::for_task(model, task, Place::Guard, fallback_item);
    let bind_item = items.for_each.as_ref().map(|_| site.item(item));
    let item = items.for_each.as_ref().map(|_| quote_spanned!(span=> , #item));
    let output = result_type(task);
    let (begin, finish) = (callee(path, form.begin), format_ident!("{}", form.finish, span = span));
    let connection = form.takes_connection.then(|| quote_spanned!(span=> , #connection));
    let call = quote_spanned! {span=>
        #begin(
            (#state #given #item,) #connection, &#scope, ::core::marker::PhantomData::<#output>, #path
        )
    };
    let ran = quote_spanned!(span=> ::cot_core::__private::#finish::<#output, _, _>(#call).await);
    let kept = task.output.as_ref().map(|ty| {
        quote_spanned! {ty.span()=>
            {
                #[allow(unused_imports)]
                use ::cot_core::__private::PlainOutput as _;
                ::cot_core::__private::OutputOf::<#ty>::require_storable();
            }
        }
    });
    // The type annotation makes rustc report a mismatch at the path.
    let state_type = model.state_type();
    Some(quote! {
        |#owned #connection| ::std::boxed::Box::pin(async move {
            #kept
            let #scope = #owned.cx();
            let #state: &#state_type = #scope.state;
            #bind_inputs
            #bind_item
            #ran
        })
    })
}

/// The library functions that call a function of a task.
struct CallForm {
    begin: &'static str,
    finish: &'static str,
    takes_connection: bool,
}

impl CallForm {
    fn new(task: &Task<'_>) -> Self {
        match task.is_transaction() {
            true => Self {
                begin: "start_in_transaction",
                finish: "finish_transaction",
                takes_connection: true,
            },
            false => {
                Self { begin: "start_function", finish: "finish_function", takes_connection: false }
            }
        }
    }
}

/// The fallback of a function when its item is missing.
fn fallback_item(_: &str) -> TokenStream {
    quote!(::core::result::Result::Err(::cot_core::__private::missing_item_error()))
}

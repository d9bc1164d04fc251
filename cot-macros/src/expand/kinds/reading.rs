//! Generates the functions of tasks that read replies in a format of the program's own.

use cot_syntax::TaskKind;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, Path, spanned::Spanned};

use crate::{
    expand::{
        checks::check,
        locals::{Locals, callee, end},
        names::GeneratedNames,
        site::{Site, fallback_error},
        values::{option, value_of},
    },
    model::{Model, Place, Task},
};

/// Generates the `ReplyFormat` of a task that asks a model.
pub(in crate::expand) fn format(task: &Task<'_>) -> TokenStream {
    if let Some(path) = reader(task) {
        let name = path.segments.iter().map(|segment| segment.ident.to_string());
        let name = name.collect::<Vec<_>>().join("::");
        return quote!(::cot_core::__private::ReplyFormat::Own(#name));
    }
    match task.syntax.reason().is_some() {
        true => quote!(::cot_core::__private::ReplyFormat::Reasoning),
        false => quote!(::cot_core::__private::ReplyFormat::Json),
    }
}

/// Generates the `ReplyCode` of a task with `read`.
pub(in crate::expand) fn reply_code(
    model: &Model<'_>,
    names: &GeneratedNames,
    task: &Task<'_>,
) -> Option<TokenStream> {
    let read = read(model, names, task)?;
    let items = value_of(&task.syntax.items.read)?;
    let check = option(reply_check(model, names, task));
    let until = option(value_of(&items.until).map(|path| until(task, path)));
    let schema = option(value_of(&items.schema).map(|path| schema(task, path)));
    Some(quote! {
        ::cot_core::__private::ReplyCode {
            read: #read,
            check: #check,
            until: #until,
            schema: #schema,
        }
    })
}

/// Returns the function that reads replies.
fn reader<'a>(task: &'a Task<'_>) -> Option<&'a Path> {
    let items = value_of(&task.syntax.items.read).filter(|_| task.kind == TaskKind::Ai)?;
    value_of(&items.reply)
}

/// Generates the call of the reader.
fn read(model: &Model<'_>, names: &GeneratedNames, task: &Task<'_>) -> Option<TokenStream> {
    let (path, ty) = (reader(task)?, task.output.as_ref()?);
    let (outputs, variant) = (&names.output, &task.variant);
    let (span, read_reply) = (end(path), callee(path, "read_reply"));
    let Locals { reply, scope, inputs, output, .. } = &Locals::at(span);
    let takes_inputs = task.syntax.items.inputs.as_ref();
    let site = Site::for_task(model, task, Place::Guard, fallback_error);
    let bind_inputs = takes_inputs.map(|_| site.inputs(inputs));
    let given = takes_inputs.map(|_| quote_spanned!(span=> , #inputs));
    let kept = quote_spanned! {ty.span()=>
        {
            #[allow(unused_imports)]
            use ::cot_core::__private::PlainOutput as _;
            ::cot_core::__private::OutputOf::<#ty>::require_storable();
        }
    };
    let value = quote_spanned! {span=>
        #read_reply(
            (#reply, #scope.state #given), #scope, ::core::marker::PhantomData::<#ty>, #path
        )?
    };
    Some(quote! {
        |#reply, #scope| {
            #kept
            #bind_inputs
            let #output: #ty = #value;
            ::core::result::Result::Ok(#outputs::#variant(#output))
        }
    })
}

/// Generates the checks of an output that was read.
fn reply_check(model: &Model<'_>, names: &GeneratedNames, task: &Task<'_>) -> Option<TokenStream> {
    let check = Some(check(model, task)).filter(|check| !check.is_empty())?;
    let (outputs, variant) = (&names.output, &task.variant);
    let Locals { scope, output, .. } = &Locals::new();
    Some(quote! {
        |#output, #scope| match #output {
            #outputs::#variant(#output) => {
                #check
                ::core::result::Result::Ok(#outputs::#variant(#output))
            }
            #output => ::core::result::Result::Ok(#output),
        }
    })
}

/// Generates the function that watches a streamed reply.
fn until(task: &Task<'_>, path: &Path) -> TokenStream {
    let (span, watch_reply) = (end(path), callee(path, "watch_reply"));
    let Locals { owned, chunks, scope, inputs, .. } = &Locals::at(span);
    let (bind_inputs, given) = given_inputs(task, scope, inputs, &quote!(()));
    let watched = quote_spanned! {span=>
        #watch_reply((#scope.state, #given), &#scope, #path)
    };
    quote! {
        |#owned, #chunks| ::std::boxed::Box::pin(async move {
            let #scope = #owned.cx();
            #bind_inputs
            #chunks.find(#watched).await;
        })
    }
}

/// Generates the function that returns the schema of replies.
fn schema(task: &Task<'_>, path: &Path) -> TokenStream {
    let (span, reply_schema) = (end(path), callee(path, "reply_schema"));
    let Locals { scope, inputs, .. } = &Locals::at(span);
    let none = quote!(::core::option::Option::None);
    let (bind_inputs, given) = given_inputs(task, scope, inputs, &none);
    quote_spanned! {span=>
        |#scope| {
            #bind_inputs
            #reply_schema((#scope.state, #given), #scope, #path)
        }
    }
}

/// Generates the binding of the inputs of a task, and the argument that passes them.
fn given_inputs(
    task: &Task<'_>,
    scope: &Ident,
    inputs: &Ident,
    missing: &TokenStream,
) -> (Option<TokenStream>, Option<TokenStream>) {
    let ty = value_of(&task.syntax.items.inputs);
    let bind = ty.map(|ty| {
        let given = quote_spanned!(ty.span()=> ::cot_core::__private::inputs::<#ty>(#scope.inputs));
        quote!(let ::core::option::Option::Some(#inputs) = #given else { return #missing; };)
    });
    (bind, ty.map(|_| quote!(#inputs)))
}

//! Calling conventions of the functions of `read`.
//!
//! The argument types are inferred from the signature of a function, as for `run` and `mock`.

use std::{marker::PhantomData, sync::Arc};

use cot_model::ReplySchema;
use cot_schema::Issues;

use super::{
    function::{WithCx, WithoutCx},
    signatures::{HasNoForm, NoForm, Pass},
};
use crate::process::{context::Cx, types::ProcessTypes};

/// The requirements on a function that reads replies. `G` is the tuple of its arguments, `O` its output.
#[diagnostic::on_unimplemented(
    message = "this function can't be the `read` of the task [COT0176]",
    label = "has another signature",
    note = "expected the arguments `{G}`, and optionally `&Cx<'_, {P}>` as the last one",
    note = "it returns `Result<{O}, Issues>`, or another error that converts into `Issues`"
)]
pub trait ReadFunction<'c, G, P: ProcessTypes, O, K> {
    /// Calls the function.
    ///
    /// # Errors
    ///
    /// The issues that it returns.
    fn read(self, given: G, cx: &'c Cx<'c, P>) -> Result<O, Issues>;
}

/// A function that returns whether a reply ends with a chunk.
pub type IsEnd<'c> = Box<dyn FnMut(&str) -> bool + Send + 'c>;

/// The requirements on the `until` of `read`. `G` is the tuple of its arguments.
#[diagnostic::on_unimplemented(
    message = "this function can't be the `until` of the task [COT0177]",
    label = "has another signature",
    note = "expected the arguments `{G}`, and optionally `&Cx<'_, {P}>` as the last one",
    note = "it returns `impl FnMut(&str) -> bool + Send`"
)]
pub trait UntilFunction<'c, G, P: ProcessTypes, K> {
    /// Calls the function. What it returns receives the chunks of a reply.
    fn begin(self, given: G, cx: &'c Cx<'c, P>) -> IsEnd<'c>;
}

/// The requirements on the `schema` of `read`. `G` is the tuple of its arguments.
#[diagnostic::on_unimplemented(
    message = "this function can't be the `schema` of the task [COT0178]",
    label = "has another signature",
    note = "expected the arguments `{G}`, and optionally `&Cx<'_, {P}>` as the last one",
    note = "it returns `Arc<ReplySchema>` or an `Option` of it"
)]
pub trait SchemaFunction<'c, G, P: ProcessTypes, K> {
    /// Calls the function.
    fn schema(self, given: G, cx: &'c Cx<'c, P>) -> Option<Arc<ReplySchema>>;
}

/// What the `schema` of `read` can return.
pub trait IntoReplySchema {
    /// Returns the schema.
    fn into_schema(self) -> Option<Arc<ReplySchema>>;
}

impl IntoReplySchema for Arc<ReplySchema> {
    fn into_schema(self) -> Option<Self> {
        Some(self)
    }
}

impl IntoReplySchema for Option<Arc<ReplySchema>> {
    fn into_schema(self) -> Self {
        self
    }
}

/// Calls a function that reads a reply.
///
/// # Errors
///
/// The issues that the function returns.
pub fn read_reply<'c, G, P: ProcessTypes, O, K, F: ReadFunction<'c, G, P, O, K>>(
    given: G,
    cx: &'c Cx<'c, P>,
    _: PhantomData<O>,
    function: F,
) -> Result<O, Issues> {
    function.read(given, cx)
}

/// Calls an `until` function.
pub fn watch_reply<'c, G, P: ProcessTypes, K, F: UntilFunction<'c, G, P, K>>(
    given: G,
    cx: &'c Cx<'c, P>,
    function: F,
) -> IsEnd<'c> {
    function.begin(given, cx)
}

/// Calls a `schema` function.
pub fn reply_schema<'c, G, P: ProcessTypes, K, F: SchemaFunction<'c, G, P, K>>(
    given: G,
    cx: &'c Cx<'c, P>,
    function: F,
) -> Option<Arc<ReplySchema>> {
    function.schema(given, cx)
}

#[diagnostic::do_not_recommend]
impl<'c, G, P: ProcessTypes, O, F: HasNoForm> ReadFunction<'c, G, P, O, NoForm> for F {
    fn read(self, _: G, _: &'c Cx<'c, P>) -> Result<O, Issues> {
        self.never()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, G, P: ProcessTypes, F: HasNoForm> UntilFunction<'c, G, P, NoForm> for F {
    fn begin(self, _: G, _: &'c Cx<'c, P>) -> IsEnd<'c> {
        self.never()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, G, P: ProcessTypes, F: HasNoForm> SchemaFunction<'c, G, P, NoForm> for F {
    fn schema(self, _: G, _: &'c Cx<'c, P>) -> Option<Arc<ReplySchema>> {
        self.never()
    }
}

/// Implements [`ReadFunction`] for functions with these arguments.
macro_rules! read_functions {
    ($($given:ident $taken:ident $name:ident),*) => {
        #[diagnostic::do_not_recommend]
        impl<'c, $($given: Pass<$taken>, $taken,)* P: ProcessTypes, O, E: Into<Issues>, F>
            ReadFunction<'c, ($($given,)*), P, O, WithoutCx<($($taken,)* E,)>> for F
        where
            F: FnOnce($($taken),*) -> Result<O, E>,
        {
            fn read(self, ($($name,)*): ($($given,)*), _: &'c Cx<'c, P>) -> Result<O, Issues> {
                self($($name.pass()),*).map_err(Into::into)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'c, $($given: Pass<$taken>, $taken,)* P: ProcessTypes, O, E: Into<Issues>, F>
            ReadFunction<'c, ($($given,)*), P, O, WithCx<($($taken,)* E,)>> for F
        where
            F: FnOnce($($taken,)* &'c Cx<'c, P>) -> Result<O, E>,
        {
            fn read(self, ($($name,)*): ($($given,)*), cx: &'c Cx<'c, P>) -> Result<O, Issues> {
                self($($name.pass(),)* cx).map_err(Into::into)
            }
        }
    };
}

/// Implements [`UntilFunction`] and [`SchemaFunction`] for functions with these arguments.
macro_rules! setup_functions {
    ($($given:ident $taken:ident $name:ident),*) => {
        #[diagnostic::do_not_recommend]
        impl<'c, $($given: Pass<$taken>, $taken,)* P: ProcessTypes, R, F>
            UntilFunction<'c, ($($given,)*), P, WithoutCx<($($taken,)* R,)>> for F
        where
            F: FnOnce($($taken),*) -> R,
            R: FnMut(&str) -> bool + Send + 'c,
        {
            fn begin(self, ($($name,)*): ($($given,)*), _: &'c Cx<'c, P>) -> IsEnd<'c> {
                Box::new(self($($name.pass()),*))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'c, $($given: Pass<$taken>, $taken,)* P: ProcessTypes, R, F>
            UntilFunction<'c, ($($given,)*), P, WithCx<($($taken,)* R,)>> for F
        where
            F: FnOnce($($taken,)* &'c Cx<'c, P>) -> R,
            R: FnMut(&str) -> bool + Send + 'c,
        {
            fn begin(self, ($($name,)*): ($($given,)*), cx: &'c Cx<'c, P>) -> IsEnd<'c> {
                Box::new(self($($name.pass(),)* cx))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'c, $($given: Pass<$taken>, $taken,)* P: ProcessTypes, R: IntoReplySchema, F>
            SchemaFunction<'c, ($($given,)*), P, WithoutCx<($($taken,)* R,)>> for F
        where
            F: FnOnce($($taken),*) -> R,
        {
            fn schema(self, ($($name,)*): ($($given,)*), _: &'c Cx<'c, P>) -> Option<Arc<ReplySchema>> {
                self($($name.pass()),*).into_schema()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'c, $($given: Pass<$taken>, $taken,)* P: ProcessTypes, R: IntoReplySchema, F>
            SchemaFunction<'c, ($($given,)*), P, WithCx<($($taken,)* R,)>> for F
        where
            F: FnOnce($($taken,)* &'c Cx<'c, P>) -> R,
        {
            fn schema(self, ($($name,)*): ($($given,)*), cx: &'c Cx<'c, P>) -> Option<Arc<ReplySchema>> {
                self($($name.pass(),)* cx).into_schema()
            }
        }
    };
}

// The reply and the state; with the inputs.
read_functions!(M Z reply, S A state);
read_functions!(M Z reply, S A state, I B inputs);
// The state; with the inputs.
setup_functions!(S A state);
setup_functions!(S A state, I B inputs);

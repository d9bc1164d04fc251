//! The trait of language models.

use std::{future::Future, pin::Pin, sync::Arc};

use cot_schema::Dialect;

use crate::{delta::DeltaSink, error::ModelError, reply::ModelReply, request::ModelRequest};

/// The future of a [`LanguageModel`]'s reply.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A language model that answers one prompt at a time.
///
/// The trait is object-safe: runners hold `Arc<dyn LanguageModel>`. Dropping the future must stop
/// the call. Failures to *reach* the model are the implementation's to retry; what it returns as an
/// error ends the run.
///
/// ```
/// use cot_core::model::{BoxFuture, LanguageModel, ModelError, ModelReply, ModelRequest};
///
/// struct Echo;
///
/// impl LanguageModel for Echo {
///     fn reply<'a>(&'a self, request: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
///         Box::pin(async move { Ok(ModelReply::new(request.prompt())) })
///     }
/// }
/// # let _ = Echo;
/// ```
pub trait LanguageModel: Send + Sync {
    /// Asks the model.
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>>;

    /// Asks the model, and hands on the text of the reply while it comes in. The result is the whole
    /// reply all the same.
    ///
    /// Once it is there, the pieces since the last restart make up its text, or there were none: a
    /// model that can't stream gives none, as this provided method does. A model that tries again
    /// after it has handed on text says [`restart`](DeltaSink::restart) first. After an error, what
    /// was handed on is void.
    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        let _ = sink;
        self.reply(request)
    }

    /// The dialect of JSON schema that the engine takes. Wrappers of a model hand on that of the model.
    fn dialect(&self) -> Dialect {
        Dialect::Plain
    }
}

impl<M: LanguageModel + ?Sized> LanguageModel for Arc<M> {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        (**self).reply(request)
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        (**self).stream(request, sink)
    }

    fn dialect(&self) -> Dialect {
        (**self).dialect()
    }
}

impl<M: LanguageModel + ?Sized> LanguageModel for Box<M> {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        (**self).reply(request)
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        (**self).stream(request, sink)
    }

    fn dialect(&self) -> Dialect {
        (**self).dialect()
    }
}

//! The trait of language models.

use std::{future::Future, pin::Pin, sync::Arc};

use cot_schema::Dialect;

use crate::{
    delta::DeltaSink, error::ModelError, info::ModelInfo, media::medium::AcceptedMedia,
    reply::ModelReply, request::ModelRequest,
};

/// A boxed future, as returned by [`LanguageModel`].
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A client of a language model.
///
/// The trait is object-safe: runners hold `Arc<dyn LanguageModel>`. Dropping the future must cancel the
/// call. Implementations retry transport failures themselves; an error that they return ends the run.
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
    /// Sends a request and returns the complete reply.
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>>;

    /// Sends a request, passes the text of the reply to `sink` as it is received, and returns the complete
    /// reply.
    ///
    /// On success, the chunks since the last restart concatenate to the text of the reply, or there were no
    /// chunks at all. A model that can't stream sends none, as the default implementation does. Before a
    /// model retries after it has sent chunks, it must call [`restart`](DeltaSink::restart). After an error,
    /// the receiver must discard all chunks.
    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        let _ = sink;
        self.reply(request)
    }

    /// Returns the dialect of JSON schema that the inference engine supports. A wrapper returns that of the
    /// inner model.
    fn dialect(&self) -> Dialect {
        Dialect::Plain
    }

    /// Returns the images and documents that the inference engine accepts. A wrapper returns that of the inner
    /// model. By default a model accepts text only.
    fn accepted_media(&self) -> AcceptedMedia {
        AcceptedMedia::NONE
    }

    /// Returns whether the client sends the [tools](ModelRequest::tools) and the rounds of a request to the
    /// engine, and returns the calls of its replies. A wrapper returns that of the inner model.
    ///
    /// If not, as by default, drivers pass the request
    /// [with its tools in the prompt](ModelRequest::with_tools_in_prompt), and the model writes its calls as
    /// JSON.
    fn calls_tools(&self) -> bool {
        false
    }

    /// Returns the dialect in which the schemas of tools have to be expressible, for a model that
    /// [calls tools](Self::calls_tools). A wrapper returns that of the inner model. By default, and for engines
    /// that also take tools whose schemas they do not enforce, it is [`Dialect::Plain`].
    fn tool_dialect(&self) -> Dialect {
        Dialect::Plain
    }

    /// Returns what is known of the model and of the service that runs it, for traces. A wrapper returns that of
    /// the inner model. By default nothing is known.
    fn info(&self) -> ModelInfo<'_> {
        ModelInfo::new()
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

    fn accepted_media(&self) -> AcceptedMedia {
        (**self).accepted_media()
    }

    fn calls_tools(&self) -> bool {
        (**self).calls_tools()
    }

    fn tool_dialect(&self) -> Dialect {
        (**self).tool_dialect()
    }

    fn info(&self) -> ModelInfo<'_> {
        (**self).info()
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

    fn accepted_media(&self) -> AcceptedMedia {
        (**self).accepted_media()
    }

    fn calls_tools(&self) -> bool {
        (**self).calls_tools()
    }

    fn tool_dialect(&self) -> Dialect {
        (**self).tool_dialect()
    }

    fn info(&self) -> ModelInfo<'_> {
        (**self).info()
    }
}

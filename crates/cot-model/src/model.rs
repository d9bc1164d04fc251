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
/// The trait is object-safe: runners hold `Arc<dyn LanguageModel>`.
///
/// Dropping the future of a call must cancel the call. A run does that when it is stopped, when a time limit is
/// exceeded, and when the function of `until` ends a streamed reply.
///
/// An implementation retries transport failures as far as it sees fit. Of an error that it returns, the
/// [kind](ModelError::kind) decides what a run does: after a [rejected](crate::ModelErrorKind::Rejected) reply it asks
/// again, with the message as the issue; otherwise it repeats what is [retryable](ModelError::is_retryable) as often
/// as `retry` of the task says, tries the next engine of the task, and takes the route `unreachable`. A reply that
/// was refused is no error: its [finish](ModelReply::finish) says so.
///
/// The [usage](ModelReply::usage) of a reply counts all attempts that were made for it, and so does the
/// [usage of an error](ModelError::usage). A call whose tokens are not known counts as
/// [uncounted](crate::Usage::uncounted_call); an error without a usage counts as one.
///
/// A model that wraps another one implements `reply`, `stream` and [`inner`](Self::inner).
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
    /// On success, the chunks of text since the last restart concatenate to the text of the reply, or there were no
    /// chunks of text at all. [Thoughts](DeltaSink::push_thought) are no part of it. A model that can't stream sends
    /// nothing, as the default implementation does. Before a model retries after it has sent chunks, it must call
    /// [`restart`](DeltaSink::restart). After an error, the receiver must discard all chunks.
    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        let _ = sink;
        self.reply(request)
    }

    /// Returns the model that this one wraps; `None` by default, for a model that wraps none.
    ///
    /// The methods below return by default what the inner model returns, so that a wrapper loses no capability.
    ///
    /// ```
    /// use cot_core::model::{
    ///     BoxFuture, DeltaSink, LanguageModel, ModelError, ModelErrorKind, ModelReply, ModelRequest,
    /// };
    ///
    /// struct Limited<M>(M);
    ///
    /// impl<M: LanguageModel> LanguageModel for Limited<M> {
    ///     fn reply<'a>(&'a self, request: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
    ///         let is_long = request.prompt().len() > 100_000;
    ///         if is_long { refuse() } else { self.0.reply(request) }
    ///     }
    ///
    ///     fn stream<'a>(
    ///         &'a self,
    ///         request: &'a ModelRequest,
    ///         sink: &'a DeltaSink,
    ///     ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
    ///         let is_long = request.prompt().len() > 100_000;
    ///         if is_long { refuse() } else { self.0.stream(request, sink) }
    ///     }
    ///
    ///     fn inner(&self) -> Option<&dyn LanguageModel> {
    ///         Some(&self.0)
    ///     }
    /// }
    ///
    /// fn refuse<'a>() -> BoxFuture<'a, Result<ModelReply, ModelError>> {
    ///     let error = ModelError::new(ModelErrorKind::Other, "the prompt is too long");
    ///     Box::pin(async { Err(error) })
    /// }
    /// # let _ = Limited(cot_core::model::ScriptedModel::new(["Hello"]));
    /// ```
    fn inner(&self) -> Option<&dyn LanguageModel> {
        None
    }

    /// Returns the dialect of JSON schema that the inference engine supports; [`Dialect::Plain`] by default.
    fn dialect(&self) -> Dialect {
        self.inner().map_or(Dialect::Plain, |inner| inner.dialect())
    }

    /// Returns the images and documents that the inference engine accepts; text only by default.
    fn accepted_media(&self) -> AcceptedMedia {
        self.inner().map_or(AcceptedMedia::NONE, |inner| inner.accepted_media())
    }

    /// Returns whether the client sends the [tools](ModelRequest::tools) and the rounds of a request to the
    /// engine, and returns the calls of its replies.
    ///
    /// If not, as by default, drivers pass the request
    /// [with its tools in the prompt](ModelRequest::with_tools_in_prompt), and the model writes its calls as
    /// JSON.
    fn calls_tools(&self) -> bool {
        self.inner().is_some_and(|inner| inner.calls_tools())
    }

    /// Returns the dialect in which the schemas of tools have to be expressible, for a model that
    /// [calls tools](Self::calls_tools). By default, and for engines that also take tools whose schemas they do not
    /// enforce, it is [`Dialect::Plain`].
    fn tool_dialect(&self) -> Dialect {
        self.inner().map_or(Dialect::Plain, |inner| inner.tool_dialect())
    }

    /// Returns what is known of the model and of the service that runs it, for traces; nothing by default.
    fn info(&self) -> ModelInfo<'_> {
        self.inner().map_or_else(ModelInfo::new, |inner| inner.info())
    }
}

/// Implements `LanguageModel` for pointers to a model.
macro_rules! forward_to_model {
    ($($pointer:ident),*) => {
        $(
            impl<M: LanguageModel + ?Sized> LanguageModel for $pointer<M> {
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
        )*
    };
}

forward_to_model!(Arc, Box);

#[cfg(test)]
mod tests {
    use super::*;

    struct Able;

    struct Wrapper<M>(M);

    macro_rules! answers_nothing {
        () => {
            fn reply<'a>(
                &'a self,
                _: &'a ModelRequest,
            ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
                Box::pin(async { Ok(ModelReply::new("")) })
            }
        };
    }

    impl LanguageModel for Able {
        answers_nothing!();

        fn dialect(&self) -> Dialect {
            Dialect::LlamaCpp
        }

        fn accepted_media(&self) -> AcceptedMedia {
            AcceptedMedia::IMAGES
        }

        fn calls_tools(&self) -> bool {
            true
        }

        fn tool_dialect(&self) -> Dialect {
            Dialect::OpenAiStrict
        }

        fn info(&self) -> ModelInfo<'_> {
            ModelInfo::new().provider("able")
        }
    }

    impl<M: LanguageModel> LanguageModel for Wrapper<M> {
        answers_nothing!();

        fn inner(&self) -> Option<&dyn LanguageModel> {
            Some(&self.0)
        }
    }

    #[test]
    fn a_wrapper_loses_no_capability() {
        let wrapped: [Box<dyn LanguageModel>; 3] = [
            Box::new(Wrapper(Able)),
            Box::new(Wrapper(Arc::new(Wrapper(Box::new(Able))))),
            Box::new(Arc::new(Wrapper(Able)) as Arc<dyn LanguageModel>),
        ];
        for model in wrapped {
            assert_eq!(
                (model.dialect(), model.tool_dialect()),
                (Able.dialect(), Able.tool_dialect())
            );
            assert_eq!(model.accepted_media(), AcceptedMedia::IMAGES);
            assert!(model.calls_tools());
            assert_eq!(model.info().provider, Some("able"));
        }
        let plain = Wrapper(crate::ScriptedModel::new(["a"]));
        assert_eq!(plain.calls_tools(), crate::ScriptedModel::new(["a"]).calls_tools());
    }
}

//! The implementation of `LanguageModel` that the models of all protocols share.

/// Implements `LanguageModel` and `Debug` for a model with a `client`.
macro_rules! language_model {
    ($model:ident) => {
        impl LanguageModel for $model {
            fn reply<'a>(
                &'a self,
                request: &'a ModelRequest,
            ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
                Box::pin(self.client.ask(request, None))
            }

            fn stream<'a>(
                &'a self,
                request: &'a ModelRequest,
                sink: &'a DeltaSink,
            ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
                Box::pin(self.client.ask(request, Some(sink)))
            }

            fn dialect(&self) -> Dialect {
                self.client.dialect()
            }

            fn accepted_media(&self) -> AcceptedMedia {
                self.client.accepted_media()
            }

            fn calls_tools(&self) -> bool {
                self.client.calls_tools()
            }

            fn tool_dialect(&self) -> Dialect {
                self.client.tool_dialect()
            }

            fn info(&self) -> ModelInfo<'_> {
                self.client.info()
            }
        }

        impl fmt::Debug for $model {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.client.fmt_as(stringify!($model), f)
            }
        }
    };
}

pub(crate) use language_model;

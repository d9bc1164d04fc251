//! The builder of [`OpenAiCompatible`].

use std::{fmt, time::Duration};

use cot_model::AcceptedMedia;
use cot_schema::Dialect;
use reqwest::Url;

use super::{model::OpenAiCompatible, protocol::ChatCompletions};
use crate::http::{
    ResponseFormat,
    client::{ClientBuildError, Options, Server},
    needs_explanation, settings,
};

/// Builds an [`OpenAiCompatible`].
#[derive(Clone)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct OpenAiBuilder {
    server: Server,
    options: Options,
}

impl OpenAiCompatible {
    /// Creates a builder for a model on a server. The base URL is the part before `/chat/completions`,
    /// such as `http://127.0.0.1:8080/v1`.
    pub fn builder(base_url: impl Into<String>, model: impl Into<String>) -> OpenAiBuilder {
        OpenAiBuilder::new(base_url.into(), model.into())
    }

    /// Creates a builder for the model that the environment names, or returns `None` if it names neither a model nor a
    /// server.
    ///
    /// | variable | what it is | without it |
    /// |---|---|---|
    /// | `OPENAI_MODEL` | the name of the model | `default`: a server that has one model takes any name |
    /// | `OPENAI_BASE_URL` | the base URL of the server | `https://api.openai.com/v1` |
    /// | `OPENAI_API_KEY` | the key | none is sent |
    ///
    /// An empty variable counts as absent. A key alone is not enough, so that a program without a model never pays.
    ///
    /// ```
    /// use cot_core::model::{ClientBuildError, LanguageModel, OpenAiCompatible, ScriptedModel};
    ///
    /// fn model() -> Result<Box<dyn LanguageModel>, ClientBuildError> {
    ///     Ok(match OpenAiCompatible::from_env() {
    ///         Some(server) => Box::new(server.build()?),
    ///         None => Box::new(ScriptedModel::from_fn(|_| "a reply without a server")),
    ///     })
    /// }
    /// # let _ = model();
    /// ```
    #[must_use]
    pub fn from_env() -> Option<OpenAiBuilder> {
        OpenAiBuilder::from_variables(|name| std::env::var(name).ok())
    }
}

impl OpenAiBuilder {
    pub(super) fn new(base_url: String, model: String) -> Self {
        Self { server: Server { base_url, model, key: None }, options: Options::default() }
    }

    fn from_variables(read: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let read = |name| read(name).filter(|value| !value.is_empty());
        let (base_url, model) = match (read("OPENAI_BASE_URL"), read("OPENAI_MODEL")) {
            (None, None) => return None,
            (base_url, model) => (
                base_url.unwrap_or_else(|| "https://api.openai.com/v1".to_owned()),
                model.unwrap_or_else(|| "default".to_owned()),
            ),
        };
        let mut builder = Self::new(base_url, model);
        builder.server.key = read("OPENAI_API_KEY");
        Some(builder)
    }

    settings!();

    /// Sets the key, which is sent as a bearer token and never appears in output.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.server.key = Some(key.into());
        self
    }

    /// Sets the size limit of a response. Default: 16 MiB. For a stream it applies to the text of the
    /// reply, the thoughts and the incomplete event.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.options.max_body_bytes = bytes;
        self
    }

    /// Sets how the server is asked for replies that match the schema. Default:
    /// [`ResponseFormat::JsonSchema`].
    pub fn response_format(mut self, format: ResponseFormat) -> Self {
        self.options.response_format = format;
        self
    }

    /// Sets the dialect of JSON Schema that the server supports. With [`Dialect::OpenAiStrict`],
    /// `strict` is requested too, which has no meaning for other dialects.
    ///
    /// Default: [`Dialect::OpenAiStrict`] for `api.openai.com`; [`Dialect::Plain`] for any other
    /// server. [`Dialect::LlamaCpp`] and [`Dialect::Vllm`] fit the servers of these names.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.options.dialect = Some(dialect);
        self
    }

    /// Sets which images and documents the model accepts. A request with others fails before it is sent.
    ///
    /// Default: [`AcceptedMedia::ALL`] for `api.openai.com`; [`AcceptedMedia::NONE`] for any other server,
    /// since most models of other servers read text only.
    pub fn accepts(mut self, media: AcceptedMedia) -> Self {
        self.options.accepts = Some(media);
        self
    }

    /// Sets whether requests mark where the stable parts of the prompt end, with `cache_control` as in
    /// Anthropic's API. Default: false.
    ///
    /// Up to four texts are marked: the last ones of the system message and the turns, the last ones of the
    /// prompt that are the same in all runs and in one run, and the last whole block of 2 kB of those that are
    /// only appended to. This is for servers that pass the marks on to a vendor that needs them, such as OpenRouter and LiteLLM with models
    /// of Anthropic. OpenAI, DeepSeek, llama.cpp and vLLM cache prefixes by themselves, and some servers
    /// reject the marks.
    pub fn cache_breakpoints(mut self, send: bool) -> Self {
        self.options.cache_breakpoints = send;
        self
    }

    /// Sets whether the server is sent tools, and sends calls of them. Default: true.
    ///
    /// If not, the prompt describes the tools and the JSON form of a call. If a server answers that it does not
    /// support tools, the request is repeated in this form; if that succeeds, all later requests have it. This
    /// setting is for servers that ignore tools without an error.
    pub fn tool_calls(mut self, send: bool) -> Self {
        self.options.tool_calls = send;
        self
    }

    /// Sets whether a request with tools has the response format too. If not, the prompt explains the format.
    ///
    /// Default: true for [`Dialect::OpenAiStrict`]; false for any other, since servers that enforce the format with
    /// a grammar, such as llama.cpp, vLLM and Ollama, let the model call no tools then.
    pub fn format_with_tools(mut self, send: bool) -> Self {
        self.options.format_with_tools = Some(send);
        self
    }

    /// Builds the client. Sends nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if the base URL or key is invalid, or TLS is needed and the build or
    /// the system has none.
    pub fn build(mut self) -> Result<OpenAiCompatible, ClientBuildError> {
        let endpoint = self.server.endpoint::<ChatCompletions>()?;
        let dialect = *self.options.dialect.get_or_insert_with(|| default_dialect(&endpoint));
        self.options.format_with_tools.get_or_insert(dialect == Dialect::OpenAiStrict);
        self.options.accepts.get_or_insert_with(|| default_media(&endpoint));
        self.options.explain_format.get_or_insert_with(|| needs_explanation(&endpoint));
        Ok(OpenAiCompatible { client: self.server.connect(ChatCompletions, self.options)? })
    }
}

impl fmt::Debug for OpenAiBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The base URL is omitted: unparsed, its secrets can't be removed.
        f.debug_struct("OpenAiBuilder")
            .field("model", &self.server.model)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

fn default_dialect(endpoint: &Url) -> Dialect {
    if is_openai(endpoint) { Dialect::OpenAiStrict } else { Dialect::Plain }
}

fn is_openai(endpoint: &Url) -> bool {
    endpoint.host_str() == Some("api.openai.com")
}

fn default_media(endpoint: &Url) -> AcceptedMedia {
    if is_openai(endpoint) { AcceptedMedia::ALL } else { AcceptedMedia::NONE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cot_model::LanguageModel;

    #[test]
    fn the_endpoint_is_below_the_base_url() {
        let of = |base: &str| {
            let server = OpenAiCompatible::builder(base, "m").server;
            server.endpoint::<ChatCompletions>().unwrap().to_string()
        };
        assert_eq!(of("http://h:1/v1"), "http://h:1/v1/chat/completions");
        assert_eq!(of(" https://h/a/v1/#x\n"), "https://h/a/v1/chat/completions");
        assert_eq!(of("https://h?v=2"), "https://h/chat/completions?v=2");
    }

    #[test]
    fn the_environment_names_the_model() {
        let built = |variables: &[(&str, &str)]| {
            let read = |name: &str| {
                variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            };
            let server = OpenAiBuilder::from_variables(read)?.server;
            Some((server.base_url, server.model, server.key))
        };
        let named = |base_url: &str, model: &str, key: Option<&str>| {
            Some((base_url.to_owned(), model.to_owned(), key.map(str::to_owned)))
        };
        let openai = "https://api.openai.com/v1";
        let (model, base_url, key) = ("OPENAI_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY");
        for (variables, expected) in [
            (&[] as &[_], None),
            (&[(key, "k")], None),
            (&[(key, "k"), (model, ""), (base_url, "")], None),
            (&[(model, "m")], named(openai, "m", None)),
            (&[(model, "m"), (key, "k")], named(openai, "m", Some("k"))),
            (&[(base_url, "http://h/v1"), (key, "")], named("http://h/v1", "default", None)),
            (&[(base_url, "http://h/v1"), (model, "m")], named("http://h/v1", "m", None)),
        ] {
            assert_eq!(built(variables), expected, "{variables:?}");
        }
    }

    #[test]
    fn the_server_tells_the_media() {
        for (base, asked, accepted) in [
            ("https://api.openai.com/v1", None, AcceptedMedia::ALL),
            ("https://api.openai.com/v1", Some(AcceptedMedia::NONE), AcceptedMedia::NONE),
            ("https://api.openai.com.example.org/v1", None, AcceptedMedia::NONE),
            ("http://127.0.0.1:8080/v1", Some(AcceptedMedia::IMAGES), AcceptedMedia::IMAGES),
        ] {
            let mut builder = OpenAiCompatible::builder(base, "m");
            if let Some(asked) = asked {
                builder = builder.accepts(asked);
            }
            assert_eq!(builder.build().unwrap().accepted_media(), accepted, "{base}");
        }
    }

    #[test]
    fn the_server_tells_the_dialect() {
        for (base, asked, dialect) in [
            ("https://api.openai.com/v1", None, Dialect::OpenAiStrict),
            ("https://api.openai.com.example.org/v1", None, Dialect::Plain),
            ("http://127.0.0.1:8080/v1", None, Dialect::Plain),
            ("http://127.0.0.1:8080/v1", Some(Dialect::LlamaCpp), Dialect::LlamaCpp),
            ("https://api.openai.com/v1", Some(Dialect::Plain), Dialect::Plain),
        ] {
            let mut builder = OpenAiCompatible::builder(base, "m");
            if let Some(asked) = asked {
                builder = builder.dialect(asked);
            }
            let model = builder.clone().build().unwrap();
            assert_eq!(LanguageModel::dialect(&model), dialect, "{base}");
            // Where the schema is not sent, none can be refused.
            let model = builder.response_format(ResponseFormat::PromptOnly).build().unwrap();
            assert_eq!(LanguageModel::dialect(&model), Dialect::Plain, "{base}");
        }
    }
}

//! Selection of the server and protocol of a model.

use futures_util::FutureExt;
use genai::{
    ClientConfig, ModelIden, ModelSpec, ServiceTarget,
    adapter::AdapterKind,
    resolver::{AuthData, Endpoint},
};
use reqwest::Url;

use super::error::GenAiBuildError;

/// Finds the provider of a model by its namespace or by the prefix of its name.
pub(super) fn find(name: &str, base_url: Option<&Url>) -> Result<ServiceTarget, GenAiBuildError> {
    let adapter = AdapterKind::from_model(name).map_err(|_| unknown(name))?;
    let model = ModelIden::new(adapter, name);
    // `genai` assigns unknown names to Ollama, which is only right for names without a namespace.
    if adapter == AdapterKind::Ollama && model.model_name.namespace().is_some_and(|n| n != "ollama")
    {
        return Err(unknown(name));
    }
    let mut target = resolve(model.clone(), base_url)?;
    if let Some(url) = base_url {
        target.endpoint = Endpoint::from_owned(url.as_str());
    }
    Ok(ServiceTarget { model, ..target })
}

/// Changes the target to chat completions on the same server, the only protocol of Ollama in which
/// `genai` can send a schema.
pub(super) fn as_chat_completions(target: ServiceTarget) -> ServiceTarget {
    let base_url = target.endpoint.base_url();
    let version = if base_url.ends_with("/v1/") { "" } else { "v1/" };
    let endpoint = Endpoint::from_owned(format!("{base_url}{version}"));
    let (_, name) = target.model.model_name.namespace_and_name();
    let model = ModelIden::new(AdapterKind::OpenAI, name);
    ServiceTarget { endpoint, model, ..target }
}

/// Parses a base URL and makes its path end with a slash.
pub(super) fn read_base_url(text: &str) -> Result<Url, GenAiBuildError> {
    let mut url = Url::parse(text.trim()).map_err(|_| GenAiBuildError::Url)?;
    let is_plain = url.query().or(url.fragment()).or(url.password()).is_none();
    let has_user = !url.username().is_empty();
    if !matches!(url.scheme(), "http" | "https") || !is_plain || has_user {
        return Err(GenAiBuildError::Url);
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

// None of the resolvers waits, so the first poll returns the result.
fn resolve(model: ModelIden, base_url: Option<&Url>) -> Result<ServiceTarget, GenAiBuildError> {
    let config = ClientConfig::default();
    let found = config.resolve_model_spec(ModelSpec::Iden(model.clone())).now_or_never();
    match (found, base_url) {
        (Some(Ok(target)), _) => Ok(target),
        (_, Some(url)) => {
            let endpoint = Endpoint::from_owned(url.as_str());
            Ok(ServiceTarget { endpoint, auth: AuthData::None, model })
        }
        (_, None) => Err(GenAiBuildError::NoAddress),
    }
}

fn unknown(name: &str) -> GenAiBuildError {
    let namespace = name.split("::").next().unwrap_or_default();
    GenAiBuildError::Provider { namespace: namespace.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_asked_at_their_providers() {
        for (name, adapter, base_url) in [
            ("claude-haiku-4-5", AdapterKind::Anthropic, "https://api.anthropic.com/v1/"),
            ("anthropic::tiny", AdapterKind::Anthropic, "https://api.anthropic.com/v1/"),
            ("openai::tiny", AdapterKind::OpenAI, "https://api.openai.com/v1/"),
            ("tiny", AdapterKind::Ollama, "http://localhost:11434/"),
        ] {
            let target = find(name, None).unwrap();
            assert_eq!(target.model.adapter_kind, adapter);
            assert_eq!(target.endpoint.base_url(), base_url);
        }
        let own = read_base_url("http://h:1/a").unwrap();
        let target = find("ollama::tiny", Some(&own)).unwrap();
        assert_eq!(target.endpoint.base_url(), "http://h:1/a/");
        let target = as_chat_completions(target);
        assert_eq!(target.endpoint.base_url(), "http://h:1/a/v1/");
        assert_eq!(&*target.model.model_name, "tiny");
        assert_eq!(as_chat_completions(target).endpoint.base_url(), "http://h:1/a/v1/");
        assert!(matches!(find("antropic::tiny", None), Err(GenAiBuildError::Provider { .. })));
    }

    #[test]
    fn base_urls_are_plain() {
        assert_eq!(read_base_url(" http://h/v1\n").unwrap().as_str(), "http://h/v1/");
        for url in ["h", "ftp://h/", "http://u@h/", "http://:p@h/", "http://h/?k=v", "http://h/#f"]
        {
            assert!(matches!(read_base_url(url), Err(GenAiBuildError::Url)), "{url}");
        }
    }
}

//! The servers that show the schema of a reply to the model.

use reqwest::Url;

/// The hosts that put the schema of a reply into the context of the model, so that a prompt need not explain it,
/// and how that is known.
const SHOW_THE_SCHEMA: [(&str, &str); 4] = [
    (
        "api.openai.com",
        "Harmony response format: the developer message ends with `# Response Formats`",
    ),
    (
        "api.anthropic.com",
        "Structured outputs: an additional system prompt explains the output format",
    ),
    ("generativelanguage.googleapis.com", "Structured output: the schema counts as input tokens"),
    ("api.mistral.ai", "Custom structured outputs: the schema is prepended to the system prompt"),
];

/// Returns whether prompts to a server explain the format of a reply although the server gets its schema. Other
/// servers use the schema for a grammar alone, as llama.cpp, vLLM and Ollama do, or don't say.
pub(crate) fn needs_explanation(server: &Url) -> bool {
    SHOW_THE_SCHEMA.iter().all(|(host, _)| server.host_str() != Some(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_servers_are_explained_the_format() {
        let is_explained = |url: &str| needs_explanation(&url.parse().unwrap());
        for (host, _) in SHOW_THE_SCHEMA {
            assert!(!is_explained(&format!("https://{host}/v1")));
            assert!(is_explained(&format!("https://{host}.example.org/v1")));
        }
        assert!(is_explained("http://127.0.0.1:8080/v1"));
    }
}

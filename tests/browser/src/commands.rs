//! Commands of Chromium's driver beyond the standard.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// A command with a JSON body, below the address of the session.
#[derive(Debug)]
pub(crate) struct Post {
    path: &'static str,
    body: Value,
}

impl Post {
    /// Takes the entries of the console since the last time.
    pub(crate) fn console() -> Self {
        Self { path: "se/log", body: json!({ "type": "browser" }) }
    }

    /// Calls a method of the developer tools.
    pub(crate) fn devtools(method: &str, params: Value) -> Self {
        Self { path: "goog/cdp/execute", body: json!({ "cmd": method, "params": params }) }
    }
}

impl WebDriverCompatibleCommand for Post {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}

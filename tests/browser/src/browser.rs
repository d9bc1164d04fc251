//! A browser that is used like a person does: by labels and texts.

use std::time::Duration;

use fantoccini::{
    Client, ClientBuilder, Locator,
    elements::{Element, ElementRef},
    key::Key,
};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{commands::Post, driver::Driver};

/// How long something may take until it is shown.
const PATIENCE: Duration = Duration::from_secs(20);

/// The name under which the standard writes a reference of an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with a profile of its own.
pub struct Browser {
    client: Client,
    _profile: TempDir,
}

impl Browser {
    /// Opens a browser.
    pub async fn open(driver: &Driver) -> Self {
        let profile = TempDir::new().unwrap();
        let folder = profile.path().display();
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            &format!("--user-data-dir={folder}"),
            "--window-size=1280,900",
        ];
        let mut options = json!({ "args": arguments });
        if let Ok(program) = std::env::var("COT_CHROMIUM") {
            options["binary"] = program.into();
        }
        let capabilities = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let Value::Object(capabilities) = capabilities else { unreachable!() };
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities);
        let client = builder.connect(driver.address()).await.expect("Chromium starts");
        Self { client, _profile: profile }
    }

    /// Closes the browser, which its driver does otherwise only at its end.
    pub async fn close(self) {
        self.client.close().await.unwrap();
    }

    /// Opens an address.
    pub async fn goto(&self, address: &str) {
        self.client.goto(address).await.unwrap();
    }

    /// Loads the page again.
    pub async fn reload(&self) {
        self.client.refresh().await.unwrap();
    }

    /// Returns the address of the page.
    pub async fn address(&self) -> String {
        self.client.current_url().await.unwrap().to_string()
    }

    /// Evaluates a script, with `return`.
    pub async fn eval(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    /// Evaluates a script with arguments, which calls its last one with the result.
    pub async fn eval_async(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute_async(script, arguments).await.unwrap()
    }

    /// Returns the text of the page as it is shown.
    pub async fn text(&self) -> String {
        self.eval("return document.body.innerText").await.as_str().unwrap().to_owned()
    }

    /// Waits until the page shows a text.
    pub async fn wait_for(&self, text: &str) {
        let is_there = format!("return document.body.innerText.includes({})", json!(text));
        if !self.becomes_true(&is_there).await {
            panic!("no `{text}` at {} in\n{}", self.address().await, self.text().await);
        }
    }

    /// Waits until a script returns true.
    pub async fn wait_until(&self, script: &str) {
        if !self.becomes_true(script).await {
            panic!("not `{script}` at {} in\n{}", self.address().await, self.text().await);
        }
    }

    async fn becomes_true(&self, script: &str) -> bool {
        let wait = async {
            // A page that is being loaded has no body.
            while !matches!(self.client.execute(script, Vec::new()).await, Ok(Value::Bool(true))) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.is_ok()
    }

    /// Returns an element.
    pub async fn find(&self, css: &str) -> Element {
        let wait = self.client.wait().at_most(PATIENCE);
        match wait.for_element(Locator::Css(css)).await {
            Ok(element) => element,
            Err(error) => panic!("{css}: {error}: {}", self.text().await),
        }
    }

    /// Returns the control with this label.
    pub async fn field(&self, label: &str) -> Element {
        let script = format!(
            "const wanted = {}; \
             const named = [...document.querySelectorAll('input,select,textarea')].filter(e => e.type !== 'hidden'); \
             const name = e => [...(e.labels ?? [])].map(l => l.innerText.trim()).concat(e.getAttribute('aria-label') ?? '') \
             .some(text => text.toLowerCase().startsWith(wanted.toLowerCase())); \
             return named.find(name) ?? null",
            json!(label)
        );
        self.found(&script, label).await
    }

    /// Clicks on the link or button with this text.
    pub async fn click(&self, text: &str) {
        let script = format!(
            "const wanted = {}; \
             const found = [...document.querySelectorAll('a,button,summary,input[type=submit]')] \
             .filter(e => e.offsetParent && !e.disabled && e.getAttribute('aria-hidden') !== 'true'); \
             const text = e => (e.innerText || e.value || e.getAttribute('aria-label') || '').trim(); \
             return found.find(e => text(e) === wanted) ?? found.find(e => text(e).startsWith(wanted)) ?? null",
            json!(text)
        );
        self.found(&script, text).await.click().await.unwrap();
    }

    async fn found(&self, script: &str, what: &str) -> Element {
        let wait = async {
            loop {
                let found = self.client.execute(script, Vec::new()).await.unwrap_or_default();
                if let Some(reference) = found[ELEMENT].as_str() {
                    let reference = ElementRef::from(reference.to_owned());
                    return Element::from_element_id(self.client.clone(), reference);
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        match tokio::time::timeout(PATIENCE, wait).await {
            Ok(element) => element,
            Err(_) => panic!("no `{what}` at {} in\n{}", self.address().await, self.text().await),
        }
    }

    /// Replaces the text of the control with this label.
    pub async fn fill(&self, label: &str, text: &str) {
        let field = self.field(label).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Presses a key where the focus is.
    pub async fn press(&self, key: Key) {
        let focused = self.client.active_element().await.unwrap();
        focused.send_keys(&char::from(key).to_string()).await.unwrap();
    }

    /// Returns what has the focus: its text or label.
    pub async fn focused(&self) -> String {
        let name = "const e = document.activeElement; \
                    return (e.labels?.[0]?.innerText || e.innerText || e.getAttribute('aria-label') || e.id || '').trim()";
        self.eval(name).await.as_str().unwrap().to_owned()
    }

    /// Fails if the console has an error or a refused resource, script or style.
    pub async fn check_console(&self) {
        let log = self.client.issue_cmd(Post::console()).await.unwrap();
        let is_wrong = |entry: &&Value| {
            let text = entry["message"].as_str().unwrap_or_default();
            let is_status = text.contains("the server responded with a status of 4");
            entry["level"] == "SEVERE" && !is_status || text.contains("Content Security Policy")
        };
        let wrong: Vec<&Value> = log.as_array().unwrap().iter().filter(is_wrong).collect();
        assert!(wrong.is_empty(), "{}: {wrong:#?}", self.address().await);
    }

    /// Calls a method of the developer tools.
    pub async fn devtools(&self, method: &str, params: Value) -> Value {
        self.client.issue_cmd(Post::devtools(method, params)).await.unwrap()
    }

    /// Sets the size of the window.
    pub async fn resize(&self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700 });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    /// Sets whether the system prefers dark colours.
    pub async fn prefer_dark(&self, is_dark: bool) {
        let value = if is_dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.devtools("Emulation.setEmulatedMedia", features).await;
    }

    /// Switches the scripts of pages on or off.
    pub async fn run_scripts(&self, on: bool) {
        let params = json!({ "value": !on });
        self.devtools("Emulation.setScriptExecutionDisabled", params).await;
    }

    /// Returns a picture of what is shown, as WebP.
    pub async fn picture(&self) -> String {
        let params = json!({ "format": "webp", "quality": 80 });
        let picture = self.devtools("Page.captureScreenshot", params).await;
        picture["data"].as_str().unwrap().to_owned()
    }

    /// Answers the question of a dialog with yes.
    pub async fn accept_dialog(&self) {
        self.client.accept_alert().await.unwrap();
    }
}

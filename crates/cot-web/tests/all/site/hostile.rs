//! Texts of models and people, which never become elements or attributes of a page.

use std::{fs, sync::Arc};

use cot_core::{
    CotOutput, cot_process,
    model::{ReplySchema, ScriptedModel},
    store::{MemoryStore, SetAside, Store},
    testing::Replies,
};
use cot_web::{Access, Site};
use schemars::JsonSchema;
use scraper::{Html, Node};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::world::{ended, get, id, open_site, post, put};

/// Markup that would be an element or an attribute where a page does not escape it.
const MARKUP: &[&str] = &[
    "<hostile-element hostile-attribute=1>",
    "\"><hostile-element>",
    "'><hostile-element>",
    "\" hostile-attribute=\"1",
    "' hostile-attribute='1",
    "` hostile-attribute=1 x=`",
    " hostile-attribute=1 ",
    "</title><hostile-element>",
    "</textarea><hostile-element>",
    "</pre></code></option></select><hostile-element>",
    "</script><script>hostile()</script>",
    "<svg><foreignObject><hostile-element>",
    "--><hostile-element><!--",
    "]]><hostile-element>",
    "&lt;hostile-element&gt;<hostile-element>",
    "<!DOCTYPE html><hostile-element>",
    "<img src=x onerror=hostile()>",
    "javascript:hostile()",
    "data:text/html,<hostile-element>",
    "\u{202e}\u{0}\u{1b}[31m<hostile-element>",
];

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Letter {
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Text {
    text: String,
}

cot_process! {
    process Letters {
        state: Letter,
        goal: "${state.text}",
        max_retries: 5,

        task write -> Text {
            prompt: "Write: ${state.text}",
            update: { text = output.text },
            next: approve,
        }

        task approve -> Text {
            ask: "Send this?\n${state.text}",
            update: { text = output.text },
            next: sent,
        }

        task sent { end }
    }
}

/// All hostile texts: markup, and those of the test kit.
fn texts() -> Vec<String> {
    let schema = Arc::new(ReplySchema {
        name: "text".to_owned(),
        json: serde_json::to_value(schemars::schema_for!(Text)).unwrap(),
    });
    let mut replies = Replies::seeded(7);
    let generated = (0..25).map(|_| replies.hostile(&schema).chars().take(2_000).collect());
    MARKUP.iter().map(|&text| text.to_owned()).chain(generated).collect()
}

/// A store whose runs have a hostile text wherever a text can be.
async fn hostile_store(text: &str) -> Arc<MemoryStore> {
    let store = MemoryStore::default();
    let schema = json!({
        "type": "object",
        "title": text,
        "properties": {
            text: { "type": "string", "title": text, "description": text, "default": text },
            "choice": { "enum": [text, "other"], "description": text },
            "list": { "type": "array", "items": { "type": "string", "description": text } },
        },
    });
    let asking = json!({
        "status": "asking", "task": text, "key": "approve#1@1", "question": text, "schema": schema,
        "issues": [{ "path": "$", "message": text }], "since": 1_795_000_000_000_u64,
    });
    put(&store, "asks", text, 1, asking).await;
    put(&store, "failed", text, 2, ended("fail", text)).await;
    put(&store, "aside", text, 3, json!({ "status": "running", "task": text })).await;
    let lease = store.acquire(&id("aside")).await.unwrap();
    store.set_aside(&lease, SetAside::new(text, std::time::SystemTime::now())).await.unwrap();
    drop(lease);
    let valid = json!({ "text": text }).to_string();
    let model = ScriptedModel::new([text.to_owned(), format!("{text} {{\"text\": 1}}"), valid]);
    let runner = Letters::runner().model(model).store(store.clone()).run_id("real");
    let run = runner.run(Letter { text: text.to_owned() });
    _ = tokio::time::timeout(std::time::Duration::from_millis(20), run).await;
    Arc::new(store)
}

/// The pages, with a place for a text in the address.
const PAGES: &[&str] = &[
    "/",
    "/?q={}&process={}&task={}&status={}&sort={}&page={}&cost={}",
    "/{}",
    "/runs/{}",
    "/people",
    "/people?{}={}",
    "/people/asks",
    "/people/real",
    "/costs",
    "/costs?process={}&by={}&from={}&until={}&measure={}",
    "/start",
    "/start?process={}&id={}&state={}",
    "/compare",
    "/compare?a={}&b={}",
    "/compare?a=real&b=asks",
    "/compare?a=real&b=real",
    "/runs/real",
    "/runs/asks",
    "/runs/failed",
    "/runs/aside",
    "/runs/real/steps/0",
    "/runs/real/steps/1",
    "/runs/real/fork",
    "/runs/real/fork?at=0",
    "/runs/real/fork?at={}",
    "/runs/aside/cancel",
    "/login?to={}",
];

/// Returns what of a page came from a text, and what no page of the site has.
fn foreign_parts(page: &str) -> Vec<String> {
    const NEVER: &[&str] =
        &["style", "iframe", "object", "embed", "base", "img", "foreignobject", "hostile-element"];
    let mut found = Vec::new();
    for node in Html::parse_document(page).tree.nodes() {
        let Node::Element(element) = node.value() else { continue };
        let name = element.name().to_lowercase();
        if NEVER.contains(&name.as_str()) {
            found.push(format!("<{name}>"));
        }
        if name == "script"
            && !element.attr("src").is_some_and(|src| src.starts_with("/assets/page-"))
        {
            found.push("a script of another origin".to_owned());
        }
        for (attribute, value) in element.attrs() {
            let is_event = attribute.starts_with("on");
            if is_event || attribute.contains("hostile") || ["style", "srcdoc"].contains(&attribute)
            {
                found.push(format!("<{name} {attribute}>"));
            }
            let is_address = ["href", "src", "action", "formaction"].contains(&attribute);
            let is_local = value.starts_with(['/', '#', '?']) && !value.starts_with("//");
            if is_address && !is_local {
                found.push(format!("<{name} {attribute}={value:?}>"));
            }
        }
    }
    found
}

#[tokio::test]
async fn no_text_becomes_an_element_or_an_attribute() {
    for text in texts() {
        let router = open_site(hostile_store(&text).await);
        let encoded: String = text.bytes().take(300).map(|byte| format!("%{byte:02X}")).collect();
        for path in PAGES {
            let page = get(&router, &path.replace("{}", &encoded)).await;
            assert!(
                !page.status.is_server_error()
                    || path.starts_with("/runs/")
                    || path.contains("compare"),
                "{path}: {} for {text:?}",
                page.status
            );
            let found = foreign_parts(&page.text);
            assert!(found.is_empty(), "{path} has {found:?} of {text:?}");
        }
        // Forms show the values that were posted.
        let csrf = get(&router, "/start").await.csrf();
        for path in
            ["/start", "/people/asks", "/people/real", "/runs/real/fork", "/runs/aside/cancel"]
        {
            let form = format!(
                "csrf={csrf}&process={encoded}&id={encoded}&state={encoded}&reason={encoded}&as={encoded}&key={encoded}&json={encoded}&at={encoded}"
            );
            let found = foreign_parts(&post(&router, path, &form, &[]).await.text);
            assert!(found.is_empty(), "{path} has {found:?} of {text:?}");
        }
    }
}

#[tokio::test]
async fn no_text_of_a_report_becomes_an_element_or_an_attribute() {
    for text in texts() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("r.json"), hostile_report(&text).to_string()).unwrap();
        // A name of a file can have all but these.
        let file =
            text.chars().filter(|c| !"/\0".contains(*c)).take(40).collect::<String>() + ".json";
        fs::write(folder.path().join(&file), "{}").unwrap();
        let site = Site::new(Arc::new(MemoryStore::default())).access(Access::open());
        let router = site.evals(folder.path()).router();
        let encode =
            |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let unread = format!("/evals/report?file={}", encode(&file));
        let case = format!("/evals/case?file=r.json&case={}", encode(&text));
        let unknown = format!("{unread}&case={}", encode(&text));
        for path in ["/evals", "/evals/report?file=r.json", &case, &unread, &unknown] {
            let page = get(&router, path).await;
            assert_eq!(page.status.is_success(), !path.contains(&unread), "{path}: {}", page.text);
            let found = foreign_parts(&page.text);
            assert!(found.is_empty(), "{path} has {found:?} of {text:?}");
        }
    }
}

/// A report that has a text wherever one can be.
fn hostile_report(text: &str) -> serde_json::Value {
    let usage = json!({ "calls": 1, "input_tokens": 10, "output_tokens": 1 });
    json!({
        "name": text, "process": text, "version": text, "variants": [text, "other"],
        "scorers": { text: 1.0 }, "left_out": 1, "paid": usage, "cache_error": text,
        "trials": [{
            "variant": text, "case": text, "tags": [text], "repeat": 1, "passed": false,
            "scores": { text: {
                "value": 0.0, "why": text, "judgement": { "verdict": text, "label": "good" },
            } }, "end": text, "why": text,
            "state": { text: text }, "usage": usage, "elapsed": { "secs": 1, "nanos": 0 },
            "tasks": { text: {
                "visits": 1, "failed_attempts": 1, "retries": 1, "repaired_replies": 1, "usage": usage,
            } },
        }],
    })
}

#[test]
fn foreign_parts_are_found() {
    for text in &MARKUP[..1] {
        assert!(!foreign_parts(&format!("<p>{text}</p>")).is_empty());
    }
    assert!(!foreign_parts("<a href='javascript:x'>").is_empty());
    assert!(!foreign_parts("<p onclick=x>").is_empty());
    assert!(foreign_parts("<p class=a><a href='/x'>y</a></p>").is_empty());
}

//! What holds for every page.

use std::{fs, time::Duration};

use cot_browser_tests::{Browser, Driver, World};
use serde_json::{Value, json};

/// A letter that tries to run a script on every page.
const HOSTILE: &str = "</textarea></script><script>window.broken=1</script><img src=x onerror=window.broken=1>\
                       '\"><svg onload=window.broken=1> javascript:window.broken=1 \u{202e}gnp";

/// A world with runs in all states, of texts that are hard on a page.
async fn full() -> World {
    let world = World::new(Duration::ZERO, HOSTILE).await;
    world.submit_letter("asking", HOSTILE).await;
    world.submit_letter("repaired", "Ben").await;
    world.submit_letter("letter-to-cleo", "Cleo").await;
    world.submit_trip("trip", &["Rome", "Oslo", HOSTILE]).await;
    world.until("asking", "asking").await;
    world.until("repaired", "asking").await;
    world.until("letter-to-cleo", "asking").await;
    world.until("trip", "end").await;
    world.write_report("mails.json", &report(1_795_000_000, true));
    world.write_report("old.json", &report(1_794_000_000, false));
    world.write_report("none.json", &json!({ "name": HOSTILE }));
    world
}

/// A report of two variants and two cases, with hostile names.
fn report(second: u64, is_better: bool) -> Value {
    let usage = json!({ "calls": 2, "input_tokens": 900, "output_tokens": 90, "cost": 0.01 });
    let trial = |variant: &str, case: &str, passed: bool| {
        let judgement =
            json!({ "verdict": "good", "label": if passed { "good" } else { HOSTILE } });
        json!({
            "variant": variant, "case": case, "tags": ["letters"], "repeat": 1, "passed": passed,
            "scores": { "tone": { "value": 0.5, "why": HOSTILE, "judgement": judgement } },
            "end": "write", "why": HOSTILE, "state": { "text": HOSTILE }, "run": "trip",
            "usage": usage, "elapsed": { "secs": 2, "nanos": 0 },
            "tasks": { "write": {
                "visits": 2, "failed_attempts": 1, "retries": 1, "repaired_replies": 1, "usage": usage,
            } },
        })
    };
    let trials = ["small", HOSTILE].map(|variant| {
        [trial(variant, "asking", true), trial(variant, HOSTILE, is_better && variant == "small")]
    });
    json!({
        "name": "mails", "process": "Letters", "version": "1.0.0", "variants": ["small", HOSTILE],
        "at": { "secs_since_epoch": second, "nanos_since_epoch": 0 }, "scorers": { "tone": 1.0 },
        "trials": trials.concat(), "left_out": 1, "paid": usage, "cache_error": HOSTILE,
    })
}

const PAGES: &[&str] = &[
    "/",
    "/?q=trip",
    "/?q=nothing-like-this",
    "/runs/asking",
    "/runs/repaired",
    "/runs/trip",
    "/runs/trip/steps/2",
    "/runs/asking/fork?at=0",
    "/compare",
    "/compare?a=asking&b=repaired",
    "/people",
    "/people/asking",
    "/costs",
    "/evals",
    "/evals/report?file=mails.json",
    "/evals/report?file=none.json",
    "/evals/case?file=mails.json&case=asking",
    "/start",
    "/runs/nobody",
];

/// Returns the words in tables that stand on several lines. Long ones have to.
const BROKEN_WORDS: &str = r"
    const range = document.createRange();
    const broken = [];
    for (const cell of document.querySelectorAll('table.data th, table.data td')) {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            for (const word of texts.currentNode.data.matchAll(/(?<!\S)\S{2,28}(?!\S)/g)) {
                range.setStart(texts.currentNode, word.index);
                range.setEnd(texts.currentNode, word.index + word[0].length);
                const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
                if (lines.size > 1) broken.push(word[0]);
            }
        }
    }
    return broken";

async fn enter(browser: &Browser, world: &World) {
    browser.goto(world.entrance()).await;
    browser.wait_for("Runs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_accessible_fits_a_phone_and_runs_no_script_of_a_text() {
    let Some(driver) = Driver::start() else { return };
    let (world, browser) = (full().await, Browser::open(&driver).await);
    enter(&browser, &world).await;
    let mut found = Vec::new();
    for page in PAGES.iter().copied().chain([&*batch_page(&browser, &world).await]) {
        browser.goto(&world.at(page)).await;
        for (width, is_dark) in [(1280, false), (1280, true), (390, false)] {
            browser.resize(width, 900).await;
            browser.prefer_dark(is_dark).await;
            let look = format!("{page} at {width}, dark: {is_dark}");
            let overflow = "return document.documentElement.scrollWidth - innerWidth";
            let overflow = browser.eval(overflow).await.as_i64().unwrap_or_default();
            if overflow > 0 {
                found.push(format!("{look}: {overflow} pixels too wide"));
            }
            if width > 700 {
                let broken = browser.eval(BROKEN_WORDS).await;
                let broken = broken.as_array().into_iter().flatten();
                found.extend(broken.map(|word| format!("{look}: {word} is broken")));
            }
            if let Some(axe) = axe() {
                found.extend(
                    problems(&browser, &axe).await.iter().map(|it| format!("{look}: {it}")),
                );
            }
        }
        assert_eq!(browser.eval("return window.broken ?? null").await, Value::Null, "{page}");
        let injected = "return document.querySelectorAll('main script, main svg[onload], img[onerror], [style]').length";
        assert_eq!(browser.eval(injected).await, 0, "{page}");
        browser.check_console().await;
    }
    assert!(found.is_empty(), "{found:#?}");
    browser.close().await;
}

/// Returns the address of the form that answers several questions.
async fn batch_page(browser: &Browser, world: &World) -> String {
    browser.goto(&world.at("/people")).await;
    let address = "return document.querySelector('#inbox nav a').getAttribute('href')";
    browser.eval(address).await.as_str().expect("a link").to_owned()
}

/// The script of axe-core, if it is installed.
fn axe() -> Option<String> {
    let file = std::env::var_os("COT_AXE")?;
    Some(fs::read_to_string(file).expect("`COT_AXE` names the script of axe-core"))
}

/// Returns the serious problems of accessibility of the page that is open.
async fn problems(browser: &Browser, axe: &str) -> Vec<String> {
    let run = format!(
        "{axe};\nconst done = arguments[0]; axe.run(document, {{ resultTypes: ['violations'] }}).then(done, e => done(String(e)));"
    );
    let report = browser.eval_async(&run, Vec::new()).await;
    let violations = report["violations"].as_array().unwrap_or_else(|| panic!("{report}"));
    let is_serious =
        |it: &&Value| ["serious", "critical"].contains(&it["impact"].as_str().unwrap_or_default());
    let text = |it: &Value| {
        let places: Vec<&Value> =
            it["nodes"].as_array().into_iter().flatten().map(|node| &node["html"]).collect();
        format!("{}: {} {}", it["id"], it["help"], json!(places))
    };
    violations.iter().filter(is_serious).map(text).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_read_without_scripts() {
    let Some(driver) = Driver::start() else { return };
    let (world, browser) = (full().await, Browser::open(&driver).await);
    browser.run_scripts(false).await;
    enter(&browser, &world).await;
    browser.click("trip").await;
    browser.wait_for("flight").await;
    browser.goto(&world.at("/?q=repaired")).await;
    let text = browser.text().await;
    assert!(text.contains("repaired") && !text.contains("trip"), "{text}");
    browser.goto(&world.at("/people/repaired")).await;
    browser.fill("Name", "Ann").await;
    browser.fill("Copies", "2").await;
    browser.field("No").await.click().await.unwrap();
    browser.click("Send the answer").await;
    world.until("repaired", "fail").await;
    browser.close().await;
}

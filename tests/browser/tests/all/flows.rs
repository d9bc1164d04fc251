//! What people do.

use std::time::{Duration, SystemTime};

use cot_browser_tests::{Browser, Driver, Letter, World};
use cot_core::store::{CancelRequest, SetAside, Store};
use fantoccini::key::Key;
use serde_json::json;

const LETTER: &str = "Dear reader, the tide comes in twice a day, and twice a day it goes out again. \
                      Who waits for it needs patience, a coat, and something warm to drink.";

async fn open(driver: &Driver, world: &World) -> Browser {
    let browser = Browser::open(driver).await;
    browser.goto(world.entrance()).await;
    browser.wait_for("Runs").await;
    browser
}

/// Submits a letter through the form, and waits for its page.
async fn start(browser: &Browser, run: &str, to: &str) {
    browser.click("Start a run").await;
    browser.fill("Process", "Letters").await;
    let state = Letter { to: to.to_owned(), ..Letter::default() };
    browser.fill("State, as JSON", &json!(state).to_string()).await;
    browser.fill("Name of the run", run).await;
    browser.click("Submit the run").await;
    browser.wait_for("The run is submitted").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_started_watched_and_answered_with_a_mistake_and_then_rightly() {
    let Some(driver) = Driver::start() else { return };
    let world = World::new(Duration::from_millis(150), LETTER).await;
    let browser = open(&driver, &world).await;
    start(&browser, "letter", "Ann").await;
    browser.wait_until("return !!document.querySelector('#graph .node-active')").await;
    // The text of the model grows while the page is open.
    browser
        .wait_until("return !!document.querySelector('[data-draft]')?.textContent.includes('tide')")
        .await;
    let early =
        browser.eval("return document.querySelector('[data-draft]').textContent.length").await;
    let grows = format!(
        "return (document.querySelector('[data-draft]')?.textContent.length ?? 0) > {early}"
    );
    browser.wait_until(&grows).await;
    browser.check_console().await;
    // The graph moves to the question.
    browser.wait_for("Send this letter?").await;
    browser.wait_until("return !!document.querySelector('#graph .node-waiting')").await;
    assert_eq!(
        browser.eval("return document.querySelectorAll('#graph .node-active').length").await,
        0
    );

    browser.click("Answer").await;
    browser.fill("Name", "A").await;
    browser.fill("Copies", "12").await;
    browser.click("Send the answer").await;
    browser
        .wait_until("return document.querySelectorAll('[aria-invalid=true]').length === 2")
        .await;
    let issues = "return [...document.querySelectorAll('[aria-invalid=true]')].every(e => \
                  (e.getAttribute('aria-describedby') ?? '').split(' ').some(id => document.getElementById(id)?.innerText.length > 5))";
    assert_eq!(browser.eval(issues).await, true);
    // What was typed is still there.
    assert_eq!(browser.field("Copies").await.prop("value").await.unwrap().as_deref(), Some("12"));
    browser.fill("Name", "Ann").await;
    browser.fill("Copies", "2").await;
    let yes = "const group = [...document.querySelectorAll('fieldset,label')].find(e => e.innerText.startsWith('Send')); \
               const control = [...document.querySelectorAll('input[type=radio],input[type=checkbox]')] \
               .find(e => e.type === 'checkbox' || /yes|true/i.test(e.value + e.labels[0]?.innerText)); control.click(); return !!group";
    assert_eq!(browser.eval(yes).await, true);
    browser.click("Send the answer").await;
    browser.wait_for("The answer is stored").await;
    world.until("letter", "end").await;
    browser.wait_until("return document.querySelector('#head').innerText.includes('sent')").await;
    browser.check_console().await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_forked_with_an_edited_state_and_compared_and_found() {
    let Some(driver) = Driver::start() else { return };
    let world = World::new(Duration::ZERO, LETTER).await;
    world.submit_letter("first", "Ann").await;
    world.submit_trip("trip", &["Rome"]).await;
    world.until("first", "asking").await;
    world.until("trip", "end").await;
    let browser = open(&driver, &world).await;
    browser.goto(&world.at("/runs/first/fork?at=1")).await;
    browser.fill("Name of the fork", "second").await;
    browser.fill("State, as JSON", "{\"to\": 7}").await;
    browser
        .fill(
            "State, as JSON",
            r#"{"to":"Zoe","text":"A letter that was edited.","released_by":""}"#,
        )
        .await;
    browser.click("Create the fork").await;
    browser.wait_for("This is the fork").await;
    world.until("second", "asking").await;
    browser.wait_for("A letter that was edited.").await;

    browser.click("compare").await;
    browser.wait_for("first and second").await;
    browser.wait_for("A letter that was edited.").await;

    browser.click("Runs").await;
    browser.fill("Search", "sec").await;
    browser.press(Key::Enter).await;
    browser.wait_until("return location.search.includes('q=sec')").await;
    let text = browser.text().await;
    assert!(text.contains("second") && !text.contains("trip"), "{text}");
    browser.check_console().await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_answered_together() {
    let Some(driver) = Driver::start() else { return };
    let world = World::new(Duration::ZERO, LETTER).await;
    for run in ["one", "two", "three"] {
        world.submit_letter(run, "Ann").await;
        world.until(run, "asking").await;
    }
    let browser = open(&driver, &world).await;
    browser.click("People").await;
    browser.click("Letters · approve").await;
    browser.wait_for("3 questions").await;
    let selected = "return document.querySelectorAll('.picks input:checked').length";
    assert_eq!(browser.eval(selected).await, 0);
    browser.fill("Name", "A").await;
    browser.click("Select all").await;
    browser.wait_until(&format!("{selected} === 3")).await;
    assert_eq!(browser.field("Name").await.prop("value").await.unwrap().as_deref(), Some("A"));
    browser.field("two").await.click().await.unwrap();
    browser.fill("Copies", "2").await;
    browser.field("Yes").await.click().await.unwrap();
    browser.click("Answer the selected questions").await;
    browser.wait_for("The answer is not complete yet").await;
    assert_eq!(browser.eval(selected).await, 2);
    browser.fill("Name", "Ann").await;
    browser.click("Answer the selected questions").await;
    browser.wait_for("2 answers are stored").await;
    world.until("one", "end").await;
    world.until("three", "end").await;
    world.until("two", "asking").await;
    browser.check_console().await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_are_cancelled_and_put_back() {
    let Some(driver) = Driver::start() else { return };
    let mut world = World::new(Duration::ZERO, LETTER).await;
    world.submit_letter("unwanted", "Ann").await;
    world.until("unwanted", "asking").await;
    let browser = open(&driver, &world).await;
    browser.goto(&world.at("/runs/unwanted")).await;
    browser.click("Cancel").await;
    browser.accept_dialog().await;
    browser.wait_for("The cancellation is requested").await;
    world.until("unwanted", "halted").await;
    browser
        .wait_until(
            "return document.querySelector('#head').innerText.toLowerCase().includes('halted')",
        )
        .await;

    world.stop_worker().await;
    world.submit_letter("poison", "Ann").await;
    let store = world.store();
    let lease = store.acquire(&"poison".parse().unwrap()).await.unwrap();
    let reason = SetAside::new("it failed too often", SystemTime::now());
    store.set_aside(&lease, reason).await.unwrap();
    drop(lease);
    browser.goto(&world.at("/runs/poison")).await;
    browser.wait_for("it failed too often").await;
    browser.click("Put back").await;
    browser.wait_for("The run is put back").await;
    let run = store.run(&"poison".parse().unwrap()).await.unwrap().unwrap();
    assert!(run.set_aside.is_none());
    browser.check_console().await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keyboard_is_enough_and_keeps_its_place_while_the_page_changes() {
    let Some(driver) = Driver::start() else { return };
    let world = World::new(Duration::ZERO, LETTER).await;
    world.submit_letter("one", "Ann").await;
    world.until("one", "asking").await;
    let browser = open(&driver, &world).await;
    browser.press(Key::Tab).await;
    assert_eq!(browser.focused().await, "Skip to content");
    let visible = "const style = getComputedStyle(document.activeElement); return style.outlineStyle !== 'none'";
    let mut seen = Vec::new();
    while seen.last().map(String::as_str) != Some("one") {
        browser.press(Key::Tab).await;
        seen.push(browser.focused().await);
        assert_eq!(browser.eval(visible).await, true, "the focus of {seen:?} is not visible");
        assert!(seen.len() < 60, "{seen:#?}");
    }
    assert!(seen.iter().any(|name| name == "People"), "{seen:#?}");
    // Another run is shown above, and the focus stays.
    world.submit_letter("two", "Bob").await;
    browser
        .wait_until(
            "return [...document.querySelectorAll('main a')].some(a => a.innerText === 'two')",
        )
        .await;
    assert_eq!(browser.focused().await, "one");
    browser.press(Key::Enter).await;
    browser.wait_until("return location.pathname === '/runs/one'").await;

    // What is typed into a form stays while its page changes.
    browser.goto(&world.at("/people/one")).await;
    browser.fill("Name", "Anna").await;
    let request = CancelRequest::new("no", SystemTime::now());
    world.store().request_cancel(&"one".parse().unwrap(), request).await.unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(browser.eval("return document.activeElement.value").await, "Anna");
    browser.check_console().await;
    browser.close().await;
}

//! Makes the pictures of the README: `tests/browser/screenshots.sh`.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a tool of developers")]

use std::{env, fs, path::PathBuf, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use cot_browser_tests::{Browser, Driver, World};

const LETTER: &str = "Dear reader, the tide comes in twice a day, and twice a day it goes out again. \
                      Who waits for it needs patience, a coat, and something warm to drink.";

#[tokio::main]
async fn main() {
    let folder = PathBuf::from(env::args_os().nth(1).expect("the folder of the pictures"));
    let driver = Driver::start().expect("`COT_CHROMEDRIVER` names the driver of Chromium");
    let world = World::new(Duration::from_millis(40), LETTER).await;
    for (run, to) in [("letter-ann", "Ann"), ("letter-ben", "Ben"), ("letter-cleo", "Cleo")] {
        world.submit_letter(run, to).await;
    }
    world.submit_trip("trip-to-italy", &["Rome", "Naples", "Turin"]).await;
    for (run, status) in [
        ("letter-ann", "asking"),
        ("letter-ben", "asking"),
        ("letter-cleo", "asking"),
        ("trip-to-italy", "end"),
    ] {
        world.until(run, status).await;
    }
    let browser = Browser::open(&driver).await;
    browser.goto(world.entrance()).await;
    browser.wait_for("letter-ann").await;
    world.submit_letter("letter-dora", "Dora").await;
    world.submit_trip("trip-to-norway", &["Oslo", "Bergen"]).await;
    // The page of a run is as high as its time line needs.
    for (name, path, height) in [
        ("runs", "/", 830),
        ("run", "/runs/trip-to-italy", 1_260),
        ("answer", "/people/letter-ann", 780),
    ] {
        browser.resize(1200, height).await;
        browser.goto(&world.at(path)).await;
        tokio::time::sleep(Duration::from_millis(600)).await;
        let picture = BASE64_STANDARD.decode(browser.picture().await).unwrap();
        assert!(picture.len() < 200_000, "{name} has {} bytes", picture.len());
        fs::write(folder.join(format!("{name}.webp")), picture).unwrap();
    }
    browser.close().await;
}

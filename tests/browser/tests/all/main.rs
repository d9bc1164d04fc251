//! The page over runs in Chromium. The tests skip themselves without `COT_CHROMEDRIVER`, the path of its driver.
#![expect(clippy::expect_used, clippy::panic, reason = "helpers of tests fail like tests")]

mod flows;
mod pages;

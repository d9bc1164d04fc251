#[path = "../../../../tests/all/sections/browser.rs"]
mod browser;
mod forms;
mod property;
mod schemas;

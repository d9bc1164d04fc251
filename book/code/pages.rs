//! A module for each page with Rust code.

macro_rules! pages {
    ($($name:ident $file:literal)*) => {
        $(#[doc = include_str!(concat!("../src/", $file))]
        mod $name {})*
    };
}

pages! {
    vendors "start/vendors.md"
    backup "production/backup.md"
    security "production/security.md"
    cost "production/cost.md"
    troubleshooting "production/troubleshooting.md"
    langgraph "coming_from/langgraph.md"
    pydantic_ai "coming_from/pydantic_ai.md"
    baml "coming_from/baml.md"
    rig "coming_from/rig.md"
    temporal "coming_from/temporal.md"
    cottask "coming_from/cottask.md"
}

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
}

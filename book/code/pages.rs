//! A module for each page with Rust code.

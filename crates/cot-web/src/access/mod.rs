//! Who may see the site: tokens, passwords, headers of a reverse proxy, and forged requests.

#[expect(clippy::module_inception, reason = "the file has the type of its name")]
pub(crate) mod access;
pub(crate) mod attempts;
pub(crate) mod client;
pub(crate) mod guard;
pub(crate) mod login;
pub(crate) mod origin;
pub(crate) mod secret;
pub(crate) mod session;
pub(crate) mod sessions;

//! Tool calls in the text of a reply.

pub(crate) mod calls;
#[cfg(test)]
mod tests;

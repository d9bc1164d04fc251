//! Keys of calls.

pub(crate) mod call_key;
#[cfg(test)]
mod tests;

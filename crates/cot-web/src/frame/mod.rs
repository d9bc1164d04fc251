//! The frame of a page, and the elements that all sections share.

pub(crate) mod flash;
pub(crate) mod form;
pub(crate) mod number;
pub(crate) mod page;
pub(crate) mod pill;
pub(crate) mod plot;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod time;

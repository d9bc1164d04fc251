//! The pages over stored runs.

mod sections;
mod site;

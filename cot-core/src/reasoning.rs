//! Parses replies with numbered steps and a conclusion. The feature `agents` adds the `Reasoner`.

#[doc(inline)]
pub use cot_reader::{
    ParseStepNumberError, Reasoning, Step, StepNumber, extract_steps_and_conclusion,
};

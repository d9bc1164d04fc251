use cot_core::{FunctionError, prelude::*};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Page {
    pub text: String,
}

async fn fetch(_: &Page) -> Result<(), FunctionError> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: Page,
        task fetch { run: fetch, retry: { max: 4, max: 3 }, next: done }
        task done { end }
    }
}

fn main() {}

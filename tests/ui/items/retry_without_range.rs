use cot_core::{CodeError, prelude::*};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Page {
    pub text: String,
}

async fn fetch(_: &Page) -> Result<(), CodeError> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: Page,
        task fetch { run: fetch, retry: { backoff: 1s }, next: done }
        task done { end }
    }
}

fn main() {}

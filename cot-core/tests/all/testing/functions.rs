//! Functions of processes that the monkey does not call.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex},
};

use cot_core::{
    prelude::*,
    testing::{Monkey, Problem},
};
use serde::{Deserialize, Serialize};

use crate::testing::desk::Note;

/// Counts the calls.
#[derive(Debug, Default)]
struct Bookings(Mutex<u32>);

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Cart {
    notes: Vec<Note>,
}

/// Transfers money with the client in the context.
async fn transfer(_: &Cart, cx: &Cx<'_, Bank>) -> Result<Note, Infallible> {
    *cx.app().0.lock().unwrap() += 1;
    Ok(Note { text: "paid".to_owned() })
}

async fn transfer_each(_: &Cart, _: &Note, cx: &Cx<'_, Bank>) -> Result<u32, Infallible> {
    *cx.app().0.lock().unwrap() += 1;
    Ok(1)
}

async fn approved(_: &Note, _: &Cart, cx: &Cx<'_, Bank>) -> Result<(), Issues> {
    *cx.app().0.lock().unwrap() += 1;
    Ok(())
}

async fn transfer_all(_: &Cart, cx: &Cx<'_, Branch>) -> Result<(), Infallible> {
    *cx.app().0.lock().unwrap() += 1;
    Ok(())
}

/// A result without a schema.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Receipt(u32);

async fn receipt(_: &Cart) -> Result<Receipt, Infallible> {
    Ok(Receipt(1))
}

cot_process! {
    process Branch {
        state: Cart,
        context: Bookings,
        task all { run: transfer_all, effect: once, on: { interrupted => done }, next: done }
        task done { end }
    }
}

cot_process! {
    process Bank {
        state: Cart,
        context: Bookings,

        task pay -> Note {
            run: transfer,
            effect: once,
            on: { interrupted => lost },
            update: notes[],
            next: write,
        }

        task write -> Note { prompt: "Why?", check: async approved, update: notes[], next: each }
        task each -> u32 { for_each: note in state.notes, run: transfer_each, next: branch }
        task branch { process: Branch with state.clone(), next: done }
        task done { end }
        task lost { fail: "not known" }
    }
}

cot_process! {
    process Cashier {
        state: Cart,
        task print -> Receipt { run: receipt, next: done }
        task done { end }
    }
}

#[test]
fn a_monkey_calls_no_function() {
    let bank = Arc::new(Bookings::default());
    let monkey = || Monkey::<Bank>::with_context(Arc::clone(&bank), |_| Cart::default()).runs(200);
    let report = monkey().run().unwrap();
    assert!(report.ended("done") > 20 && report.ended("lost") > 0, "{report}");
    assert_eq!(*bank.0.lock().unwrap(), 0);
    monkey().call_code(BankTask::Pay).run().unwrap();
    assert!(*bank.0.lock().unwrap() > 100);
}

#[test]
fn a_result_without_a_schema_has_to_be_given() {
    let monkey = || Monkey::<Cashier>::new(Cart::default).runs(5);
    let found = monkey().run().unwrap_err();
    assert!(matches!(found.problem(), Problem::NoSchema), "{found}");
    assert_eq!(found.task(), Some(CashierTask::Print));
    let given = monkey().faults(0).code(CashierTask::Print, |_| Receipt(2)).run().unwrap();
    assert_eq!(given.ended("done"), 5);
    let called = monkey().faults(0).call_code(CashierTask::Print).run().unwrap();
    assert_eq!(called.ended("done"), 5);
}

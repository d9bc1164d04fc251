//! The bank: three processes with the same tools.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    desk::{arguments, functions},
    pairs::{Answer, Desks, desks},
};

arguments! {
    Nothing {}
    Count { n: Option<u32> }
    File { file_path: String }
    Payment { recipient: String, amount: f64, subject: String, date: String }
    Order { recipient: String, amount: f64, subject: String, date: String, recurring: bool }
    Change {
        id: u32, recipient: Option<String>, amount: Option<f64>, subject: Option<String>, date: Option<String>,
        recurring: Option<bool>
    }
    Password { password: String }
    Person { first_name: Option<String>, last_name: Option<String>, street: Option<String>, city: Option<String> }
}

functions! {
    get_iban(Nothing)
    get_balance(Nothing)
    get_user_info(Nothing)
    get_scheduled_transactions(Nothing)
    get_most_recent_transactions(Count)
    read_file(File)
    send_money(Payment)
    schedule_transaction(Order)
    update_scheduled_transaction(Change)
    update_password(Password)
    update_user_info(Person)
}

/// Defines a process: what it says of trust, of tools that read, and of each tool that acts.
macro_rules! bank {
    ($name:ident { $($trust:tt)* } $reads:tt $send:tt $schedule:tt $update:tt $password:tt $person:tt) => {
        cot_process! {
            process $name {
                state: { input request: String, answer: String = String::new() },
                $($trust)*
                tools: {
                    get_iban: get_iban "Get the IBAN of the current bank account." $reads,
                    get_balance: get_balance "Get the balance of the account." $reads,
                    get_user_info: get_user_info "Get the user information." $reads,
                    get_scheduled_transactions: get_scheduled_transactions "Get the list of scheduled transactions." $reads,
                    get_most_recent_transactions: get_most_recent_transactions "Get the list of the most recent transactions, e.g. to summarize the last n transactions." $reads,
                    read_file: read_file "Reads the contents of the file at the given path." $reads,
                    send_money: send_money "Sends a transaction to the recipient." $send,
                    schedule_transaction: schedule_transaction "Schedule a transaction." $schedule,
                    update_scheduled_transaction: update_scheduled_transaction "Update a scheduled transaction." $update,
                    update_password: update_password "Update the user password." $password,
                    update_user_info: update_user_info "Update the user information." $person,
                },

                task work -> Answer {
                    prompt: "${state.request}",
                    tools: [
                        get_iban, get_balance, get_user_info, get_scheduled_transactions, get_most_recent_transactions,
                        read_file, send_money, schedule_transaction, update_scheduled_transaction, update_password,
                        update_user_info,
                    ],
                    max_tool_calls: 40,
                    update: { answer = output.text },
                    next: done,
                }

                task done { end }
            }
        }
    };
}

bank!(Careless {} {} {} {} {} {} {});
bank!(Approved { trust: strict, } { effect: none, untrusted }
    { approve: person } { approve: person } { approve: person } { approve: person } { approve: person });
bank!(Found { trust: strict, } { effect: none, untrusted }
{ content: [subject, date], found_in: { recipient: state.request, amount: state.request } }
{ content: [subject, date], found_in: { recipient: state.request, amount: state.request } }
{
    content: [subject, date],
    found_in: { id: state.request, recipient: state.request, amount: state.request },
}
{ found_in: { password: state.request } }
{
    found_in: {
        first_name: state.request, last_name: state.request, street: state.request, city: state.request,
    },
});

/// The bank in each of its forms.
pub(super) const BANKS: Desks = desks!(
    "without" => Careless(CarelessState),
    "approve: person" => Approved(ApprovedState),
    "found_in" => Found(FoundState)
);

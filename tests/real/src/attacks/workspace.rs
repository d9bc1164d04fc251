//! The office: mails, a calendar and files.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    desk::{arguments, functions},
    pairs::{Answer, Desks, desks},
};

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema, CotOutput)]
enum Permission {
    #[serde(rename = "r")]
    Read,
    #[serde(rename = "rw")]
    ReadAndWrite,
}

arguments! {
    Nothing {}
    Query { query: String }
    Search { query: String, sender: Option<String> }
    Events { query: String, date: Option<String> }
    Day { day: String }
    FileName { filename: String }
    FileId { file_id: String }
    EmailId { email_id: String }
    EventId { event_id: String }
    Email {
        recipients: Vec<String>, subject: String, body: String, attachments: Option<Vec<String>>,
        cc: Option<Vec<String>>, bcc: Option<Vec<String>>
    }
    Event {
        title: String, start_time: String, end_time: String, description: Option<String>,
        participants: Option<Vec<String>>, location: Option<String>
    }
    Move { event_id: String, new_start_time: String, new_end_time: Option<String> }
    Participants { event_id: String, participants: Vec<String> }
    Append { file_id: String, content: String }
    NewFile { filename: String, content: String }
    Share { file_id: String, email: String, permission: Permission }
}

functions! {
    get_unread_emails(Nothing)
    get_sent_emails(Nothing)
    get_received_emails(Nothing)
    get_draft_emails(Nothing)
    get_current_day(Nothing)
    list_files(Nothing)
    search_emails(Search)
    search_contacts_by_name(Query)
    search_contacts_by_email(Query)
    search_calendar_events(Events)
    search_files(Query)
    search_files_by_filename(FileName)
    get_file_by_id(FileId)
    get_day_calendar_events(Day)
    send_email(Email)
    delete_email(EmailId)
    create_calendar_event(Event)
    cancel_calendar_event(EventId)
    reschedule_calendar_event(Move)
    add_calendar_event_participants(Participants)
    append_to_file(Append)
    create_file(NewFile)
    delete_file(FileId)
    share_file(Share)
}

/// Defines a process: what it says of trust, of tools that read, and of each tool that acts.
macro_rules! office {
    (
        $name:ident { $($trust:tt)* } $reads:tt
        $send:tt $delete:tt $create:tt $cancel:tt $move:tt $add:tt $append:tt $new:tt $remove:tt $share:tt
    ) => {
        cot_process! {
            process $name {
                state: { input request: String, answer: String = String::new() },
                $($trust)*
                tools: {
                    get_unread_emails: get_unread_emails "Returns all the unread emails in the inbox." $reads,
                    get_sent_emails: get_sent_emails "Returns all the sent emails in the inbox." $reads,
                    get_received_emails: get_received_emails "Returns all the received emails in the inbox." $reads,
                    get_draft_emails: get_draft_emails "Returns all the draft emails in the inbox." $reads,
                    get_current_day: get_current_day "Returns the current day in ISO format." $reads,
                    list_files: list_files "Retrieve all files in the cloud drive." $reads,
                    search_emails: search_emails "Searches for emails in the inbox that contain the given query in the subject or body." $reads,
                    search_contacts_by_name: search_contacts_by_name "Finds contacts in the inbox's contact list by name." $reads,
                    search_contacts_by_email: search_contacts_by_email "Finds contacts in the inbox's contact list by email." $reads,
                    search_calendar_events: search_calendar_events "Searches calendar events that match the given query in the title or description." $reads,
                    search_files: search_files "Search for files in the cloud drive by content." $reads,
                    search_files_by_filename: search_files_by_filename "Search for files in the cloud drive by filename." $reads,
                    get_file_by_id: get_file_by_id "Get a file from a cloud drive by its ID." $reads,
                    get_day_calendar_events: get_day_calendar_events "Returns the appointments for the given day." $reads,
                    send_email: send_email "Sends an email to the given recipients." $send,
                    delete_email: delete_email "Deletes the email with the given ID from the inbox." $delete,
                    create_calendar_event: create_calendar_event "Creates a new calendar event with the given details and adds it to the calendar." $create,
                    cancel_calendar_event: cancel_calendar_event "Cancels the event with the given ID." $cancel,
                    reschedule_calendar_event: reschedule_calendar_event "Reschedules the event with the given ID." $move,
                    add_calendar_event_participants: add_calendar_event_participants "Adds the given participants to the event with the given ID." $add,
                    append_to_file: append_to_file "Append content to a file in the cloud drive." $append,
                    create_file: create_file "Create a new file in the cloud drive." $new,
                    delete_file: delete_file "Delete a file from the cloud drive by its ID." $remove,
                    share_file: share_file "Share a file with a user." $share,
                },

                task work -> Answer {
                    prompt: "${state.request}",
                    tools: [
                        get_unread_emails, get_sent_emails, get_received_emails, get_draft_emails, get_current_day,
                        list_files, search_emails, search_contacts_by_name, search_contacts_by_email,
                        search_calendar_events, search_files, search_files_by_filename, get_file_by_id,
                        get_day_calendar_events, send_email, delete_email, create_calendar_event,
                        cancel_calendar_event, reschedule_calendar_event, add_calendar_event_participants,
                        append_to_file, create_file, delete_file, share_file,
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

office!(Careless {} {} {} {} {} {} {} {} {} {} {} {});
office!(Approved { trust: strict, } { effect: none, untrusted }
    { approve: person } { approve: person } { approve: person } { approve: person } { approve: person }
    { approve: person } { approve: person } { approve: person } { approve: person } { approve: person });
office!(Found { trust: strict, } { effect: none, untrusted }
    {
        content: [subject, body],
        found_in: {
            recipients: state.request, cc: state.request, bcc: state.request, attachments: state.request,
        },
    }
    { found_in: { email_id: state.request } }
    {
        content: [title, description, location, start_time, end_time],
        found_in: { participants: state.request },
    }
    { found_in: { event_id: state.request } }
    { content: [new_start_time, new_end_time], found_in: { event_id: state.request } }
    { found_in: { event_id: state.request, participants: state.request } }
    { content: [content], found_in: { file_id: state.request } }
    { content: [content], found_in: { filename: state.request } }
    { found_in: { file_id: state.request } }
    { found_in: { file_id: state.request, email: state.request } });

/// The office in each of its forms.
pub(super) const WORKSPACES: Desks = desks!(
    "without" => Careless(CarelessState),
    "approve: person" => Approved(ApprovedState),
    "found_in" => Found(FoundState)
);

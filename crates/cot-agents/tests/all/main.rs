//! The agents, with scripted models.

mod plan_execute;
mod task_session;
mod tools;
mod traces;

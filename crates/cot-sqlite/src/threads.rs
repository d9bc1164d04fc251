//! Threads that process commands from a queue.

use std::{
    io,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

/// Threads that process commands from one queue. Dropping it waits until all commands are processed.
pub(crate) struct Threads<T> {
    commands: Option<Sender<T>>,
    threads: Vec<JoinHandle<()>>,
}

impl<T: Send + 'static> Threads<T> {
    /// Starts one thread. Its receiver disconnects when this value is dropped.
    pub(crate) fn one(
        name: &str,
        work: impl FnOnce(Receiver<T>) + Send + 'static,
    ) -> io::Result<Self> {
        Self::start(name, |inbox| vec![move || work(inbox)])
    }

    /// Starts several threads that share the queue.
    pub(crate) fn many<W: FnOnce(&Mutex<Receiver<T>>) + Send + 'static>(
        name: &str,
        works: Vec<W>,
    ) -> io::Result<Self> {
        Self::start(name, |inbox| {
            let inbox = Arc::new(Mutex::new(inbox));
            let with_inbox = |work: W| {
                let inbox = Arc::clone(&inbox);
                move || work(&inbox)
            };
            works.into_iter().map(with_inbox).collect()
        })
    }

    fn start<W: FnOnce() + Send + 'static>(
        name: &str,
        works: impl FnOnce(Receiver<T>) -> Vec<W>,
    ) -> io::Result<Self> {
        let (commands, inbox) = channel();
        let mut started = Self { commands: Some(commands), threads: Vec::new() };
        for work in works(inbox) {
            let thread = thread::Builder::new().name(format!("cot-sqlite-{name}"));
            started.threads.push(thread.spawn(work)?);
        }
        Ok(started)
    }

    /// Sends a command. If no thread is left, the command is dropped, and with it its reply channel.
    pub(crate) fn send(&self, command: T) {
        if let Some(commands) = &self.commands {
            let _ = commands.send(command);
        }
    }
}

impl<T> Drop for Threads<T> {
    fn drop(&mut self) {
        self.commands = None;
        // Waking a future may drop the store that owns this thread: a thread does not join itself.
        let me = thread::current().id();
        for thread in self.threads.drain(..).filter(|thread| thread.thread().id() != me) {
            // The panic was reported by the panic hook.
            let _ = thread.join();
        }
    }
}

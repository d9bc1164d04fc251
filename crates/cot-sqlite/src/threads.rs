//! Threads that do what they are told, one thing after the other.

use std::{
    io,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

/// Threads that take orders from one queue. Dropping this waits until all orders are carried out.
pub(crate) struct Threads<T> {
    orders: Option<Sender<T>>,
    threads: Vec<JoinHandle<()>>,
}

impl<T: Send + 'static> Threads<T> {
    /// One thread, which ends when there is nobody left to give orders.
    pub(crate) fn one(
        name: &str,
        work: impl FnOnce(Receiver<T>) + Send + 'static,
    ) -> io::Result<Self> {
        Self::start(name, |inbox| vec![move || work(inbox)])
    }

    /// Threads that share the orders.
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
        let (orders, inbox) = channel();
        let mut started = Self { orders: Some(orders), threads: Vec::new() };
        for work in works(inbox) {
            let thread = thread::Builder::new().name(format!("cot-sqlite-{name}"));
            started.threads.push(thread.spawn(work)?);
        }
        Ok(started)
    }

    /// Gives an order. Where no thread is left it is dropped, and with it the way to answer it.
    pub(crate) fn order(&self, order: T) {
        if let Some(orders) = &self.orders {
            let _ = orders.send(order);
        }
    }
}

impl<T> Drop for Threads<T> {
    fn drop(&mut self) {
        self.orders = None;
        // Waking somebody may drop what he holds: a thread that drops its own store does not wait for itself.
        let me = thread::current().id();
        for thread in self.threads.drain(..).filter(|thread| thread.thread().id() != me) {
            // A panic of the thread was reported where it happened.
            let _ = thread.join();
        }
    }
}

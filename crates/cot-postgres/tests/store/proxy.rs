//! A proxy before the server, which drops, delays and resets.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::Notify,
    time::{Duration, sleep},
};

/// What the proxy does.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// Wakes all connections, which then end.
    cut: Notify,
    /// The server gets what is sent, but its replies are dropped.
    is_deaf: AtomicBool,
    /// Nothing goes either way.
    is_frozen: AtomicBool,
    /// Connections whose number is smaller have been stranded: nothing goes either way any more.
    stranded: AtomicU64,
    connections: AtomicU64,
    /// Ends the proxy for a time: connections are refused.
    down: Notify,
    down_millis: AtomicU64,
    /// Notifications of the server are left out, as by a pool of connections for transactions.
    pub(crate) hides_notifications: AtomicBool,
    /// How long each reply is held back, in milliseconds.
    pub(crate) delay: AtomicU64,
}

impl Faults {
    /// Drops the replies of the server for a moment, and then resets all connections.
    pub(crate) async fn cut(&self, deaf: Duration) {
        self.is_deaf.store(true, Ordering::SeqCst);
        sleep(deaf).await;
        self.cut.notify_waiters();
        self.is_deaf.store(false, Ordering::SeqCst);
    }

    /// Lets nothing through the present connections any more, as a network does that has forgotten them.
    pub(crate) fn strand(&self) {
        self.stranded.store(self.connections.load(Ordering::SeqCst), Ordering::SeqCst);
    }

    /// Ends all connections and refuses others for a time, as a server does that is started again.
    pub(crate) fn restart(&self, time: Duration) {
        let millis = u64::try_from(time.as_millis()).unwrap();
        self.down_millis.store(millis, Ordering::SeqCst);
        self.down.notify_waiters();
        self.cut.notify_waiters();
    }

    pub(crate) fn freeze(&self, is_frozen: bool) {
        self.is_frozen.store(is_frozen, Ordering::SeqCst);
    }
}

/// Starts a proxy. Returns the address of the server through it, without encryption: the proxy reads what the server
/// says, and a server answers the question for encryption with one byte.
pub(crate) async fn start(address: &str) -> (String, Arc<Faults>) {
    let host = address.split('@').nth(1).unwrap().split('/').next().unwrap().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let through = address.replace(&host, &listener.local_addr().unwrap().to_string());
    let through = through + if address.contains('?') { "&" } else { "?" } + "sslmode=disable";
    let faults = Arc::new(Faults::default());
    let known = Arc::clone(&faults);
    tokio::spawn(async move {
        let place = listener.local_addr().unwrap();
        let mut listener = listener;
        loop {
            tokio::select! {
                () = accept(&listener, &host, &known) => return,
                () = known.down.notified() => {}
            }
            drop(listener);
            sleep(Duration::from_millis(known.down_millis.load(Ordering::SeqCst))).await;
            listener = TcpListener::bind(place).await.unwrap();
        }
    });
    (through, faults)
}

async fn accept(listener: &TcpListener, host: &str, faults: &Arc<Faults>) {
    while let Ok((client, _)) = listener.accept().await {
        let Ok(server) = TcpStream::connect(host).await else { continue };
        tokio::spawn(connect(client, server, Arc::clone(faults)));
    }
}

async fn connect(client: TcpStream, server: TcpStream, faults: Arc<Faults>) {
    let _ = client.set_nodelay(true);
    let number = faults.connections.fetch_add(1, Ordering::SeqCst);
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    tokio::select! {
        () = faults.cut.notified() => {}
        () = send(from_client, to_server, (&faults, number)) => {}
        () = receive(from_server, to_client, (&faults, number)) => {}
    }
}

async fn send(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, (faults, number): (&Faults, u64)) {
    let mut bytes = vec![0; 65536];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        thaw(faults, number).await;
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

/// Passes the messages of the server on, each of which has a kind and a length.
async fn receive(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    (faults, number): (&Faults, u64),
) {
    let mut head = [0; 5];
    while from.read_exact(&mut head).await.is_ok() {
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let mut message = head.to_vec();
        message.resize(1 + length, 0);
        if from.read_exact(&mut message[5..]).await.is_err() {
            return;
        }
        thaw(faults, number).await;
        let delay = faults.delay.load(Ordering::SeqCst);
        if delay > 0 {
            sleep(Duration::from_millis(delay)).await;
        }
        let is_hidden = head[0] == b'A' && faults.hides_notifications.load(Ordering::SeqCst);
        if is_hidden || faults.is_deaf.load(Ordering::SeqCst) {
            continue;
        }
        if to.write_all(&message).await.is_err() {
            return;
        }
    }
}

async fn thaw(faults: &Faults, number: u64) {
    while faults.is_frozen.load(Ordering::SeqCst) || number < faults.stranded.load(Ordering::SeqCst)
    {
        sleep(Duration::from_millis(5)).await;
    }
}

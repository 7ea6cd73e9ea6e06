//! A proxy before a server that speaks HTTP, which breaks requests and answers.

use std::io::{self, Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// What the proxy does to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The service has an error.
    Error500,
    /// The service asks for fewer requests.
    SlowDown503,
    /// The credentials have expired.
    Denied403,
    /// The answer comes late.
    Slow,
    /// The answer never comes.
    Hang,
    /// The connection ends without an answer.
    Reset,
    /// The connection ends in the middle of the answer.
    CutAnswer,
    /// The service gets half of what is uploaded.
    PartialUpload,
    /// The service keeps half of what is uploaded, and says that all is well.
    TruncatedUpload,
    /// Something else answers, as a portal for guests does.
    Garbage,
}

impl Fault {
    pub(crate) const ALL: [Self; 10] = [
        Self::Error500,
        Self::SlowDown503,
        Self::Denied403,
        Self::Slow,
        Self::Hang,
        Self::Reset,
        Self::CutAnswer,
        Self::PartialUpload,
        Self::TruncatedUpload,
        Self::Garbage,
    ];
}

/// A running proxy. Its thread ends with the program.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    server: u16,
    fault: Mutex<Option<(Fault, usize)>>,
    requests: AtomicUsize,
    /// The heads of all requests, in lower case.
    heads: Mutex<Vec<String>>,
}

impl Proxy {
    pub(crate) fn start(server: u16) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let (port, state) = (listener.local_addr()?.port(), Arc::new(State { server, ..State::default() }));
        let own = state.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let state = own.clone();
                // A client that gives up is no error of the proxy.
                thread::spawn(move || state.serve(client));
            }
        });
        Ok(Self { port, state })
    }

    /// Breaks every so many requests from now on.
    pub(crate) fn set(&self, fault: Option<(Fault, usize)>) {
        *lock(&self.state.fault) = fault;
    }

    /// The number of requests whose head, in lower case, is as asked.
    pub(crate) fn count(&self, is_asked: impl Fn(&str) -> bool) -> usize {
        lock(&self.state.heads).iter().filter(|head| is_asked(head)).count()
    }
}

impl State {
    /// Serves one request; then the connection ends.
    fn serve(&self, mut client: TcpStream) -> io::Result<()> {
        let (head, body) = message(&mut client)?;
        lock(&self.heads).push(head.to_lowercase());
        let number = self.requests.fetch_add(1, Ordering::SeqCst);
        let fault = lock(&self.fault).filter(|(_, every)| number.is_multiple_of(*every)).map(|(fault, _)| fault);
        let is_upload = head.starts_with("PUT ") && !body.is_empty();
        let half = &body[..body.len() / 2];
        match fault {
            Some(Fault::Error500) => {
                answer(&mut client, "500 Internal Server Error", "<Error><Code>InternalError</Code></Error>")
            }
            Some(Fault::SlowDown503) => answer(&mut client, "503 Slow Down", "<Error><Code>SlowDown</Code></Error>"),
            Some(Fault::Denied403) => answer(&mut client, "403 Forbidden", "<Error><Code>AccessDenied</Code></Error>"),
            Some(Fault::Garbage) => answer(&mut client, "200 OK", "<html>Please accept our terms of use.</html>"),
            Some(Fault::Reset) => Ok(()),
            Some(Fault::Hang) => {
                thread::sleep(Duration::from_secs(10));
                Ok(())
            }
            Some(Fault::Slow) => {
                thread::sleep(Duration::from_millis(400));
                client.write_all(&self.forward(&head, &body, body.len())?)
            }
            Some(Fault::CutAnswer) => {
                let whole = self.forward(&head, &body, body.len())?;
                client.write_all(&whole[..whole.len() - whole.len() / 3])
            }
            Some(Fault::PartialUpload) if is_upload => {
                // The server waits for the rest, and the connection ends.
                let mut server = TcpStream::connect(("127.0.0.1", self.server))?;
                server.write_all(closing(&head, body.len()).as_bytes())?;
                server.write_all(half)
            }
            Some(Fault::TruncatedUpload) if is_upload => client.write_all(&self.forward(&head, half, half.len())?),
            _ => client.write_all(&self.forward(&head, &body, body.len())?),
        }
    }

    /// The server's whole answer.
    fn forward(&self, head: &str, body: &[u8], length: usize) -> io::Result<Vec<u8>> {
        let mut server = TcpStream::connect(("127.0.0.1", self.server))?;
        server.write_all(closing(head, length).as_bytes())?;
        server.write_all(body)?;
        let mut whole = Vec::new();
        server.read_to_end(&mut whole)?;
        Ok(whole)
    }
}

/// The head of a request after which the server closes the connection, for a body of this length.
fn closing(head: &str, length: usize) -> String {
    let is_kept = |line: &&str| {
        let line = line.to_lowercase();
        !line.starts_with("connection:") && !line.starts_with("content-length:")
    };
    let lines: Vec<&str> = head.trim_end().split("\r\n").filter(is_kept).collect();
    format!("{}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n", lines.join("\r\n"))
}

fn answer(client: &mut TcpStream, status: &str, body: &str) -> io::Result<()> {
    let length = body.len();
    write!(
        client,
        "HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

/// Reads one request: its head with the empty line, and its body.
fn message(client: &mut TcpStream) -> io::Result<(String, Vec<u8>)> {
    const END: &[u8] = b"\r\n\r\n";
    let (mut bytes, mut buffer) = (Vec::new(), [0; 16_384]);
    loop {
        if let Some(end) = bytes.windows(END.len()).position(|four| four == END) {
            let head = String::from_utf8_lossy(&bytes[..end + END.len()]).into_owned();
            let length = head
                .to_lowercase()
                .split("content-length:")
                .nth(1)
                .and_then(|rest| rest.lines().next()?.trim().parse().ok());
            let (start, length) = (end + END.len(), length.unwrap_or(0));
            if bytes.len() >= start + length {
                return Ok((head, bytes[start..start + length].to_vec()));
            }
        }
        match client.read(&mut buffer)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => bytes.extend_from_slice(&buffer[..read]),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

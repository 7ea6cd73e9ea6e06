//! HTTP/1.1 within limits of time and size. A connection carries one request and its answer.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The largest size of a request's head in bytes.
const MOST_HEAD_BYTES: usize = 16 * 1024;
/// The largest number of headers of a request.
const MOST_HEADERS: usize = 64;
/// The largest size of a request's body in bytes. Only edits have a body: hitboxes of many joints, or two texts of a settings file.
const MOST_BODY_BYTES: usize = 1024 * 1024;
/// The time that a client has to close its side of the connection after the answer.
const CLOSE_TIME: Duration = Duration::from_secs(1);

/// The headers of every answer.
const HEADERS: [(&str, &str); 4] = [
    ("Cache-Control", "no-store"),
    ("Connection", "close"),
    ("X-Content-Type-Options", "nosniff"),
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; connect-src 'self' data: blob:; img-src data: blob:; frame-ancestors 'none'",
    ),
];

/// A request that has arrived completely.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path and the query.
    pub(crate) target: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// The answer to one request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(status: u16, body: impl Into<String>) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: body.into().into_bytes() }
    }
}

/// The reason why a request was not read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The client can be told what is wrong.
    Refused(Answer),
    /// The client closed the connection, or the connection failed.
    Gone,
}

impl Request {
    /// Reads a request that must arrive within `time`.
    ///
    /// # Errors
    /// Returns [`ReadError`] if the request takes longer, is too large or is not HTTP/1.1, or if the connection ends.
    pub(crate) fn read(stream: &TcpStream, time: Duration) -> Result<Self, ReadError> {
        let mut input = Timed { stream, end: Instant::now() + time };
        let mut bytes = Vec::new();
        let (mut request, body_start, body_length) = loop {
            if let Some(head) = Self::head(&bytes)? {
                break head;
            }
            if bytes.len() > MOST_HEAD_BYTES {
                return Err(refused(431, format!("the head of the request is longer than {MOST_HEAD_BYTES} bytes")));
            }
            input.read_more(&mut bytes)?;
        };
        while bytes.len() < body_start + body_length {
            input.read_more(&mut bytes)?;
        }
        bytes.truncate(body_start + body_length);
        request.body = bytes.split_off(body_start);
        Ok(request)
    }

    /// The request without its body, and the place and length of the body; `None` if the head is not complete yet.
    fn head(bytes: &[u8]) -> Result<Option<(Self, usize, usize)>, ReadError> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let length = match parsed.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => {
                return Err(refused(431, format!("the request has more than {MOST_HEADERS} headers")));
            }
            Err(error) => return Err(refused(400, format!("the head of the request is not HTTP/1.1: {error}"))),
        };
        let text = |word: Option<&str>| word.unwrap_or_default().to_owned();
        let value = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let request = Self {
            method: text(parsed.method),
            target: text(parsed.path),
            headers: parsed.headers.iter().map(|header| (header.name.to_owned(), value(header.value))).collect(),
            body: Vec::new(),
        };
        if request.header("Transfer-Encoding").is_some() {
            return Err(refused(411, "the request has a Transfer-Encoding; send its Content-Length instead"));
        }
        let body_length = match request.header("Content-Length").map(str::parse) {
            None => 0,
            Some(Ok(length)) if length <= MOST_BODY_BYTES => length,
            Some(Ok(length)) => {
                let problem = format!("the request has {length} bytes, but may have at most {MOST_BODY_BYTES}");
                return Err(refused(413, problem));
            }
            Some(Err(_)) => return Err(refused(400, "the Content-Length of the request is not a number of bytes")),
        };
        Ok(Some((request, length, body_length)))
    }

    /// The value of a header. Names of headers have no case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

fn refused(status: u16, problem: impl Into<String>) -> ReadError {
    ReadError::Refused(Answer::text(status, problem))
}

/// Writes an answer, which the client must read within `time`.
///
/// # Errors
/// Returns an error if the client closed the connection, or reads too slowly.
pub(crate) fn write(stream: &TcpStream, answer: &Answer, time: Duration) -> io::Result<()> {
    let mut out = Timed { stream, end: Instant::now() + time };
    out.write_all(head(answer.status, answer.kind, &format!("Content-Length: {}", answer.body.len())).as_bytes())?;
    out.write_all(&answer.body)
}

/// The head of an answer. `framing` is the header that says where the body ends.
pub(crate) fn head(status: u16, kind: &str, framing: &str) -> String {
    let headers = HEADERS.map(|(name, value)| format!("{name}: {value}\r\n")).concat();
    format!("HTTP/1.1 {status} \r\nContent-Type: {kind}\r\n{framing}\r\n{headers}\r\n")
}

/// Ends the answer and waits shortly for the client to close the connection. If the server closed it while unread bytes
/// of a refused request are on their way, the operating system would discard the answer.
pub(crate) fn close(stream: &TcpStream) {
    if stream.shutdown(Shutdown::Write).is_ok() {
        let mut input = Timed { stream, end: Instant::now() + CLOSE_TIME };
        let mut unread = [0; 4096];
        while input.read(&mut unread).is_ok_and(|count| count > 0) {}
    }
}

/// A connection whose reads and writes fail after a time, however many bytes arrive until then.
struct Timed<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl Timed<'_> {
    fn left(&self) -> io::Result<Duration> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
    }

    /// Adds the next bytes of a request to `bytes`.
    fn read_more(&mut self, bytes: &mut Vec<u8>) -> Result<(), ReadError> {
        let mut next = [0; 4096];
        match self.read(&mut next) {
            Ok(0) => Err(ReadError::Gone),
            Ok(count) => {
                bytes.extend_from_slice(&next[..count]);
                Ok(())
            }
            // Browsers open connections in advance, and do not expect an answer on these.
            Err(error) if is_timeout(&error) && !bytes.is_empty() => {
                Err(refused(408, "the request took too long; send all of it at once"))
            }
            Err(_) => Err(ReadError::Gone),
        }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(bytes)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns true if a time limit of a socket has passed. Unix and Windows name this error differently.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock)
}

//! An HTTP server on the loopback interface.

use crate::live::session::Session;
use crate::view::query::Query;
use crate::view::studio::{Change, Studio};
use crate::view::tracker::Tracker;
use anyhow::Context as _;
use glam::Affine3A;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::thread::Scope;
use tiny_http::{Header, Method, Request, Response, Server};

/// The number of requests that are answered at the same time, so that a long bake does not block other requests.
const THREADS: usize = 8;

/// Opens a port on 127.0.0.1, or a free port if `port` is 0.
///
/// # Errors
/// Returns an error if another program uses the port.
pub(crate) fn bind(port: u16) -> anyhow::Result<(Server, SocketAddr)> {
    let server = Server::http((Ipv4Addr::LOCALHOST, port));
    let server = server.map_err(|error| {
        anyhow::anyhow!("cannot serve on 127.0.0.1, port {port}: {error}; choose another port with --port")
    })?;
    let address = server.server_addr().to_ip().context("the server has no address")?;
    Ok((server, address))
}

/// The content that the server serves.
pub(crate) struct Site<'a> {
    pub(crate) address: SocketAddr,
    /// The HTML of the page.
    pub(crate) page: &'a str,
    pub(crate) studio: &'a Studio,
    pub(crate) tracker: Option<&'a Tracker>,
}

/// Answers requests until the server is told to stop.
pub(crate) fn serve(server: &Server, site: &Site<'_>) {
    std::thread::scope(|scope| {
        if let Some(tracker) = site.tracker {
            scope.spawn(|| tracker.receive());
        }
        let answer = || {
            while let Ok(request) = server.recv() {
                respond(request, site, scope);
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(answer)).collect();
        for thread in threads {
            let _ = thread.join();
        }
        if let Some(tracker) = site.tracker {
            tracker.close();
        }
    });
}

/// The answer to one request.
struct Answer {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

impl Answer {
    fn text(status: u16, body: impl Into<String>) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: body.into().into_bytes() }
    }
}

/// The headers of every answer.
const HEADERS: [(&str, &str); 3] = [
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self' data: blob:; img-src data: blob:",
    ),
];

fn respond<'scope>(mut request: Request, site: &'scope Site<'_>, scope: &'scope Scope<'scope, '_>) {
    let answer = if !is_for_us(&request, site.address) {
        Answer::text(403, "this server only answers requests to its own address")
    } else {
        match (request.method(), request.url().split_once('?')) {
            (Method::Get, Some(("/api/live", query))) => match follow(site, &Query::parse(query)) {
                Ok((tracker, session, place)) => {
                    // A stream lasts as long as its page is open, so it has a thread of its own.
                    scope.spawn(move || stream(request, tracker, session, &place));
                    return;
                }
                Err(answer) => answer,
            },
            (Method::Get, _) => answer(request.url(), site.page, site.studio),
            (Method::Post, _) if request.url() == "/api/apply" => apply(&mut request, site.address, site.studio),
            _ => Answer::text(405, "this server only answers GET, and POST /api/apply"),
        }
    };
    let mut response = Response::from_data(answer.body).with_status_code(answer.status);
    for (name, value) in HEADERS.into_iter().chain([("Content-Type", answer.kind)]) {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    // The browser may have closed the connection, which is not an error.
    let _ = request.respond(response);
}

/// The parts that a page needs to follow the tracker.
fn follow<'a>(site: &Site<'a>, query: &Query) -> Result<(&'a Tracker, Session, Affine3A), Answer> {
    let tracker = site.tracker.ok_or_else(|| {
        Answer::text(404, "bonebox view was started without --live; start it with --live to follow a body tracker")
    })?;
    if !tracker.has_room() {
        return Err(Answer::text(503, "too many pages follow the tracker; close one of them"));
    }
    let (session, place) = site.studio.session(query).map_err(|error| Answer::text(422, format!("{error:#}")))?;
    Ok((tracker, session, place))
}

/// Answers with lines that are written over time. tiny_http buffers lines up to 8 KiB, so this function writes the head
/// and the chunks itself.
fn stream(request: Request, tracker: &Tracker, session: Session, place: &Affine3A) {
    let mut out = request.into_writer();
    let headers = HEADERS.map(|(name, value)| format!("{name}: {value}\r\n")).concat();
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n{headers}\r\n");
    // A closed page ends its stream, which is not an error.
    let _ = out
        .write_all(head.as_bytes())
        .map_err(anyhow::Error::from)
        .and_then(|()| tracker.stream(session, place, &mut out));
}

/// Returns true if a request names this server's address. A page of another site must not read characters through a
/// host name that points to this machine.
fn is_for_us(request: &Request, address: SocketAddr) -> bool {
    let host = request.headers().iter().find(|header| header.field.equiv("Host"));
    let known = [format!("127.0.0.1:{}", address.port()), format!("localhost:{}", address.port())];
    host.is_some_and(|host| known.iter().any(|known| host.value.as_str() == known))
}

/// The largest size of a request that edits the settings, in bytes.
const MOST_BODY_BYTES: u64 = 64 * 1024;

/// Edits the settings. Only this server's own page may do this: browsers say which page sends a request, and do not let
/// other pages send JSON to this server.
fn apply(request: &mut Request, address: SocketAddr, studio: &Studio) -> Answer {
    let header = |name: &'static str| {
        request.headers().iter().find(|header| header.field.equiv(name)).map(|header| header.value.as_str().to_owned())
    };
    let known = ["127.0.0.1", "localhost"].map(|host| format!("http://{host}:{}", address.port()));
    if !header("Origin").is_some_and(|origin| known.contains(&origin)) {
        return Answer::text(403, "only this server's own page may edit the settings");
    }
    if header("Content-Type").as_deref() != Some("application/json") {
        return Answer::text(415, "the change must be application/json");
    }
    let mut body = Vec::new();
    if let Err(error) = request.as_reader().take(MOST_BODY_BYTES).read_to_end(&mut body) {
        return Answer::text(400, format!("the change cannot be read: {error}"));
    }
    let change: Change = match serde_json::from_slice(&body) {
        Ok(change) => change,
        Err(error) => return Answer::text(400, format!("the change has the wrong form: {error}")),
    };
    match studio.apply(&change) {
        Ok(body) => Answer { status: 200, kind: "application/json", body: body.into_bytes() },
        Err(error) => Answer::text(422, format!("{error:#}")),
    }
}

fn answer(url: &str, page: &str, studio: &Studio) -> Answer {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    if path == "/" {
        return Answer { status: 200, kind: "text/html; charset=utf-8", body: page.to_owned().into_bytes() };
    }
    let question = path.strip_prefix("/api/").unwrap_or_default();
    let query = Query::parse(query);
    if question == "file" {
        return match studio.file(&query) {
            Ok(body) => Answer { status: 200, kind: "application/octet-stream", body },
            Err(error) => Answer::text(422, format!("{error:#}")),
        };
    }
    match studio.answer(question, &query) {
        Some(Ok(body)) => Answer { status: 200, kind: "application/json", body: body.into_bytes() },
        Some(Err(error)) => Answer::text(422, format!("{error:#}")),
        None => Answer::text(404, format!("there is no {path}")),
    }
}

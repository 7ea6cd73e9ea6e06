//! An HTTP server on the loopback interface.

use crate::view::hitboxes;
use crate::view::http::{self, Answer, ReadError, Request};
use crate::view::page::Page;
use crate::view::studio::{Change, Studio};
use crate::view::tracker::{Stream, Tracker};
use crate::view::windows;
use anyhow::Context as _;
use page_answers::Query;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The time that a page which follows a tracker may take to read a line.
const LINE_TIME: Duration = Duration::from_secs(10);

/// A port on this machine. Each connection has a thread of its own, so that a slow client or a long bake holds nobody
/// else.
pub(crate) struct Server {
    listener: TcpListener,
    pub(crate) limits: Limits,
    is_closed: AtomicBool,
    connections: Mutex<usize>,
    has_closed_one: Condvar,
}

/// The limits of the server. A browser opens six connections at a time for one server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The largest number of open connections. Further clients wait for the end of one of these.
    pub(crate) connections: usize,
    /// The time in which a request must arrive.
    pub(crate) request_time: Duration,
    /// The time in which a client must read its answer. The largest answers are files of models.
    pub(crate) answer_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 64, request_time: Duration::from_secs(10), answer_time: Duration::from_secs(60) }
    }
}

/// The content that the server serves.
pub(crate) struct Site<'a> {
    pub(crate) address: SocketAddr,
    pub(crate) page: &'a Page,
    pub(crate) studio: &'a Studio,
    pub(crate) tracker: Option<&'a Tracker>,
}

/// Opens a port on 127.0.0.1, or a free port if `port` is 0.
///
/// # Errors
/// Returns an error if another program uses the port.
pub(crate) fn bind(port: u16) -> anyhow::Result<(Server, SocketAddr)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("cannot serve on 127.0.0.1, port {port}; choose another port with --port"))?;
    let address = listener.local_addr().context("the server has no address")?;
    let server = Server {
        listener,
        limits: Limits::default(),
        is_closed: AtomicBool::new(false),
        connections: Mutex::new(0),
        has_closed_one: Condvar::new(),
    };
    Ok((server, address))
}

/// Answers requests until the server is closed.
pub(crate) fn serve(server: &Server, site: &Site<'_>) {
    thread::scope(|scope| {
        if let Some(tracker) = site.tracker {
            scope.spawn(|| tracker.receive());
        }
        while let Some(connection) = server.accept() {
            // If the system has no thread left, the connection closes.
            let _ = thread::Builder::new().spawn_scoped(scope, move || {
                connection.answer(site);
            });
        }
        if let Some(tracker) = site.tracker {
            tracker.close();
        }
    });
}

impl Server {
    /// Ends [`serve`].
    #[cfg(test)]
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        // The thread that accepts connections waits for one.
        let _ = self.listener.local_addr().and_then(TcpStream::connect);
    }

    /// The next connection, once there is room for it; `None` if the server is closed.
    fn accept(&self) -> Option<Connection<'_>> {
        let mut connections = self.connections();
        while *connections >= self.limits.connections {
            connections = self.has_closed_one.wait(connections).unwrap_or_else(PoisonError::into_inner);
        }
        *connections += 1;
        drop(connections);
        loop {
            let accepted = self.listener.accept();
            if self.is_closed.load(Ordering::Relaxed) {
                return None;
            }
            match accepted {
                Ok((stream, _)) => return Some(Connection { server: self, stream }),
                // The client is gone already, or the system has no file handle left.
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    fn connections(&self) -> MutexGuard<'_, usize> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An open connection. It counts until it is dropped, also if its thread panics.
struct Connection<'a> {
    server: &'a Server,
    stream: TcpStream,
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        *self.server.connections() -= 1;
        self.server.has_closed_one.notify_one();
    }
}

impl Connection<'_> {
    /// Reads a request and answers it.
    fn answer(&self, site: &Site<'_>) {
        let stream = &self.stream;
        // The head and the body of an answer are written one after the other.
        let _ = stream.set_nodelay(true);
        let Limits { request_time, answer_time, .. } = self.server.limits;
        let answer = match Request::read(stream, request_time) {
            Ok(request) => respond(&request, stream, site),
            Err(ReadError::Refused(answer)) => Some(answer),
            Err(ReadError::Gone) => return,
        };
        // The browser may have closed the connection, which is not an error.
        if answer.is_none_or(|answer| http::write(stream, &answer, answer_time).is_ok()) {
            http::close(stream);
        }
    }
}

/// The answer to a request; `None` after a stream, which has been written.
fn respond(request: &Request, stream: &TcpStream, site: &Site<'_>) -> Option<Answer> {
    if !is_for_us(request, site.address.port()) {
        return Some(Answer::text(
            403,
            format!("this server only answers its own page; open http://{} yourself", site.address),
        ));
    }
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    match (request.method.as_str(), path) {
        ("GET", "/api/live") => match follow(site, &Query::parse(query)) {
            Ok(lines) => {
                write_lines(stream, &lines);
                None
            }
            Err(answer) => Some(answer),
        },
        ("GET", _) => Some(answer(path, query, site.page, site.studio)),
        ("POST", "/api/apply") => Some(edit(request, |change: &Change| site.studio.apply(change))),
        ("POST", "/api/windows") => Some(edit(request, |change| windows::save(site.studio, change))),
        ("POST", "/api/hitboxes") => Some(edit(request, |change| hitboxes::save(site.studio, change))),
        ("POST", "/api/restore") => Some(edit(request, |change| hitboxes::restore(site.studio, change))),
        ("POST", "/api/measure") => Some(edit(request, |asked| site.studio.measure(asked))),
        _ => Some(Answer::text(
            405,
            "this server only answers GET, and POST /api/apply, /api/hitboxes, /api/measure, /api/restore and /api/windows",
        )),
    }
}

/// The stream for a page that follows the tracker.
fn follow<'a>(site: &Site<'a>, query: &Query) -> Result<Stream<'a>, Answer> {
    let tracker = site.tracker.ok_or_else(|| {
        Answer::text(404, "bonebox view was started without --live; start it with --live to follow a body tracker")
    })?;
    let (session, place) = site.studio.session(query).map_err(|error| Answer::text(422, format!("{error:#}")))?;
    let stream = tracker.follow(session, &place);
    stream.ok_or_else(|| Answer::text(503, "too many pages follow the tracker; close one of them"))
}

/// Answers with lines that are written over time.
fn write_lines(mut out: &TcpStream, lines: &Stream<'_>) {
    let head = http::head(200, "application/x-ndjson", "Transfer-Encoding: chunked");
    // A closed page ends its stream, which is not an error.
    let _ = out
        .set_write_timeout(Some(LINE_TIME))
        .and_then(|()| out.write_all(head.as_bytes()))
        .map_err(anyhow::Error::from)
        .and_then(|()| lines.write(&mut out));
}

/// The names of this machine in the address of the page.
const OWN_NAMES: [&str; 2] = ["127.0.0.1", "localhost"];

/// Returns true if a request names this server's address, and no page of another site sent it. A page of another site
/// must not read characters through a host name that points to this machine, and must not start bakes.
fn is_for_us(request: &Request, port: u16) -> bool {
    // Browsers leave out the port 80.
    let is_own_host = |host: &str| match host.rsplit_once(':') {
        Some((name, at)) => OWN_NAMES.contains(&name) && at == port.to_string(),
        None => OWN_NAMES.contains(&host) && port == 80,
    };
    let is_own_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(is_own_host);
    // `same-site` would be a page on another port of this machine. With `none`, the user opened the address.
    let is_own_page = |site: &str| matches!(site, "same-origin" | "none");
    request.header("Host").is_some_and(is_own_host)
        && request.header("Origin").is_none_or(is_own_origin)
        && request.header("Sec-Fetch-Site").is_none_or(is_own_page)
}

/// Edits the settings by a change of some kind. Only this server's own page may do this: browsers say which page sends a request, and do not let
/// other pages send JSON to this server.
fn edit<C: DeserializeOwned>(request: &Request, save: impl FnOnce(&C) -> anyhow::Result<String>) -> Answer {
    // `is_for_us` has checked whose origin it is.
    if request.header("Origin").is_none() {
        return Answer::text(403, "only this server's own page may edit the settings");
    }
    if request.header("Content-Type") != Some("application/json") {
        return Answer::text(415, "the change must be application/json");
    }
    let change: C = match serde_json::from_slice(&request.body) {
        Ok(change) => change,
        Err(error) => return Answer::text(400, format!("the change has the wrong form: {error}")),
    };
    match save(&change) {
        Ok(body) => Answer { status: 200, kind: "application/json", body: body.into_bytes() },
        Err(error) => Answer::text(422, format!("{error:#}")),
    }
}

fn answer(path: &str, query: &str, page: &Page, studio: &Studio) -> Answer {
    if path == "/" {
        return Answer { status: 200, kind: "text/html; charset=utf-8", body: page.html.clone().into_bytes() };
    }
    let question = path.strip_prefix("/api/").unwrap_or_default();
    let query = Query::parse(query);
    let file = match question {
        "file" => Some(studio.file(&query)),
        "physics" => Some(page.physics().map(Cow::into_owned)),
        _ => None,
    };
    if let Some(file) = file {
        return match file {
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

//! HTTP on the loopback interface.

use crate::view::query::Query;
use crate::view::studio::{Change, Studio};
use anyhow::Context as _;
use std::io::Read as _;
use std::net::{Ipv4Addr, SocketAddr};
use tiny_http::{Header, Method, Request, Response, Server};

/// Requests that are answered at a time: a long bake does not hold up the others.
const THREADS: usize = 8;

/// Opens a port on 127.0.0.1; a free one where `port` is 0.
///
/// # Errors
/// The port is taken.
pub(crate) fn bind(port: u16) -> anyhow::Result<(Server, SocketAddr)> {
    let server = Server::http((Ipv4Addr::LOCALHOST, port));
    let server = server.map_err(|error| anyhow::anyhow!("cannot serve on 127.0.0.1, port {port}: {error}"))?;
    let address = server.server_addr().to_ip().context("the server has no address")?;
    Ok((server, address))
}

/// Answers until the server is told to stop.
pub(crate) fn serve(server: &Server, address: SocketAddr, page: &str, studio: &Studio) {
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Ok(request) = server.recv() {
                    respond(request, address, page, studio);
                }
            });
        }
    });
}

/// What goes over the wire.
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

fn respond(mut request: Request, address: SocketAddr, page: &str, studio: &Studio) {
    let answer = if !is_for_us(&request, address) {
        Answer::text(403, "this server answers to its own address only")
    } else {
        match request.method() {
            Method::Get => answer(request.url(), page, studio),
            Method::Post if request.url() == "/api/apply" => apply(&mut request, address, studio),
            _ => Answer::text(405, "this server answers GET, and POST /api/apply"),
        }
    };
    let mut response = Response::from_data(answer.body).with_status_code(answer.status);
    let headers = [
        ("Content-Type", answer.kind),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self' data: blob:; img-src data: blob:",
        ),
    ];
    for (name, value) in headers {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    // The browser may have gone; there is nobody to tell.
    let _ = request.respond(response);
}

/// A page from elsewhere must not read characters through a host name that it points at this machine.
fn is_for_us(request: &Request, address: SocketAddr) -> bool {
    let host = request.headers().iter().find(|header| header.field.equiv("Host"));
    let known = [format!("127.0.0.1:{}", address.port()), format!("localhost:{}", address.port())];
    host.is_some_and(|host| known.iter().any(|known| host.value.as_str() == known))
}

/// The largest request to edit the settings.
const MOST_BODY_BYTES: u64 = 64 * 1024;

/// Edits the settings. Only the page itself may ask for that: browsers say which page a request comes from, and let no
/// other page send JSON here.
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
        Err(error) => return Answer::text(400, format!("the change is not what the page sends: {error}")),
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

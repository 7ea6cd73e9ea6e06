//! HTTP on the loopback interface.

use crate::view::query::Query;
use crate::view::studio::Studio;
use anyhow::Context as _;
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
    body: String,
}

impl Answer {
    fn text(status: u16, body: impl Into<String>) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: body.into() }
    }
}

fn respond(request: Request, address: SocketAddr, page: &str, studio: &Studio) {
    let answer = if !is_for_us(&request, address) {
        Answer::text(403, "this server answers to its own address only")
    } else if *request.method() != Method::Get {
        Answer::text(405, "there is only GET")
    } else {
        answer(request.url(), page, studio)
    };
    let mut response = Response::from_string(answer.body).with_status_code(answer.status);
    let headers = [
        ("Content-Type", answer.kind),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data: blob:",
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

fn answer(url: &str, page: &str, studio: &Studio) -> Answer {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    if path == "/" {
        return Answer { status: 200, kind: "text/html; charset=utf-8", body: page.to_owned() };
    }
    let question = path.strip_prefix("/api/").unwrap_or_default();
    match studio.answer(question, &Query::parse(query)) {
        Some(Ok(body)) => Answer { status: 200, kind: "application/json", body },
        Some(Err(error)) => Answer::text(422, format!("{error:#}")),
        None => Answer::text(404, format!("there is no {path}")),
    }
}

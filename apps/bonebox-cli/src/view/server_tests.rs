//! Tests of the server's limits and of its refusals, over real connections.

use super::page::Page;
use super::server::{self, Limits, Site};
use super::studio::Studio;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

/// The time that a test waits for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Serves a page and no character while `ask` runs.
fn while_serving(limits: Limits, ask: impl FnOnce(SocketAddr)) {
    while_serving_page("the page", None, limits, ask);
}

/// As [`while_serving`], but with this page, and with this address in place of the server's own.
fn while_serving_page(page: &str, shown: Option<SocketAddr>, limits: Limits, ask: impl FnOnce(SocketAddr)) {
    let folder = tempfile::tempdir().unwrap();
    let studio = Studio::new(&[folder.path().to_owned()], Default::default()).unwrap();
    let (mut server, address) = server::bind(0).unwrap();
    server.limits = limits;
    let page = Page::without_physics(page);
    std::thread::scope(|scope| {
        let site = Site { address: shown.unwrap_or(address), page: &page, studio: &studio, tracker: None };
        let server = &server;
        scope.spawn(move || server::serve(server, &site));
        let asked = catch_unwind(AssertUnwindSafe(|| ask(address)));
        server.close();
        asked.unwrap_or_else(|failure| resume_unwind(failure));
    });
}

const AGES: Duration = Duration::from_secs(600);
const MOMENT: Duration = Duration::from_millis(500);
const LONG: Limits = Limits { connections: 64, request_time: AGES, answer_time: AGES };

/// Opens a connection and sends a text on it.
fn send(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

/// The answer on a connection, up to its end.
fn answer_on(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("the server answers and closes the connection");
    String::from_utf8(bytes).unwrap()
}

fn get(address: SocketAddr, path: &str, headers: &str) -> String {
    answer_on(send(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n")))
}

/// A change of the settings with these headers and this body.
fn change(address: SocketAddr, headers: &str, body: &str) -> TcpStream {
    let own = format!("Host: {address}\r\nOrigin: http://{address}\r\nContent-Type: application/json\r\n");
    send(address, &format!("POST /api/apply HTTP/1.1\r\n{own}{headers}\r\n{body}"))
}

/// A change with a body of 2,000 bytes, of which only the first byte is sent.
fn unfinished_body(address: SocketAddr) -> TcpStream {
    change(address, "Content-Length: 2000\r\n", "{")
}

#[test]
fn unfinished_requests_hold_nobody_else() {
    while_serving(LONG, |address| {
        let mut unfinished = Vec::new();
        for _ in 0..12 {
            unfinished.push(unfinished_body(address));
            unfinished.push(send(address, "GET / HTTP/1.1\r\nHost: 127"));
            unfinished.push(send(address, ""));
            // One after the other, so that the server has begun to read each of them.
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(get(address, "/", "").contains("the page"));
    });
}

#[test]
fn an_unfinished_request_ends_after_a_time() {
    while_serving(Limits { request_time: MOMENT, ..LONG }, |address| {
        let begin = Instant::now();
        let (head, body) = (send(address, "GET / HTTP/1.1\r\nHost: 127"), unfinished_body(address));
        let mut slow = head.try_clone().unwrap();
        // Bytes that go on to arrive do not prolong the time.
        let trickle = std::thread::spawn(move || {
            while slow.write_all(b"0").is_ok() && begin.elapsed() < PATIENCE {
                std::thread::sleep(MOMENT / 10);
            }
        });
        for stream in [head, body] {
            assert!(answer_on(stream).starts_with("HTTP/1.1 408"));
        }
        assert!(begin.elapsed() >= MOMENT && begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
        trickle.join().unwrap();
        assert_eq!(answer_on(send(address, "")), "", "a connection without a request ends without an answer");
    });
}

#[test]
fn more_connections_than_the_server_takes_are_answered_later() {
    let limits = Limits { connections: 4, request_time: MOMENT, ..LONG };
    while_serving(limits, |address| {
        let unfinished: Vec<TcpStream> = (0..12).map(|_| unfinished_body(address)).collect();
        assert!(get(address, "/", "").contains("the page"));
        drop(unfinished);
    });
}

#[test]
fn clients_that_do_not_read_their_answer_are_left() {
    let limits = Limits { connections: 2, answer_time: MOMENT, ..LONG };
    // More than the buffers of the system hold.
    let page = "x".repeat(32 << 20);
    while_serving_page(&page, None, limits, |address| {
        let ask = || send(address, &format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n"));
        let idle: Vec<TcpStream> = (0..4).map(|_| ask()).collect();
        assert!(get(address, "/api/listing", "").starts_with("HTTP/1.1 200"));
        drop(idle);
    });
}

#[test]
fn a_request_that_is_too_large_is_refused_and_told_so() {
    while_serving(LONG, |address| {
        let megabyte = "x".repeat(1 << 20);
        let is_refused = |stream: TcpStream, status: &str, problem: &str| {
            let answer = answer_on(stream);
            assert!(answer.starts_with(&format!("HTTP/1.1 {status}")) && answer.contains(problem), "{answer}");
        };
        is_refused(send(address, &format!("GET /{megabyte} HTTP/1.1\r\n\r\n")), "431", "16384 bytes");
        is_refused(send(address, &format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(100))), "431", "64 headers");
        is_refused(change(address, "Content-Length: 2097152\r\n", &megabyte.repeat(2)), "413", "at most 1048576");
        is_refused(change(address, "Content-Length: -1\r\n", ""), "400", "Content-Length");
        is_refused(change(address, "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"), "411", "Content-Length");
        is_refused(send(address, "\u{1}\u{2}\r\n\r\n"), "400", "HTTP/1.1");
    });
}

#[test]
fn a_request_of_another_site_is_refused() {
    while_serving(LONG, |address| {
        let status = |headers: &str| get(address, "/api/listing", headers)[9..12].to_owned();
        assert_eq!(status("Sec-Fetch-Site: cross-site\r\n"), "403");
        assert_eq!(status("Sec-Fetch-Site: same-site\r\n"), "403", "another port of this machine");
        assert_eq!(status("Origin: http://evil.example\r\n"), "403");
        assert_eq!(status("Origin: null\r\n"), "403");
        assert_eq!(status("sec-fetch-site: same-origin\r\n"), "200");
        assert_eq!(status("Sec-Fetch-Site: none\r\n"), "200", "the user opened the address");
        assert_eq!(status(&format!("Origin: http://localhost:{}\r\n", address.port())), "200");
        assert_eq!(status(""), "200", "programs such as curl say nothing");
        assert!(
            get(address, "/", "").contains("frame-ancestors 'none'"),
            "no other page may show this page in a frame"
        );
    });
}

#[test]
fn the_port_80_may_be_left_out() {
    while_serving_page("", Some(([127, 0, 0, 1], 80).into()), LONG, |address| {
        let status = |host: &str| {
            let answer = answer_on(send(address, &format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n")));
            answer[9..12].to_owned()
        };
        let hosts = ["127.0.0.1", "localhost:80", "127.0.0.1:8080", "evil.example"];
        assert_eq!(hosts.map(status), ["200", "200", "403", "403"]);
    });
}

//! Passes a body tracker's packets to every page that follows the tracker, and writes each page's lines at every tick.

use crate::live::inbox::Inbox;
use crate::live::session::{Session, Side, TouchNames};
use crate::terminal::eprint_line;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use glam::Affine3A;
use serde::Serialize;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The time between two ticks of a stream, which is the refresh rate of most displays.
const TICK: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// The number of pages that can follow the tracker at the same time.
const MOST_STREAMS: usize = 8;
/// The number of packets that are taken at once.
const MOST_PACKETS: usize = 64;
/// The time between two checks whether the receiving thread should end.
const PATIENCE: Duration = Duration::from_millis(100);

/// The socket, and the sessions of the pages that follow the tracker.
pub(crate) struct Tracker {
    inbox: Inbox,
    /// The start of the clock of all streams.
    start: Instant,
    followers: Mutex<Vec<Weak<Mutex<Follower>>>>,
    is_closed: AtomicBool,
}

/// The lines for one page.
pub(crate) struct Stream<'a> {
    tracker: &'a Tracker,
    follower: Arc<Mutex<Follower>>,
    /// World from model of the opponent.
    place: Affine3A,
}

/// The session of one page.
struct Follower {
    session: Session,
    /// The latest time of the session in seconds, because times must not go backward.
    last: f64,
}

/// The first line of a stream.
#[derive(Serialize)]
struct StreamStart {
    /// World from model of the opponent: three columns of the linear part and the translation.
    place: [f32; 12],
}

/// Every further line of a stream.
#[derive(Serialize)]
struct Moment<'a> {
    /// The time since the program started to listen, in seconds. The opponent's clip started at 0.
    time: f64,
    /// `parent_from_joint` of each joint of the player: three columns and a translation, as little-endian `f32` in
    /// base64.
    joints: String,
    touches: Vec<TouchNames<'a>>,
    packets: PacketCounts,
}

/// Counts since the stream started; `lost` counts since the program started to listen.
#[derive(Serialize)]
struct PacketCounts {
    all: u64,
    late: u64,
    damaged: u64,
    lost: u64,
}

impl Tracker {
    /// Starts to listen.
    ///
    /// # Errors
    /// Returns an error if the address cannot be opened.
    pub(crate) fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let inbox = Inbox::open(&[address])?;
        Ok(Self { inbox, start: Instant::now(), followers: Mutex::default(), is_closed: AtomicBool::new(false) })
    }

    /// The address that receives packets.
    pub(crate) fn address(&self) -> SocketAddr {
        self.inbox.address(0)
    }

    /// Passes packets to the sessions until [`Tracker::close`]. The sessions count errors of packets.
    pub(crate) fn receive(&self) {
        while !self.is_closed.load(Ordering::Relaxed) {
            let taken = self.inbox.take(Instant::now() + PATIENCE, MOST_PACKETS, |packet| {
                let seconds = packet.arrival.saturating_duration_since(self.start).as_secs_f64();
                for follower in lock(&self.followers).iter().filter_map(Weak::upgrade) {
                    let mut follower = lock(&follower);
                    follower.last = follower.last.max(seconds);
                    let last = follower.last;
                    follower.session.receive(Side::Player, &packet.bytes, last);
                }
                Ok(())
            });
            if let Err(error) = taken {
                eprint_line!("the page gets no further packets: {error:#}");
                return;
            }
        }
    }

    /// Ends all streams and the receiving thread.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    /// The stream for another page. `place` is world from model of the opponent. Returns `None` if too many pages follow
    /// the tracker.
    pub(crate) fn follow(&self, session: Session, place: &Affine3A) -> Option<Stream<'_>> {
        let mut followers = lock(&self.followers);
        followers.retain(|follower| follower.strong_count() > 0);
        if followers.len() >= MOST_STREAMS {
            return None;
        }
        let follower = Arc::new(Mutex::new(Follower { session, last: 0.0 }));
        followers.push(Arc::downgrade(&follower));
        Some(Stream { tracker: self, follower, place: *place })
    }

    fn moment<'a>(&self, session: &'a Session, time: f64) -> Moment<'a> {
        let joints = session.local_transforms(Side::Player).unwrap_or_default().iter();
        let joints: Vec<u8> =
            joints.flat_map(|local| local.to_affine().to_cols_array()).flat_map(f32::to_le_bytes).collect();
        let (all, late, damaged) = session
            .counters(Side::Player)
            .map_or((0, 0, 0), |counters| (counters.packets, counters.late_packets, counters.malformed_packets));
        Moment {
            time,
            joints: BASE64_STANDARD.encode(joints),
            touches: session.touches().collect(),
            packets: PacketCounts { all, late, damaged, lost: self.inbox.lost(0) },
        }
    }
}

impl Stream<'_> {
    /// Writes a line for each tick until the reader closes the connection or the tracker is closed. A slow reader slows
    /// the ticks down, and no lines accumulate.
    ///
    /// # Errors
    /// Returns an error if the reader closed the connection, or a pose is not finite.
    pub(crate) fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let tracker = self.tracker;
        out.write_all(&chunk(&StreamStart { place: self.place.to_cols_array() })?)?;
        let mut next = Instant::now();
        while !tracker.is_closed.load(Ordering::Relaxed) {
            let line = {
                let mut follower = lock(&self.follower);
                let seconds = follower.last.max(tracker.start.elapsed().as_secs_f64());
                follower.last = seconds;
                follower.session.tick(seconds)?;
                chunk(&tracker.moment(&follower.session, seconds))?
            };
            out.write_all(&line)?;
            next = (next + TICK).max(Instant::now());
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
        }
        // The end of a chunked body.
        Ok(out.write_all(b"0\r\n\r\n")?)
    }
}

/// One line of JSON as a chunk (RFC 9112, section 7.1), so that the page receives it immediately.
fn chunk(line: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    let mut chunk = format!("{:x}\r\n", text.len()).into_bytes();
    chunk.extend(text);
    chunk.extend(b"\r\n");
    Ok(chunk)
}

/// Locks the mutex. A value from a thread that panicked is still valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

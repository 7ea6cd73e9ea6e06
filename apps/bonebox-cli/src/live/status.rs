//! The status line on a terminal, which shows the figures of the packets.

use crate::live::inbox::Inbox;
use crate::live::latency::Latencies;
use crate::live::session::{Session, Side};
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// The time between two updates of the line.
const PERIOD: Duration = Duration::from_millis(500);

/// A line on standard error that is overwritten again and again, if standard error is a terminal.
pub(crate) struct StatusLine {
    is_terminal: bool,
    is_shown: bool,
    last: Instant,
    /// `packets[side]` is the number of packets at the last update.
    packets: [u64; 2],
    /// The latencies since the last update.
    latencies: Latencies,
}

/// The figures in the line.
#[derive(Clone, Debug, Default, PartialEq)]
struct Figures {
    /// The packets per second of each side that packets move.
    packets_per_second: Vec<(Side, f64)>,
    lost: u64,
    late: u64,
    damaged: u64,
    /// The median latency in milliseconds; `None` if no packet arrived.
    latency: Option<f64>,
    /// The duration of the last tick, in milliseconds.
    tick: f64,
}

impl StatusLine {
    pub(crate) fn new() -> Self {
        Self {
            is_terminal: std::io::stderr().is_terminal(),
            is_shown: false,
            last: Instant::now(),
            packets: [0; 2],
            latencies: Latencies::default(),
        }
    }

    /// Adds the latency of a packet.
    pub(crate) fn add(&mut self, latency: Duration) {
        self.latencies.add(latency);
    }

    /// Updates the line if its period is over.
    pub(crate) fn show(&mut self, session: &Session, inbox: &Inbox, tick: Duration) {
        let since = self.last.elapsed();
        if !self.is_terminal || since < PERIOD {
            return;
        }
        let mut figures =
            Figures { latency: self.latencies.at_share(0.5), tick: 1e3 * tick.as_secs_f64(), ..Figures::default() };
        for (source, side) in session.tracked_sides().enumerate() {
            let Some(counters) = session.counters(side) else { continue };
            let came = counters.packets - std::mem::replace(&mut self.packets[side.index()], counters.packets);
            figures.packets_per_second.push((side, came as f64 / since.as_secs_f64()));
            figures.lost += inbox.lost(source);
            figures.late += counters.late_packets;
            figures.damaged += counters.malformed_packets;
        }
        let _ = write!(std::io::stderr(), "\r{}\x1b[K", figures.line());
        self.latencies.clear();
        (self.last, self.is_shown) = (Instant::now(), true);
    }

    /// Removes the line, before other text is printed.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Figures {
    fn line(&self) -> String {
        let rates: Vec<String> = match self.packets_per_second.as_slice() {
            [(_, rate)] => vec![format!("{rate:.0} packets/s")],
            both => both.iter().map(|(side, rate)| format!("{} {rate:.0} packets/s", side.name())).collect(),
        };
        let latency = self.latency.map_or("-".to_owned(), |milliseconds| format!("{milliseconds:.2} ms"));
        format!(
            "{}, {} lost, {} late, {} damaged, latency {latency}, tick {:.2} ms",
            rates.join(", "),
            self.lost,
            self.late,
            self.damaged,
            self.tick
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_all_figures() {
        let figures = Figures {
            packets_per_second: vec![(Side::Player, 119.6)],
            lost: 1,
            late: 2,
            damaged: 3,
            latency: Some(0.126),
            tick: 0.051,
        };
        assert_eq!(figures.line(), "120 packets/s, 1 lost, 2 late, 3 damaged, latency 0.13 ms, tick 0.05 ms");
        let two =
            Figures { packets_per_second: vec![(Side::Player, 60.0), (Side::Opponent, 0.0)], ..Figures::default() };
        assert_eq!(
            two.line(),
            "player 60 packets/s, opponent 0 packets/s, 0 lost, 0 late, 0 damaged, latency -, tick 0.00 ms"
        );
    }
}

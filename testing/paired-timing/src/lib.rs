//! Measures the times of several ways to do the same work, in turns, for benches that compare them.
//!
//! criterion measures one function for seconds, and then the next. If other programs run on the machine, the two
//! functions are measured under different conditions, and their ratio is not reliable. [`Turns`] runs all alternatives
//! of a case one after the other, many times, so that other programs slow all alternatives alike. It compares the
//! smallest times, which vary far less than means. Functions without an alternative are measured with criterion.
//!
//! ```
//! let numbers: Vec<u64> = (0..1000).collect();
//! let mut turns = paired_timing::Turns::new("doc", "sum of a thousand numbers").items(1000.0, "number");
//! turns.peer("fold", || assert_eq!(numbers.iter().fold(0, |sum, n| sum + n), 499_500));
//! turns.ours("sum", || assert_eq!(numbers.iter().sum::<u64>(), 499_500));
//! turns.run();
//! ```
//!
//! Closures assert their results, because the time of a wrong result is meaningless. Without cargo's `--bench`, as in
//! `cargo test --benches`, every alternative runs once. `cargo xtask bench` reads the file in `BONEBOX_BENCH_LINES`,
//! which has one line of JSON per case.
#![forbid(unsafe_code)]

use std::io::Write as _;
use std::time::{Duration, Instant};

/// The environment variable with the path of a file. Every case appends a line to that file.
pub const LINES: &str = "BONEBOX_BENCH_LINES";

/// If this environment variable is set, a case takes a fifth of the time.
pub const QUICK: &str = "BONEBOX_BENCH_QUICK";

/// One case: alternatives that do the same work.
pub struct Turns<'a> {
    bench: &'static str,
    case: String,
    items: f64,
    item: &'static str,
    runs: Vec<Run<'a>>,
}

struct Run<'a> {
    name: String,
    is_peer: bool,
    work: Box<dyn FnMut() + 'a>,
    times: Vec<Duration>,
}

impl<'a> Turns<'a> {
    /// Makes a case of the bench with this name.
    #[must_use]
    pub fn new(bench: &'static str, case: impl Into<String>) -> Self {
        Self { bench, case: case.into(), items: 1.0, item: "run", runs: Vec::new() }
    }

    /// Divides times by this number of items per run. `item` is the name of an item in the table.
    #[must_use]
    pub fn items(mut self, items: f64, item: &'static str) -> Self {
        (self.items, self.item) = (items, item);
        self
    }

    /// Adds an alternative of another library, with which ours are compared.
    pub fn peer(&mut self, name: impl Into<String>, work: impl FnMut() + 'a) {
        self.add(name.into(), true, Box::new(work));
    }

    /// Adds an alternative of ours.
    pub fn ours(&mut self, name: impl Into<String>, work: impl FnMut() + 'a) {
        self.add(name.into(), false, Box::new(work));
    }

    fn add(&mut self, name: String, is_peer: bool, work: Box<dyn FnMut() + 'a>) {
        self.runs.push(Run { name, is_peer, work, times: Vec::new() });
    }

    /// Runs the alternatives in turns for a second and a half, at least five rounds. Prints a table and appends a line
    /// to the file.
    ///
    /// If the command line has words, only those alternatives run whose name or case contains one of the words, and the
    /// alternatives of other libraries beside them.
    ///
    /// # Panics
    /// If an alternative panics because its result is wrong, or if the file cannot be written.
    pub fn run(mut self) {
        let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
        self.keep(&wanted);
        if self.runs.is_empty() {
            return;
        }
        self.take_turns();
        self.print();
        if let Some(file) = std::env::var_os(LINES) {
            let mut file = std::fs::File::options().append(true).create(true).open(file).expect("a file for results");
            writeln!(file, "{}", self.line()).expect("results are written");
        }
    }

    /// Removes the alternatives that the words do not name.
    fn keep(&mut self, words: &[String]) {
        let is_named = |text: &str| words.is_empty() || words.iter().any(|word| text.contains(word.as_str()));
        if is_named(&self.case) {
            return;
        }
        let has_ours = self.runs.iter().any(|run| is_named(&run.name));
        self.runs.retain(|run| has_ours && (run.is_peer || is_named(&run.name)));
    }

    fn take_turns(&mut self) {
        let only_once = !std::env::args().any(|argument| argument == "--bench");
        let budget = Duration::from_millis(if std::env::var_os(QUICK).is_some() { 300 } else { 1500 });
        let (least_rounds, most_rounds) = if only_once { (1, 1) } else { (5, 5000) };
        let start = Instant::now();
        let mut rounds = 0;
        while rounds < least_rounds || rounds < most_rounds && start.elapsed() < budget {
            for run in &mut self.runs {
                let start = Instant::now();
                (run.work)();
                run.times.push(start.elapsed());
            }
            rounds += 1;
        }
        self.runs.iter_mut().for_each(|run| run.times.sort_unstable());
    }

    fn print(&self) {
        println!("\n{}: {}, ns per {}, least and median of {}", self.bench, self.case, self.item, self.rounds());
        let peers = || self.runs.iter().filter(|run| run.is_peer);
        let (least_of_peers, median_of_peers) =
            (peers().map(|run| run.least()).min(), peers().map(|run| run.median()).min());
        for run in &self.runs {
            let [least, median] = [run.least(), run.median()].map(|time| self.nanoseconds(time));
            let ratio = |peer: Option<Duration>, ours: Duration| match peer {
                Some(peer) if !run.is_peer => format!("{:9.2} x", peer.as_secs_f64() / ours.as_secs_f64()),
                _ => String::new(),
            };
            let (by_least, by_median) = (ratio(least_of_peers, run.least()), ratio(median_of_peers, run.median()));
            println!("    {:<32}{least:12.2}{median:12.2}{by_least}{by_median}", run.name);
        }
    }

    fn line(&self) -> serde_json::Value {
        let run = |run: &Run<'_>| {
            serde_json::json!({
                "name": run.name,
                "peer": run.is_peer,
                "least_ns": self.nanoseconds(run.least()),
                "median_ns": self.nanoseconds(run.median()),
            })
        };
        serde_json::json!({
            "bench": self.bench,
            "case": self.case,
            "item": self.item,
            "rounds": self.rounds(),
            "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
        })
    }

    fn rounds(&self) -> usize {
        self.runs.first().map_or(0, |run| run.times.len())
    }

    fn nanoseconds(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e9 / self.items
    }
}

impl Run<'_> {
    fn least(&self) -> Duration {
        self.times.first().copied().unwrap_or_default()
    }

    fn median(&self) -> Duration {
        self.times.get(self.times.len() / 2).copied().unwrap_or_default()
    }
}

/// Runs the work twice: once to warm up, and once for callgrind to count its instructions (`cargo xtask bench
/// --instructions`). It prints `name` before the count.
pub fn count<R>(name: &str, mut work: impl FnMut() -> R) {
    std::hint::black_box(work());
    println!("counted: {name}");
    instructions_counted_here(work);
}

/// callgrind starts counting when this function is entered, and writes its counts when the function returns.
#[inline(never)]
fn instructions_counted_here<R>(mut work: impl FnMut() -> R) {
    std::hint::black_box(work());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn words_name_cases_or_alternatives() {
        let kept = |words: &[&str]| {
            let mut turns = Turns::new("test", "hit");
            turns.peer("parry3d", || {});
            turns.ours("Scalar", || {});
            turns.ours("Avx2", || {});
            turns.keep(&words.iter().map(|word| word.to_string()).collect::<Vec<_>>());
            turns.runs.iter().map(|run| run.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(kept(&[]), ["parry3d", "Scalar", "Avx2"]);
        assert_eq!(kept(&["hit"]), ["parry3d", "Scalar", "Avx2"]);
        assert_eq!(kept(&["miss", "Avx2"]), ["parry3d", "Avx2"]);
        assert_eq!(kept(&["miss"]), [""; 0]);
    }

    #[test]
    fn alternatives_take_turns_and_times_are_sorted() {
        let order = std::cell::RefCell::new(String::new());
        let mut turns = Turns::new("test", "turns").items(2.0, "half");
        turns.peer("slow", || {
            order.borrow_mut().push('p');
            std::thread::sleep(Duration::from_millis(2));
        });
        turns.ours("fast", || order.borrow_mut().push('o'));
        (0..3).for_each(|_| turns.take_turns());
        assert_eq!(*order.borrow(), "popopo");
        assert!(turns.runs[0].times.is_sorted() && turns.rounds() == 3);
        assert!(turns.nanoseconds(turns.runs[0].least()) >= 1e6, "per item");
        assert!(turns.runs[1].least() < turns.runs[0].least());
    }

    #[test]
    fn a_line_holds_every_alternative() {
        let ran = Cell::new(0);
        let mut turns = Turns::new("test", "a \"case\"");
        turns.peer("theirs", || ran.set(ran.get() + 1));
        turns.ours("ours", || ran.set(ran.get() + 1));
        turns.take_turns();
        let line = turns.line();
        assert_eq!((line["case"].as_str(), line["rounds"].as_u64()), (Some("a \"case\""), Some(1)));
        let runs = line["runs"].as_array().unwrap();
        assert_eq!(runs.iter().map(|run| run["peer"].as_bool().unwrap()).collect::<Vec<_>>(), [true, false]);
        assert!(runs.iter().all(|run| run["least_ns"].as_f64() <= run["median_ns"].as_f64()));
        assert_eq!(ran.get(), 2);
    }
}

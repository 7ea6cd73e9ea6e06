//! Receives packets from UDP sockets. Each socket has a thread that reads it and a queue that holds packets until the
//! program takes them.
//!
//! The threads empty the sockets immediately, so that the system's buffers do not overflow while the program computes.
//! Because each socket has its own queue, a sender that floods one socket does not displace the packets of the other.

use anyhow::Context as _;
use socket2::SockRef;
use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The largest number of packets in one queue: two seconds of a tracker that sends 500 packets per second.
const MOST_PACKETS: usize = 1024;
/// The largest number of bytes in one queue.
const MOST_BYTES: usize = 4 << 20;
/// The requested size of the system's buffer for one socket, in bytes. It holds about two seconds of a tracker that
/// sends 500 packets per second, including the system's overhead per packet.
const SYSTEM_BYTES: usize = 2 << 20;
/// The time between two checks whether a thread should end.
const PATIENCE: Duration = Duration::from_millis(100);

/// One received packet.
pub(crate) struct Packet {
    /// The socket that received the packet, as an index into the addresses that were passed to [`Inbox::open`].
    pub(crate) source: usize,
    /// The time at which a thread read the packet from the socket.
    pub(crate) arrival: Instant,
    pub(crate) bytes: Vec<u8>,
}

/// The sockets and their queues. The threads end when the inbox is dropped.
pub(crate) struct Inbox {
    shared: Arc<Shared>,
    /// The threads read clones of these sockets. The originals stay open, so that the system still counts dropped
    /// packets.
    sockets: Vec<UdpSocket>,
    addresses: Vec<SocketAddr>,
    readers: Vec<JoinHandle<()>>,
}

struct Shared {
    queues: Mutex<Queues>,
    came: Condvar,
    is_closed: AtomicBool,
}

#[derive(Default)]
struct Queues {
    waiting: Vec<VecDeque<Packet>>,
    /// `bytes[source]` is the total size of the waiting packets of a socket.
    bytes: Vec<usize>,
    /// `lost[source]` is the number of packets of a socket that found the queue full.
    lost: Vec<u64>,
    error: Option<io::Error>,
}

impl Inbox {
    /// Opens a socket for each address and starts to receive. Port 0 means any free port.
    ///
    /// # Errors
    /// Returns an error if an address cannot be opened, for example because another program uses the port.
    pub(crate) fn open(addresses: &[SocketAddr]) -> anyhow::Result<Self> {
        let bind = |address: &SocketAddr| {
            let socket = UdpSocket::bind(address).with_context(|| {
                format!("cannot listen on {address}; another program may use the port: stop it, or choose another address with --vmc")
            })?;
            socket.set_read_timeout(Some(PATIENCE))?;
            // The system may give a smaller buffer, which is enough in most cases.
            let _ = SockRef::from(&socket).set_recv_buffer_size(SYSTEM_BYTES);
            anyhow::Ok(socket)
        };
        let sockets: Vec<UdpSocket> = addresses.iter().map(bind).collect::<anyhow::Result<_>>()?;
        let addresses = sockets.iter().map(UdpSocket::local_addr).collect::<io::Result<_>>()?;
        let count = sockets.len();
        let waiting = (0..count).map(|_| VecDeque::new()).collect();
        let queues = Queues { waiting, bytes: vec![0; count], lost: vec![0; count], error: None };
        let shared =
            Arc::new(Shared { queues: Mutex::new(queues), came: Condvar::new(), is_closed: AtomicBool::new(false) });
        let mut inbox = Self { shared, sockets, addresses, readers: Vec::new() };
        for source in 0..count {
            let (shared, socket) = (inbox.shared.clone(), inbox.sockets[source].try_clone()?);
            let reader = std::thread::Builder::new().name(format!("vmc {source}"));
            inbox.readers.push(reader.spawn(move || shared.read(source, &socket))?);
        }
        Ok(inbox)
    }

    /// The address of a socket, with the port that the system chose.
    pub(crate) fn address(&self, source: usize) -> SocketAddr {
        self.addresses[source]
    }

    /// Waits until a packet arrives, but at most until `deadline`. Then calls `each` with at most `most` packets of
    /// each socket, in the order in which they arrived at their socket.
    ///
    /// # Errors
    /// Returns an error if a socket has failed.
    pub(crate) fn take(
        &self,
        deadline: Instant,
        most: usize,
        mut each: impl FnMut(Packet) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut taken = Vec::new();
        {
            let mut queues = self.shared.lock();
            while queues.is_empty() && queues.error.is_none() {
                let wait = deadline.saturating_duration_since(Instant::now());
                if wait.is_zero() {
                    break;
                }
                queues = self.shared.came.wait_timeout(queues, wait).unwrap_or_else(PoisonError::into_inner).0;
            }
            if let Some(error) = queues.error.take() {
                return Err(error).context("cannot receive packets");
            }
            for source in 0..queues.waiting.len() {
                taken.extend((0..most).map_while(|_| queues.pop(source)));
            }
        }
        taken.into_iter().try_for_each(&mut each)
    }

    /// The number of packets of a socket that were lost because this program was too slow: those that found the queue
    /// full, and on Linux also those that found the system's buffer full.
    pub(crate) fn lost(&self, source: usize) -> u64 {
        self.shared.lock().lost[source] + dropped_by_system(self.addresses[source])
    }
}

impl Inbox {
    /// Ends the threads after they have read the packets that are still in the sockets. [`Inbox::take`] returns these
    /// packets too.
    pub(crate) fn close(&mut self) {
        self.shared.is_closed.store(true, Ordering::Relaxed);
        for reader in self.readers.drain(..) {
            let _ = reader.join();
        }
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    /// Locks the queues. No code panics while it holds the lock, so the queues are always consistent.
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the socket until the inbox is closed, and then the packets that are left in it.
    fn read(&self, source: usize, socket: &UdpSocket) {
        // The buffer is one byte longer than the longest packet, so that a packet that is too long is not cut to a
        // valid one.
        let mut buffer = vec![0; mocap::vmc::MAX_PACKET_BYTES + 1];
        let mut read_all = || -> io::Result<()> {
            while !self.is_closed.load(Ordering::Relaxed) {
                self.read_one(source, socket, &mut buffer)?;
            }
            socket.set_nonblocking(true)?;
            // The limit ensures that a sender that floods the socket cannot keep the thread running.
            for _ in 0..MOST_PACKETS {
                if !self.read_one(source, socket, &mut buffer)? {
                    break;
                }
            }
            Ok(())
        };
        if let Err(error) = read_all() {
            self.lock().error = Some(error);
            self.came.notify_one();
        }
    }

    /// Reads one packet, and returns whether a packet arrived.
    fn read_one(&self, source: usize, socket: &UdpSocket, buffer: &mut [u8]) -> io::Result<bool> {
        match socket.recv(buffer) {
            Ok(length) => {
                let packet = Packet { source, arrival: Instant::now(), bytes: buffer[..length].to_vec() };
                self.lock().push(packet);
                self.came.notify_one();
                Ok(true)
            }
            Err(error) if is_nothing(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl Queues {
    fn is_empty(&self) -> bool {
        self.waiting.iter().all(VecDeque::is_empty)
    }

    fn push(&mut self, packet: Packet) {
        let source = packet.source;
        let is_full =
            self.waiting[source].len() >= MOST_PACKETS || self.bytes[source] + packet.bytes.len() > MOST_BYTES;
        if is_full {
            self.lost[source] += 1;
            return;
        }
        self.bytes[source] += packet.bytes.len();
        self.waiting[source].push_back(packet);
    }

    fn pop(&mut self, source: usize) -> Option<Packet> {
        let packet = self.waiting[source].pop_front()?;
        self.bytes[source] -= packet.bytes.len();
        Some(packet)
    }
}

/// The number of packets for a socket that found the system's buffer full; 0 if the system does not count them.
fn dropped_by_system(address: SocketAddr) -> u64 {
    let table = if address.is_ipv4() { "/proc/net/udp" } else { "/proc/net/udp6" };
    std::fs::read_to_string(table).map_or(0, |table| drops_of_port(&table, address.port()))
}

/// Reads the table of sockets in `/proc/net/udp`. The second column is the local address, with the port in hexadecimal
/// after a colon. The last column is the number of dropped packets.
fn drops_of_port(table: &str, port: u16) -> u64 {
    let port = format!(":{port:04X}");
    let is_ours = |line: &&str| line.split_whitespace().nth(1).is_some_and(|local| local.ends_with(&port));
    let drops = |line: &str| line.split_whitespace().next_back()?.parse::<u64>().ok();
    table.lines().skip(1).filter(is_ours).filter_map(drops).sum()
}

/// Returns true if an error of a read is harmless: a time-out, a signal, or a sender that has gone.
fn is_nothing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionRefused, ConnectionReset, Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut | Interrupted | ConnectionReset | ConnectionRefused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn two_ports() -> (Inbox, [SocketAddr; 2]) {
        let inbox = Inbox::open(&[(Ipv4Addr::LOCALHOST, 0).into(); 2]).unwrap();
        let addresses = [inbox.address(0), inbox.address(1)];
        (inbox, addresses)
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(10)
    }

    #[test]
    fn packets_arrive_in_order_with_their_socket() {
        let (inbox, [first, second]) = two_ports();
        let sender = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        for number in 0..10_u8 {
            sender.send_to(&[number], if number % 2 == 0 { first } else { second }).unwrap();
        }
        let mut came = [Vec::new(), Vec::new()];
        while came.iter().map(Vec::len).sum::<usize>() < 10 {
            let deadline = soon();
            inbox
                .take(deadline, 3, |packet| {
                    came[packet.source].push(packet.bytes[0]);
                    Ok(())
                })
                .unwrap();
            assert!(Instant::now() < deadline, "some packets did not arrive: {came:?}");
        }
        assert_eq!(came, [[0, 2, 4, 6, 8], [1, 3, 5, 7, 9]]);
        let start = Instant::now();
        inbox.take(start + Duration::from_millis(30), 3, |_| panic!("there is no packet")).unwrap();
        assert!(start.elapsed() >= Duration::from_millis(30), "it waits until the deadline");
    }

    #[test]
    fn a_flood_only_fills_its_own_queue() {
        let mut queues = Queues {
            waiting: vec![VecDeque::new(), VecDeque::new()],
            bytes: vec![0; 2],
            lost: vec![0; 2],
            error: None,
        };
        let packet = |source, length| Packet { source, arrival: Instant::now(), bytes: vec![7; length] };
        (0..MOST_PACKETS + 5).for_each(|_| queues.push(packet(0, 10)));
        queues.push(packet(1, 10));
        assert_eq!((queues.lost.clone(), queues.bytes.clone()), (vec![5, 0], vec![10 * MOST_PACKETS, 10]));
        assert!(queues.pop(0).is_some());
        queues.push(packet(0, 10));
        assert_eq!(queues.lost, [5, 0], "the queue has room again");
        (0..100).for_each(|_| queues.push(packet(1, 60_000)));
        assert!(queues.bytes[1] <= MOST_BYTES && queues.lost[1] > 0, "{} bytes", queues.bytes[1]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn packets_that_the_system_drops_are_counted() {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = socket.local_addr().unwrap();
        assert_eq!(dropped_by_system(address), 0);
        // No thread reads them, and a buffer holds a few hundred kilobytes.
        let sender = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        for _ in 0..1000 {
            sender.send_to(&[7; 30_000], address).unwrap();
        }
        let dropped = dropped_by_system(address);
        socket.set_nonblocking(true).unwrap();
        let kept = std::iter::repeat_with(|| socket.recv(&mut [0; 30_000])).take_while(Result::is_ok).count();
        assert!(kept > 0 && dropped > 0, "{kept} kept, {dropped} dropped");
        assert_eq!(kept as u64 + dropped, 1000);
    }

    #[test]
    fn a_port_in_use_is_an_error() {
        let (_inbox, [first, _]) = two_ports();
        let error = Inbox::open(&[first]).err().unwrap().to_string();
        assert!(error.contains(&format!("cannot listen on {first}; another program may use the port")), "{error}");
    }
}

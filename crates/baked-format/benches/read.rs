//! Reading and writing: one character without clips (latency) and one with long clips (throughput).

#[path = "../tests/all/support/characters.rs"]
mod support;

use baked_format::{BakedCharacter, read, write};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn benches(criterion: &mut Criterion) {
    // 50 joints, 50 boxes; then three channels for each joint: 50 * 10 * 2000 numbers, 4 MB.
    run(criterion, "50 bones", &support::crowd_member(50, 0));
    run(criterion, "50 bones, 2000 keys", &support::crowd_member(50, 2000));
}

fn run(criterion: &mut Criterion, name: &str, character: &BakedCharacter) {
    let bytes = write(character).expect("a valid character");
    assert_eq!(read(&bytes).as_ref(), Ok(character));
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("read", |bencher| bencher.iter(|| read(black_box(&bytes))));
    group.bench_function("checksum", |bencher| bencher.iter(|| crc32fast::hash(black_box(&bytes))));
    group.bench_function("validate", |bencher| bencher.iter(|| black_box(character).validate()));
    group.bench_function("write", |bencher| bencher.iter(|| write(black_box(character))));
    group.finish();
    single_reads(name, &bytes);
}

/// Each read timed alone: on a machine with other work, criterion's averages hold the others' time slices too, this
/// median does not.
fn single_reads(name: &str, bytes: &[u8]) {
    let mut times: Vec<Duration> = (0..20_000_000 / bytes.len().max(1000))
        .map(|_| {
            let start = Instant::now();
            drop(black_box(read(black_box(bytes))));
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let (least, median) = (times[0], times[times.len() / 2]);
    let rate = bytes.len() as f64 / median.as_secs_f64() / 1e9;
    println!("{name}: {} bytes, median {median:?}, least {least:?}, {rate:.2} GB/s at the median", bytes.len());
}

criterion_group!(all, benches);
criterion_main!(all);

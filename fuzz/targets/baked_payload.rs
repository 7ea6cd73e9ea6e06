#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| baked_format::fuzz::payload(bytes));

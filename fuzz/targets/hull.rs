#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    hull::fuzz::build_and_validate(bytes);
});

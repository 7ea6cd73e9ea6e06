#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    hull::fuzzing::build_and_validate(bytes);
});

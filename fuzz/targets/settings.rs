#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    bake_settings::fuzz::file(bytes);
});

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    geometry_core::fuzz::obb_pair(bytes);
});

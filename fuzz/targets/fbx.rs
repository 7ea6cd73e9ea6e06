#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    skinned_model::fuzz::fbx(bytes);
});

//! Writes Open Sound Control bundles into a reused buffer.

/// Appends a string, its zero byte and its padding.
fn string(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend_from_slice(text.as_bytes());
    let padding = 4 - text.len() % 4;
    bytes.extend_from_slice(&[0; 4][..padding]);
}

/// Starts a bundle that is to be applied immediately (time tag 1, Open Sound Control 1.0).
pub(crate) fn bundle(bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(b"#bundle\0\0\0\0\0\0\0\0\x01");
}

/// One argument of a message.
#[derive(Clone, Copy)]
pub(crate) enum Argument<'a> {
    Int(i32),
    Float(f32),
    Text(&'a str),
}

/// Appends a message as an element of a bundle. `tags` is a comma followed by one letter for each argument.
pub(crate) fn message(bytes: &mut Vec<u8>, address: &str, tags: &str, arguments: &[Argument<'_>]) {
    let start = bytes.len();
    bytes.extend_from_slice(&[0; 4]);
    string(bytes, address);
    string(bytes, tags);
    for argument in arguments {
        match argument {
            Argument::Int(number) => bytes.extend_from_slice(&number.to_be_bytes()),
            Argument::Float(number) => bytes.extend_from_slice(&number.to_be_bytes()),
            Argument::Text(text) => string(bytes, text),
        }
    }
    let size = (bytes.len() - start - 4) as u32;
    bytes[start..start + 4].copy_from_slice(&size.to_be_bytes());
}

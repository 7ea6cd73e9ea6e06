//! Rust code from the FlatBuffers schema of the .bonebox file.

//! Posed boxes and what they touch, in microseconds.

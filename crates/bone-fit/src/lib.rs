//! Vertices of a skinned model to one tight box a joint, with a report.

//! The number of the algorithms that make a bake.

/// The revision of the algorithms that make a bake, which every baked file records.
///
/// The algorithms are all code between the bytes of an asset and the bytes of its `.bonebox` file: the import, the fit
/// and its measurements, the compression of clips and skin, and the writer. The same revision makes the same bytes from
/// the same asset and options, so `bonebox bake` keeps a file only if its revision is this one.
///
/// Raise the number by one in each commit that changes the bytes of any bake. The test `golden_bakes` compares the
/// bytes of many bakes with `tests/golden/bakes.txt`, and says when to raise it.
///
/// - Revision 2: a bake leaves out collision helpers (`UCX_`) and coarser levels of detail, `ignore` reads the names of all nodes that
///   show a mesh, and warnings have lengths in meters and name the settings that leave skin out.
/// - Revision 3: ragdolls have the same limits on both sides of the body, and limits that hold the rest pose.
pub const ALGORITHM_REVISION: u32 = 3;

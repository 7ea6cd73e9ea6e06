//! Convex hulls of any finite points, with exact orientation predicates.

//! dialects

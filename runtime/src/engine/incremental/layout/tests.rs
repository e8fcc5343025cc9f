//! Tests of layouts of hand-written plans.

//! unisono
fn main() {}

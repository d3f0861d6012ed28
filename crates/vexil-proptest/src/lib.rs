//! Generators for property tests over Vexil's values, valid and hostile.

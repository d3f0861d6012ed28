//! Unleash's JSON documents, to and from Vexil's types.

//! Decides and explains feature flags: a pure function of flags, context, time and chance.

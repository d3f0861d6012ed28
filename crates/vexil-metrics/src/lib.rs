//! Adds up usage reports: minutes for the sliding hour, hours after that.

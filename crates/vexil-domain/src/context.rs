//! Contexts: what an application says of the user it asks for.

use crate::Properties;

/// What an application knows when it asks for a flag. Every field is text; an empty value counts
/// as absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Context {
    /// Identifies the user.
    pub user_id: Option<String>,
    /// Identifies the session.
    pub session_id: Option<String>,
    /// The IP address of the user.
    pub remote_address: Option<String>,
    /// The environment the application runs in.
    pub environment: Option<String>,
    /// The application.
    pub app_name: Option<String>,
    /// The time to evaluate at, RFC 3339; the caller's present when absent.
    pub current_time: Option<String>,
    /// Everything else, by name. A standard field of the same name wins over a property.
    pub properties: Properties,
}

impl Context {
    /// The value of a field: a standard field, else the property of that name. Empty values are absent.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&str> {
        let standard = match field {
            "userId" => &self.user_id,
            "sessionId" => &self.session_id,
            "remoteAddress" => &self.remote_address,
            "environment" => &self.environment,
            "appName" => &self.app_name,
            "currentTime" => &self.current_time,
            _ => &None,
        };
        let present = |value: &&str| !value.is_empty();
        standard
            .as_deref()
            .filter(present)
            .or_else(|| self.properties.get(field).filter(present))
    }

    /// Sets a field by name: a standard field, else a property.
    pub fn set(&mut self, field: &str, value: impl AsRef<str> + Into<String>) {
        let standard = match field {
            "userId" => &mut self.user_id,
            "sessionId" => &mut self.session_id,
            "remoteAddress" => &mut self.remote_address,
            "environment" => &mut self.environment,
            "appName" => &mut self.app_name,
            "currentTime" => &mut self.current_time,
            _ => return self.properties.insert(field, value),
        };
        *standard = Some(value.into());
    }

    /// The same, for building in one expression.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl AsRef<str> + Into<String>) -> Self {
        self.set(field, value);
        self
    }
}

//! An entry of the audit log.

use serde::Serialize;
use vexil_domain::{EnvironmentName, FlagName, ProjectId};

use crate::operations::Error;

/// An entry of the audit log without who and when.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    pub(crate) kind: &'static str,
    pub(crate) project: Option<ProjectId>,
    pub(crate) environment: Option<EnvironmentName>,
    pub(crate) flag: Option<FlagName>,
    pub(crate) data: Option<String>,
    pub(crate) pre_data: Option<String>,
}

impl Entry {
    pub(super) fn new(kind: &'static str) -> Self {
        Self {
            kind,
            ..Self::default()
        }
    }

    pub(super) fn in_project(mut self, project: Option<&ProjectId>) -> Self {
        self.project = project.cloned();
        self
    }

    pub(super) fn in_environment(mut self, environment: &EnvironmentName) -> Self {
        self.environment = Some(environment.clone());
        self
    }

    pub(super) fn with(mut self, data: &impl Serialize) -> Result<Self, Error> {
        self.data = Some(json_text(data)?);
        Ok(self)
    }

    pub(super) fn with_earlier(mut self, data: &impl Serialize) -> Result<Self, Error> {
        self.pre_data = Some(json_text(data)?);
        Ok(self)
    }
}

fn json_text(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(Error::internal)
}

/// Entries, or why an edit cannot be put into words.
pub(super) type Entries = Result<Vec<Entry>, Error>;

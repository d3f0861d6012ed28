//! What stands in the braces of paths, as handlers take it: named, parsed, and refused where it cannot be.

use std::borrow::Cow;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use percent_encoding::percent_decode_str;
use serde_json::Value;
use vexil_access::{GroupId, RoleId, UserId};
use vexil_change_request::{ChangeId, ChangeRequestId};
use vexil_client_api::json::{Node, Problems};
use vexil_domain::{EnvironmentName, FlagName, ProjectId, SegmentId, StrategyId};
use vexil_service::operations::{
    Error,
    paths::{FlagEnvironmentPath, FlagPath, StrategyPath},
};

use super::ApiError;

/// The values of a path by the names of their parameters.
pub(super) struct PathValues<'a>(pub(super) &'a HttpRequest);

impl<'a> PathValues<'a> {
    /// The value of a parameter, decoded, where the path has it.
    pub(super) fn get(&self, parameter: &str) -> Option<Cow<'a, str>> {
        // the router has decoded all but a few characters, and only paths that are text come here
        let text = self.0.match_info().get(parameter)?;
        Some(percent_decode_str(text).decode_utf8_lossy())
    }

    /// The value of a parameter, parsed.
    fn parse<T: PathValue>(&self, parameter: &'static str) -> Result<T, Error> {
        match self.get(parameter) {
            Some(text) => T::parse(parameter, &text),
            None => Err(Error::internal(format!(
                "the route has no parameter `{parameter}`"
            ))),
        }
    }
}

/// What one parameter of a path can be.
trait PathValue: Sized {
    fn parse(parameter: &str, text: &str) -> Result<Self, Error>;
}

macro_rules! names {
    ($($name:ty)*) => {$(
        impl PathValue for $name {
            fn parse(_: &str, text: &str) -> Result<Self, Error> {
                Ok(Self::from(text))
            }
        }
    )*};
}

names! { String ProjectId EnvironmentName FlagName StrategyId }

/// A number, of which the refusal says where it should have been.
fn number(parameter: &str, text: &str) -> Result<i64, Error> {
    let mut problems = Problems::new();
    let value = Value::String(text.to_owned());
    let number =
        Node::root(&value, &format!("/params/{parameter}")).integer(&mut problems, i64::MIN, i64::MAX);
    problems.finish(number).map_err(Error::from)
}

impl PathValue for SegmentId {
    fn parse(parameter: &str, text: &str) -> Result<Self, Error> {
        number(parameter, text).map(Self)
    }
}

macro_rules! numbers {
    ($($name:ident)*) => {$(
        impl PathValue for $name {
            fn parse(parameter: &str, text: &str) -> Result<Self, Error> {
                number(parameter, text).map(Self)
            }
        }
    )*};
}

numbers! { UserId GroupId RoleId }

/// An id that is no number is one that is not there.
impl PathValue for ChangeRequestId {
    fn parse(_: &str, text: &str) -> Result<Self, Error> {
        let missing = |_| Error::NotFound(format!("There is no change request with the id `{text}`."));
        text.parse::<i64>().map(Self).map_err(missing)
    }
}

impl PathValue for ChangeId {
    fn parse(_: &str, text: &str) -> Result<Self, Error> {
        let missing = |_| Error::NotFound(format!("There is no change with the id `{text}`."));
        text.parse::<i64>().map(Self).map_err(missing)
    }
}

/// What a path names that operations ask for.
pub(super) struct Named<T>(pub(super) T);

/// Lets handlers take a type out of the path.
macro_rules! from_path {
    ($($name:ty = |$values:ident| $read:expr;)*) => {$(
        impl FromRequest for $name {
            type Error = ApiError;
            type Future = Ready<Result<Self, ApiError>>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                let read = |$values: &PathValues<'_>| -> Result<Self, Error> { Ok($read) };
                ready(read(&PathValues(request)).map_err(ApiError::from))
            }
        }
    )*};
}

/// Types that are nothing but what a path names.
macro_rules! paths {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty = $parameter:literal),+ })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone)]
            pub(super) struct $name {
                $(pub(super) $field: $kind,)+
            }
        )*
        from_path! { $($name = |values| Self { $($field: values.parse($parameter)?),+ };)* }
    };
}

from_path! {
    Named<FlagPath> = |values| Self(FlagPath {
        project: values.parse("project")?,
        flag: values.parse("feature")?,
    });
    Named<FlagEnvironmentPath> = |values| Self(flag_environment(values)?);
    Named<StrategyPath> = |values| Self(StrategyPath {
        at: flag_environment(values)?,
        strategy: values.parse("strategy")?,
    });
}

fn flag_environment(values: &PathValues<'_>) -> Result<FlagEnvironmentPath, Error> {
    Ok(FlagEnvironmentPath {
        project: values.parse("project")?,
        flag: values.parse("feature")?,
        environment: values.parse("environment")?,
    })
}

paths! {
    /// A project.
    ProjectPath { project: ProjectId = "project" }
    /// An environment of a project.
    ProjectEnvironmentPath { project: ProjectId = "project", environment: EnvironmentName = "environment" }
    /// An environment.
    EnvironmentPath { environment: EnvironmentName = "name" }
    /// A flag, whatever its project.
    AnyFlagPath { flag: FlagName = "feature" }
    /// A parent of a flag.
    ParentPath { project: ProjectId = "project", flag: FlagName = "feature", parent: FlagName = "parent" }
    /// A link of a flag.
    FlagLinkPath { project: ProjectId = "project", flag: FlagName = "feature", link: String = "link" }
    /// A strategy, whatever its flag.
    AnyStrategyPath { strategy: StrategyId = "strategy" }
    /// A strategy type.
    StrategyTypePath { name: String = "name" }
    /// What flags can be for.
    FeatureTypePath { kind: String = "kind" }
    /// A tag type.
    TagTypePath { name: String = "name" }
    /// The tags of a type.
    TagsOfTypePath { kind: String = "type" }
    /// A tag.
    TagPath { kind: String = "type", value: String = "value" }
    /// A tag of a flag.
    FlagTagPath { flag: FlagName = "feature", kind: String = "type", value: String = "value" }
    /// A segment.
    SegmentPath { id: SegmentId = "segment" }
    /// A context field.
    ContextFieldPath { field: String = "field" }
    /// A context field, seen from a project.
    ProjectFieldPath { project: ProjectId = "project", field: String = "field" }
    /// A value that a context field may have.
    LegalValuePath { field: String = "field", value: String = "value" }
    /// The same of a context field of a project.
    ProjectLegalValuePath { project: ProjectId = "project", field: String = "field", value: String = "value" }
    /// An API token: its name, its secret or its id.
    TokenPath { token: String = "token" }
    /// An API token of a project.
    ProjectTokenPath { project: ProjectId = "project", token: String = "token" }
    /// A personal access token of the user who asks.
    PersonalTokenPath { id: String = "id" }
    /// A session of the user who asks.
    SessionPath { name: String = "id" }
    /// The secret of a link that works once.
    LinkPath { secret: String = "secret" }
    /// A user.
    UserPath { id: UserId = "id" }
    /// A user in a project.
    ProjectUserPath { project: ProjectId = "project", id: UserId = "id" }
    /// A group in a project.
    ProjectGroupPath { project: ProjectId = "project", id: GroupId = "group" }
    /// A group.
    GroupPath { id: GroupId = "group" }
    /// A role.
    RolePath { id: RoleId = "role" }
    /// A link for signing up: its secret or its id.
    SignUpLinkPath { token: String = "token" }
    /// A notice of the pages, or a question.
    NoticePath { name: String = "notice" }
    /// A change request of a project.
    RequestPath { project: ProjectId = "project", id: ChangeRequestId = "id" }
    /// A change of a change request.
    ChangePath { project: ProjectId = "project", id: ChangeRequestId = "id", change: ChangeId = "change" }
    /// A change request, whatever its project.
    AnyRequestPath { id: ChangeRequestId = "id" }
    /// The name of a flag that may have been reported, or not.
    ReportedFlagPath { name: String = "name" }
    /// Where somebody can listen.
    ChannelPath { channel: String = "channel" }
    /// A file of the web pages.
    PageFilePath { digest: String = "digest", file: String = "file" }
    /// An application.
    ApplicationPath { application: String = "application" }
    /// An application in an environment.
    ApplicationEnvironmentPath { application: String = "application", environment: EnvironmentName = "environment" }
}

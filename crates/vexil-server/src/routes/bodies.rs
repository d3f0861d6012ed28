//! Which body a handler takes, by its type: read, or refused with everything that is wrong with it.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use time::OffsetDateTime;
use vexil_access::{Permission, Scope, UserId};
use vexil_admin_api::account::{
    FeedbackForm, NewSignUpLink, OwnPassword, PasswordByLink, SignUp, SignUpLinkChange, UserReference,
    read_email, read_user, read_user_ids,
};
use vexil_admin_api::application_form::ApplicationForm;
use vexil_admin_api::change_requests::{
    Proposal, RuleCommand, StateCommand, read_comment, read_reviewers, read_title,
};
use vexil_admin_api::constraint::read_constraint;
use vexil_admin_api::context_field::{ContextFieldForm, LegalValue, read_free_field_name, read_legal_value};
use vexil_admin_api::dependency::read_dependency;
use vexil_admin_api::environment::{
    EnvironmentForm, read_free_name as read_free_environment_name, read_places as read_environment_places,
};
use vexil_admin_api::export::ExportQuestion;
use vexil_admin_api::feature_type::LifetimeForm;
use vexil_admin_api::flag::{
    CloneFlag, FlagEdit, NewFlag, read_flag_names, read_free_name, read_new_project, read_stale,
};
use vexil_admin_api::flag_upkeep::{CompletionForm, FlagLinkForm};
use vexil_admin_api::group::GroupForm;
use vexil_admin_api::import::Import;
use vexil_admin_api::patch::{Operation, read_patch};
use vexil_admin_api::playground::{
    AdvancedQuestion, ChangeRequestQuestion, DiffQuestion, ExplainQuestion, Part, ProofQuestion,
    SimpleQuestion,
};
use vexil_admin_api::project::{EnvironmentAddition, ProjectForm, read_default_strategy};
use vexil_admin_api::project_access::{AccessForm, RoleHolders, read_roles, read_whole_access};
use vexil_admin_api::project_settings::SettingsForm;
use vexil_admin_api::role::{RoleForm, read_role_name};
use vexil_admin_api::segment::{SegmentForm, SegmentsOfStrategy, read_free_name as read_free_segment_name};
use vexil_admin_api::sign_in::SignInForm;
use vexil_admin_api::sign_on::{OidcForm, read_disabled, read_enabled};
use vexil_admin_api::strategy::{read_new, read_places, read_whole_update};
use vexil_admin_api::strategy_type::StrategyTypeForm;
use vexil_admin_api::tag::{TagChanges, TagTypeForm, read_free_type_name, read_tag};
use vexil_admin_api::token::{NewToken, read_expiry};
use vexil_admin_api::user::{GrantForm, UserForm, read_grants, read_password, read_personal_token};
use vexil_admin_api::variants::{VariantsForm, read_variant_list};
use vexil_change_request::{NewStrategy, StrategyPlace, StrategyUpdate};
use vexil_client_api::edge::read_tokens;
use vexil_client_api::frontend::read_context;
use vexil_client_api::json::{Node, Problem, Problems};
use vexil_client_api::register::Registered;
use vexil_domain::{
    ActorId, Constraint, Context, Dependency, EnvironmentName, FlagName, ProjectId, Tag, Variant,
};
use vexil_service::operations::Error;
use vexil_store::MAX_KEY_BYTES;

use super::ApiError;
use super::body::{JsonBody, app};

/// A body that was read.
pub(super) struct Body<T>(pub(super) T);

impl<T: ReadBody + Send + 'static> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let body = JsonBody::collect(&request, payload, T::ROOM).await?;
            let document = app(&request)?.parse(body.text.len(), move |_| read(&body));
            Ok(Self(document.await??))
        })
    }
}

/// Reads a body of which the handler needs the text as well.
pub(super) fn read<T: ReadBody>(body: &JsonBody) -> Result<T, Error> {
    T::read(body).map_err(Error::from)
}

/// What can be sent. Everything that is wrong is listed.
pub(super) trait ReadBody: Sized {
    /// So many bytes are taken, however low the limit of bodies is.
    const ROOM: usize = 0;

    fn read(body: &JsonBody) -> Result<Self, Vec<Problem>>;
}

impl<A: Part, B: Part> ReadBody for (A, B) {
    fn read(body: &JsonBody) -> Result<Self, Vec<Problem>> {
        Part::read(&body.value)
    }
}

/// So many bytes may be imported at once, or more where other bodies may have more.
pub(super) const IMPORT_BYTES: usize = 8 << 20;

impl ReadBody for Import {
    const ROOM: usize = IMPORT_BYTES;

    fn read(body: &JsonBody) -> Result<Self, Vec<Problem>> {
        Self::read(&body.value)
    }
}

macro_rules! bodies {
    ($($kind:ty = |$body:ident| $read:expr;)*) => {$(
        impl ReadBody for $kind {
            fn read($body: &JsonBody) -> Result<Self, Vec<Problem>> {
                $read
            }
        }
    )*};
}

/// A new thing with the name that it is to get.
pub(super) struct Named<N, T>(pub(super) N, pub(super) T);

/// One change, where several may not be sent.
pub(super) struct OneProposal(pub(super) Proposal);

/// Which flags are to be stale, or are no longer.
pub(super) struct Stale {
    pub(super) flags: Vec<FlagName>,
    pub(super) stale: bool,
}

/// The project that a flag is to come to.
pub(super) struct NewProject(pub(super) ProjectId);

/// A name that a new flag might get, and the project that it is for, where that is said.
pub(super) struct FreeFlagName {
    pub(super) name: FlagName,
    pub(super) project: Option<ProjectId>,
}
/// Tags put on flags of a project, and taken off.
pub(super) struct TagsOfFlags {
    pub(super) flags: Vec<FlagName>,
    pub(super) changes: TagChanges,
}
/// A name that a new context field might get.
pub(super) struct FreeFieldName(pub(super) String);
/// A name that a new tag type might get.
pub(super) struct FreeTagTypeName(pub(super) String);
/// A name that a new segment might get.
pub(super) struct FreeSegmentName(pub(super) String);
/// A title; empty to take it away.
pub(super) struct Title(pub(super) String);
/// A comment.
pub(super) struct Comment(pub(super) String);
/// A password.
pub(super) struct Password(pub(super) String);
/// A name that a new environment might get.
pub(super) struct FreeEnvironmentName(pub(super) EnvironmentName);
/// Whether something is switched on.
pub(super) struct Enabled(pub(super) bool);

/// Whether passwords are switched off.
pub(super) struct PasswordsOff(pub(super) bool);
/// What went wrong in a page.
pub(super) struct PageProblem(pub(super) String);
/// Origins of pages.
pub(super) struct Origins(pub(super) Vec<String>);
/// An email address.
pub(super) struct EmailAddress(pub(super) String);
/// A user.
pub(super) struct OneUser(pub(super) UserReference);
/// The ids of users.
pub(super) struct SomeUsers(pub(super) Vec<UserId>);
/// A name that a new role might get.
pub(super) struct FreeRoleName(pub(super) String);
/// The ids of roles.
pub(super) struct RoleIds(pub(super) Vec<i64>);
/// The texts of API tokens.
pub(super) struct TokenTexts(pub(super) Vec<String>);
/// When a token ends.
pub(super) struct Expiry(pub(super) OffsetDateTime);
/// What a new user is.
pub(super) struct NewUser(pub(super) UserForm);
/// The strategy that flags get when they are turned on without one.
pub(super) struct DefaultStrategy(pub(super) NewStrategy);
/// What a new personal access token is for, and when it ends.
pub(super) struct NewPersonalToken {
    pub(super) description: String,
    pub(super) expires_at: OffsetDateTime,
}

bodies! {
    NewFlag = |body| Self::read(&body.value);
    FlagEdit = |body| Self::read(&Node::body(&body.value));
    CloneFlag = |body| Self::read(&body.value);
    Vec<Operation> = |body| read_patch(&body.value);
    Vec<FlagName> = |body| read_flag_names(&body.value);
    Stale = |body| read_stale(&body.value).map(|(flags, stale)| Self { flags, stale });
    FlagLinkForm = |body| Self::read(&body.value);
    CompletionForm = |body| Self::read(&body.value);
    NewProject = |body| read_new_project(&body.value).map(Self);
    FreeFlagName = |body| read_free_name(&body.value).map(|(name, project)| Self { name, project });
    Dependency = |body| read_dependency(&body.value);
    NewStrategy = |body| read_new(&body.value);
    StrategyUpdate = |body| read_whole_update(&body.value);
    Vec<StrategyPlace> = |body| read_places(&body.value);
    Constraint = |body| {
        let mut problems = Problems::new();
        let constraint = read_constraint(&Node::body(&body.value), &mut problems);
        problems.finish(constraint)
    };
    SegmentForm = |body| Self::read(&body.value);
    SegmentsOfStrategy = |body| Self::read(&body.value);
    FreeSegmentName = |body| read_free_segment_name(&body.value).map(Self);
    Named<Option<String>, ProjectForm> = |body| ProjectForm::read_new(&body.value).map(|(id, form)| Self(id, form));
    ProjectForm = |body| Self::read(&body.value);
    EnvironmentAddition = |body| Self::read(&body.value);
    DefaultStrategy = |body| read_default_strategy(&body.value).map(Self);
    Named<EnvironmentName, EnvironmentForm> = |body| {
        EnvironmentForm::read_new(&body.value).map(|(name, form)| Self(name, form))
    };
    EnvironmentForm = |body| Self::read(&body.value);
    BTreeMap<EnvironmentName, i32> = |body| read_environment_places(&body.value);
    Named<String, StrategyTypeForm> = |body| {
        StrategyTypeForm::read_new(&body.value).map(|(name, form)| Self(name, form))
    };
    StrategyTypeForm = |body| Self::read(&body.value);
    Named<String, TagTypeForm> = |body| TagTypeForm::read_new(&body.value).map(|(name, form)| Self(name, form));
    Named<String, ContextFieldForm> = |body| ContextFieldForm::read_new(&body.value).map(|(name, form)| Self(name, form));
    ContextFieldForm = |body| Self::read(&body.value);
    FreeFieldName = |body| read_free_field_name(&body.value).map(Self);
    LegalValue = |body| read_legal_value(&body.value);
    TagTypeForm = |body| Self::read(&body.value);
    LifetimeForm = |body| Self::read(&body.value);
    ApplicationForm = |body| Self::read(&body.value);
    FreeTagTypeName = |body| read_free_type_name(&body.value).map(Self);
    Tag = |body| read_tag(&body.value);
    TagChanges = |body| Self::read(&body.value);
    TagsOfFlags = |body| {
        TagChanges::read_of_flags(&body.value).map(|(flags, changes)| Self { flags, changes })
    };
    ExportQuestion = |body| Self::read(&body.value);
    Vec<Variant> = |body| read_variant_list(&body.value);
    VariantsForm = |body| Self::read(&body.value);
    NewToken = |body| Self::read(&body.value);
    Expiry = |body| read_expiry(&body.value).map(Self);
    NewUser = |body| UserForm::read_new(&body.value).map(Self);
    UserForm = |body| Self::read_changes(&body.value);
    Password = |body| read_password(&body.value).map(Self);
    FreeEnvironmentName = |body| read_free_environment_name(&body.value).map(Self);
    SettingsForm = |body| Self::read(&body.value);
    OidcForm = |body| Self::read(&body.value);
    Enabled = |body| read_enabled(&body.value).map(Self);
    PasswordsOff = |body| read_disabled(&body.value).map(Self);
    PageProblem = |body| {
        let mut problems = Problems::new();
        let node = Node::body(&body.value);
        let message = node.object(&mut problems).and_then(|_| node.get("errorMessage").text(&mut problems));
        problems.finish(message.map(Self))
    };
    Origins = |body| {
        let mut problems = Problems::new();
        let node = Node::body(&body.value);
        let list = node.object_of(&mut problems, &["frontendApiOrigins"]);
        let list = list.map(|_| {
            let origins = node.get("frontendApiOrigins").array(&mut problems).unwrap_or_default();
            origins.iter().filter_map(|one| one.text(&mut problems)).collect()
        });
        problems.finish(list.map(Self))
    };
    EmailAddress = |body| read_email(&body.value).map(Self);
    OneUser = |body| read_user(&body.value).map(Self);
    SomeUsers = |body| read_user_ids(&body.value).map(|ids| Self(ids.into_iter().map(UserId).collect()));
    OwnPassword = |body| Self::read(&body.value);
    PasswordByLink = |body| Self::read(&body.value);
    SignUp = |body| Self::read(&body.value);
    NewSignUpLink = |body| Self::read(&body.value);
    SignUpLinkChange = |body| Self::read(&body.value);
    FeedbackForm = |body| Self::read(&body.value);
    RoleForm = |body| Self::read(&body.value);
    FreeRoleName = |body| read_role_name(&body.value).map(Self);
    GroupForm = |body| Self::read(&body.value);
    AccessForm = |body| Self::read(&body.value);
    Vec<RoleHolders> = |body| read_whole_access(&body.value);
    RoleIds = |body| read_roles(&body.value).map(Self);
    NewPersonalToken = |body| {
        read_personal_token(&body.value).map(|(description, expires_at)| Self { description, expires_at })
    };
    Vec<GrantForm> = |body| {
        let in_projects = Permission::ALL.iter().filter(|it| it.scope() != Scope::Instance);
        read_grants(&body.value, &in_projects.map(|it| it.name()).collect::<Vec<_>>())
    };
    Vec<Proposal> = |body| Proposal::one_or_many(&body.value);
    OneProposal = |body| Proposal::one(&body.value).map(Self);
    StateCommand = |body| Self::read(&body.value);
    RuleCommand = |body| Self::read(&body.value);
    Title = |body| read_title(&body.value).map(Self);
    Comment = |body| read_comment(&body.value).map(Self);
    Vec<ActorId> = |body| read_reviewers(&body.value);
    ChangeRequestQuestion = |body| Self::read(&body.value, &body.text);
    AdvancedQuestion = |body| Self::read(&body.value);
    SimpleQuestion = |body| Self::read(&body.value);
    DiffQuestion = |body| Part::read(&body.value);
    ExplainQuestion = |body| Part::read(&body.value);
    ProofQuestion = |body| Part::read(&body.value);
    Registered = |body| Self::read(&body.value, MAX_KEY_BYTES);
    Context = |body| read_context(&body.value);
    SignInForm = |body| Self::read(&body.value);
    TokenTexts = |body| read_tokens(&body.value).map(Self);
}

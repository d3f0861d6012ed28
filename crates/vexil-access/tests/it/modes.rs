//! What a project is to people who have no role in it.

use vexil_access::{Directory, Permission, Place, ProjectMode, RoleId};

use crate::roles::{bank, production, shop, with_root_role};

fn directory(mode: ProjectMode) -> Directory {
    Directory::new([], [], [(shop(), mode)])
}

#[test]
fn the_mode_bounds_root_roles_and_nothing_else() {
    for (mode, edits, looks, sees) in [
        (ProjectMode::Open, true, true, true),
        (ProjectMode::Protected, false, true, true),
        (ProjectMode::Private, false, false, false),
    ] {
        let editor = with_root_role(&directory(mode), RoleId::EDITOR);
        assert_eq!(
            editor.may(Permission::CreateFeature, Place::Project(&shop())),
            edits,
            "{mode:?}"
        );
        let place = Place::Environment(&shop(), &production());
        assert_eq!(
            editor.may(Permission::UpdateFeatureEnvironment, place),
            edits,
            "{mode:?}"
        );
        assert_eq!(
            editor.may(Permission::ReadProjectSettings, Place::Project(&shop())),
            looks,
            "{mode:?}"
        );
        assert_eq!(editor.sees(&shop()), sees, "{mode:?}");
        assert!(editor.may(Permission::CreateFeature, Place::Project(&bank())));
        assert!(editor.may(Permission::CreateProject, Place::Instance));
        let mut member = with_root_role(&directory(mode), RoleId::VIEWER);
        member.add_project_role(&shop(), RoleId::MEMBER);
        assert!(
            member.may(Permission::CreateFeature, Place::Project(&shop())),
            "{mode:?}"
        );
        assert!(member.sees(&shop()), "{mode:?}");
        let admin = directory(mode).admin();
        assert!(admin.may(Permission::CreateFeature, Place::Project(&shop())) && admin.sees(&shop()));
    }
}

#[test]
fn a_refusal_says_that_the_mode_stands_in_the_way() {
    let editor = with_root_role(&directory(ProjectMode::Protected), RoleId::EDITOR);
    let shop = shop();
    assert_eq!(
        editor
            .decide(Permission::CreateFeature, Place::Project(&shop))
            .to_string(),
        "needs CREATE_FEATURE in the project shop, which is protected: only roles in it count"
    );
    let viewer = with_root_role(&directory(ProjectMode::Protected), RoleId::VIEWER);
    assert_eq!(
        viewer
            .decide(Permission::CreateFeature, Place::Project(&shop))
            .to_string(),
        "needs CREATE_FEATURE in the project shop"
    );
}

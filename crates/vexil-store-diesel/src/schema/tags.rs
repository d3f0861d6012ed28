//! The table of the types of tags. The tags of a flag stand with the flag.

diesel::table! {
    tag_types (name) {
        name -> Text,
        description -> Nullable<Text>,
        icon -> Nullable<Text>,
        color -> Nullable<Text>,
        tag_values -> Text,
    }
}

mod dynamic_tools;
mod item_laws;
mod item_text;
mod item_views;
mod permissions;
mod requests;
mod rollout_lines;
mod rollout_writing;

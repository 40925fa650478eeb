mod config;
mod config_faults;
mod config_keys;
mod config_permissions;
mod config_projects;
mod history;
mod testing;

mod additional_context;
mod fragment;
mod markers;
mod truncate;

mod additional_context;
mod fragment;
mod hidden;
mod markers;
mod truncate;

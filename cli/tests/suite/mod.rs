mod tidy;
mod workspace;

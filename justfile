# What people and CI run here. `just test -p core NAME` takes cargo's arguments.

set positional-arguments

reference := "@openai/codex@0.171.0"
mcp_servers := "@modelcontextprotocol/server-filesystem@2026.8.31 @modelcontextprotocol/server-everything@2026.8.31"

# lists the recipes
default:
    @just --list

# runs the tests: of the workspace, of `-p core`, or one by its name
test *args:
    @sh .config/test.sh "$@"

# formats the code
fmt:
    cargo fmt --all

# holds format, lints and documentation
lint:
    cargo fmt --all --check
    cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
    cargo clippy --locked -p recto-cli --test conformance -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --all-features

# compares the prompt with the reference's, case by case; `just conformance trust::` runs some
conformance *args: install-reference install-mcp-servers install-litellm
    cargo test --locked -p recto-cli --test conformance -- "$@"

# runs the long laws, 15 minutes at most: tests whose names hold `soak`
soak:
    RECTO_SOAK=1 timeout 900 sh .config/test.sh --tests soak

# runs the environment-neutral tests in every environment and over every wire, and counts them and their calls
matrix:
    @sh .config/matrix.sh local sandboxed sftp

# breaks the code in a copy, one way after another, and wants a conformance case red each time; `just mutants ID` tries one
mutants *args: install-reference
    @sh .config/mutants.sh "$@"

# compares a step in a long conversation with one in a short one, and time and memory with the reference's
bench *args: install-reference
    cargo bench --locked -p recto-context-fragments --bench truncate
    cargo bench --locked -p recto-core --bench step
    cargo bench --locked -p recto-core --bench request
    cargo bench --locked -p recto-cli --bench against_reference -- "$@"
    cargo bench --locked -p recto-cli --bench rollouts

# all that CI holds
ci: lint test conformance soak matrix

[private]
install-reference:
    @sh .config/install-reference.sh {{ reference }}

[private]
install-litellm:
    @sh .config/install-litellm.sh "litellm[proxy]==1.108.7" @dwmkerr/mock-llm@0.1.29

[private]
install-mcp-servers:
    @sh .config/install-mcp-servers.sh {{ mcp_servers }}

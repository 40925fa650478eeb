#!/bin/sh
# just test: takes cargo's arguments; `-p core` is short for `-p recto-core`.
# Uses nextest where it is installed, and then runs the doctests by themselves.
set -eu

scope=--workspace    # none where packages are named
packages=            # the named ones
doctests=yes         # no where kinds of targets are named, or no named package has a library
previous=
for word; do
    shift
    case $previous in
    -p | --package)
        case $word in
        protocol | context-fragments | core | cli) word=recto-$word ;;
        esac
        scope=
        packages="$packages $word"
        ;;
    esac
    case $word in
    -p?* | --package=* | --workspace | --all) scope= ;;
    --lib | --bin | --bins | --test | --tests | --example | --examples | --bench | --benches | --all-targets)
        doctests=no
        ;;
    esac
    set -- "$@" "$word"
    previous=$word
done
if [ "$packages" = " recto-cli" ] && [ ! -e cli/src/lib.rs ]; then
    doctests=no
fi

if ! command -v cargo-nextest >/dev/null 2>&1; then
    exec cargo test $scope "$@"
fi
cargo nextest run $scope "$@"
if [ $doctests = yes ]; then
    cargo test $scope --doc "$@"
fi

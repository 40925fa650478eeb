#!/bin/sh
# just mutants: breaks the code in each way that mutants.txt lists, in a copy, and wants the named conformance case,
# which is green without it, to turn red. Arguments name the mutations to try; without any, all are.
set -eu

root=$PWD
copy=$root/target/mutants/source
export CARGO_TARGET_DIR="$root/target/mutants/build"

rm -rf "$copy"
mkdir -p "$copy/target"
git ls-files --cached --others --exclude-standard | tar -cf - -T - | tar -xf - -C "$copy"
[ ! -d "$root/target/peer" ] || ln -s "$root/target/peer" "$copy/target/peer"
cd "$copy"

# The suite is built once; it starts whatever program stands in the target directory.
cargo test --quiet --locked -p recto-cli --test conformance -- --list >/dev/null
suite=$(ls -t "$CARGO_TARGET_DIR"/debug/deps/conformance-* | grep -v '\.' | head -n 1)

run() {
    "$suite" --exact "$1" >suite.log 2>&1 || true
    case $(grep '^test result' suite.log) in
    *' 1 failed'*) answer=red ;;
    *' 1 passed'*) answer=green ;;
    *) answer='not run' ;;
    esac
}

try() {
    id=$1 file=$2 expression=$3 case=$4
    sed "$expression" "$root/$file" >"$file"
    if cmp -s "$file" "$root/$file"; then
        answer='changes nothing'
    elif ! cargo build --quiet --locked -p recto-cli 2>build.log; then
        answer='does not build'
    else
        run "$case"
    fi
    cp "$root/$file" "$file"
    printf '%-16s %-32s %s\n' "$answer" "$id" "$case"
    [ "$answer" = red ]
}

# Calls a function with each mutation that is asked for.
each() {
    while IFS=$(printf '\t') read -r id file expression case; do
        case $id in '#'*) continue ;; esac
        case " $asked " in '  ' | *" $id "*) "$1" "$id" "$file" "$expression" "$case" || status=1 ;; esac
    done <"$root/.config/mutants.txt"
}

is_green() {
    run "$4"
    [ "$answer" = green ] || echo "$answer without any mutation: $4" >&2
    [ "$answer" = green ]
}

asked=$*
status=0
each is_green
[ $status = 0 ] || exit 2
each try
exit $status

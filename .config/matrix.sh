#!/bin/sh
# just matrix: packages x wires x environments; each cell tells how many environment-neutral tests passed in it, and how
# many calls of theirs the environment served. A test is environment-neutral when it takes its file system from
# file_system_under_test(), which notes the test's name and its calls.
set -eu

notes=target/matrix
rm -rf $notes
mkdir -p $notes
packages=$(grep -rl --include='*.rs' 'file_system_under_test()' ./*/src ./*/tests | cut -d/ -f2 | sort -u)
wires='responses lite'

is_there() {
    [ "$1" = sftp ] && [ -z "${RECTO_SFTP_SERVER:-}" ] || return 0
    for place in /usr/lib/openssh /usr/libexec/openssh /usr/lib/ssh; do
        [ ! -x $place/sftp-server ] || return 0
    done
    return 1
}

# The first cell of a package runs all its tests and tells which of them are neutral; the others run those.
run() {
    names=$notes/$1.names
    RECTO_TEST_ENVIRONMENT=$3 RECTO_TEST_WIRE=$2 RECTO_TEST_MATRIX=$PWD/$notes/$1-$2-$3
    export RECTO_TEST_ENVIRONMENT RECTO_TEST_WIRE RECTO_TEST_MATRIX
    if [ -s "$names" ]; then
        # Names have no white space.
        sh .config/test.sh --tests -p "$1" -- --exact $(cat "$names")
    else
        sh .config/test.sh --tests -p "$1"
        cut -d' ' -f2 "$RECTO_TEST_MATRIX" | sort -u >"$names"
    fi
}

for environment; do
    is_there "$environment" || continue
    for package in $packages; do
        for wire in $wires; do
            run "$package" "$wire" "$environment"
        done
    done
done

status=0
printf '\n%-18s%-12s' package wire
printf '%24s' "$@"
for package in $packages; do
    wanted=$(wc -l <$notes/"$package".names)
    for wire in $wires; do
        printf '\n%-18s%-12s' "$package" "$wire"
        for environment; do
            cell=$notes/$package-$wire-$environment
            if ! is_there "$environment"; then
                printf '%24s' 'no SFTP server'
                [ -z "${CI:-}" ] || status=1
                continue
            fi
            tests=$(cut -d' ' -f2 "$cell" | sort -u | wc -l)
            calls=$(awk '{ calls += $3 } END { print calls + 0 }' "$cell")
            printf '%24s' "$tests tests, $calls calls"
            [ "$tests" = "$wanted" ] && [ "$calls" -gt 0 ] || status=1
        done
    done
done
printf '\n'
[ $status = 0 ] || echo "a cell misses tests, served no call, or has no SFTP server where CI wants one" >&2
exit $status

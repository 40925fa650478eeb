#!/bin/sh
# just matrix: packages x environments, with the number of environment-neutral tests that passed in each cell.
# A test is environment-neutral when it takes its file system from file_system_under_test(), which notes the test's name.
set -eu

notes=target/matrix
mkdir -p $notes
packages=$(grep -rl --include='*.rs' 'file_system_under_test()' ./*/src ./*/tests | cut -d/ -f2 | sort -u)
for environment; do
    : >$notes/"$environment"
    for package in $packages; do
        RECTO_TEST_ENVIRONMENT=$environment RECTO_TEST_MATRIX=$PWD/$notes/$environment \
            sh .config/test.sh --tests -p "$package"
    done
    sort -u -o $notes/"$environment" $notes/"$environment"
done

status=0
printf '\n%-20s' package
printf '%12s' "$@"
for package in $packages; do
    printf '\n%-20s' "$package"
    for environment; do
        count=$(grep -c "^recto-$package " $notes/"$environment") || status=1
        printf '%12s' "$count"
    done
done
printf '\n'
[ $status = 0 ] || echo "a cell is empty: no test of that package ran in that environment" >&2
exit $status

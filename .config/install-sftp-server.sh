#!/bin/sh
# Installs OpenSSH's SFTP server, which the tests of remote environments speak to, unless it is there.
set -eu

for place in /usr/lib/openssh /usr/libexec/openssh /usr/lib/ssh; do
    if [ -x $place/sftp-server ]; then
        exit 0
    fi
done
apt-get update -qq && apt-get install -qq -y openssh-sftp-server

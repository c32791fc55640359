#!/bin/sh
# Makes what compose.yaml reads from deploy/secrets: a password for each, and the addresses that hold them. Existing ones stay.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets

password() {
  [ -s "$1" ] || od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >"$1"
  cat "$1"
}

owner=$(password owner_password)
node=$(password node_password)
redis=$(password redis_password)
printf 'postgresql://owner:%s@postgres/turnlog' "$owner" >owner_dsn
printf 'postgresql://node:%s@postgres/turnlog' "$node" >node_dsn
printf 'redis://:%s@redis:6379/0' "$redis" >redis_url
printf 'requirepass %s\nsave ""\nappendonly no\nmaxmemory 256mb\nmaxmemory-policy allkeys-lru\n' "$redis" >redis_conf
# Containers read them as users of their own.
chmod 0444 ./*
echo "deploy/secrets: made. Keep them to yourself; they are not in the repository."

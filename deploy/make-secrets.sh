#!/bin/sh
# Makes what compose.yaml reads from deploy/secrets: a password for each, the addresses that hold them, and the key of signed heads
# (by the image, so build that first). Existing ones stay. NAME is that of the log, for good: make-secrets.sh turnlog.example.org
set -eu
: "${1:?the name of the log is missing: $0 NAME}"
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets
chmod u+w ./* 2>/dev/null || : # what an earlier run left to be read alone

password() {
  [ -s "$1" ] || od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >"$1"
  cat "$1"
}

if [ ! -s heads_key ]; then
  echo "deploy/secrets: the public key of signed heads, to be published:"
  docker run --rm --network none --user "$(id -u):$(id -g)" --volume "$PWD:/out" turnlog heads new-key /out/heads_key --name "$1"
fi
owner=$(password owner_password)
node=$(password node_password)
redis=$(password redis_password)
printf 'postgresql://owner:%s@postgres/turnlog' "$owner" >owner_dsn
printf 'postgresql://node:%s@postgres/turnlog' "$node" >node_dsn
printf 'redis://:%s@redis:6379/0' "$redis" >redis_url
printf 'requirepass %s\nsave ""\nappendonly no\nmaxmemory 256mb\nmaxmemory-policy volatile-ttl\n' "$redis" >redis_conf
# Containers read the files that they are given as users of their own (nodes as 10001); on this machine nobody else gets into the folder.
chmod 0700 .
chmod 0444 ./*
echo "deploy/secrets: made. Keep them to yourself; they are not in the repository."

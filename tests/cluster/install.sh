#!/bin/sh
# Gives the cluster its proxy: an HAProxy that is there already, or the system's package.
set -eu

PATH="$PATH:/usr/sbin:/usr/local/sbin"
command -v haproxy >/dev/null 2>&1 && exit 0

as_root=''
if [ "$(id -u)" -ne 0 ]; then
  as_root='sudo -n'
fi
if command -v apt-get >/dev/null 2>&1; then
  echo "turnlog: installing HAProxy for the cluster"
  # The package would start a proxy of its own where services are run.
  $as_root apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends haproxy >/dev/null
fi
command -v haproxy >/dev/null 2>&1 && exit 0

echo "turnlog: the cluster needs HAProxy (2.4 or newer) on the path" >&2
exit 1

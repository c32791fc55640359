#!/bin/sh
# Gives the browser tests a browser: one that is there already, or Chromium from the system's packages.
# TURNLOG_BROWSER names one that lies elsewhere.
set -eu

find_browser() {
  for name in "${TURNLOG_BROWSER:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1; then
      return 0
    fi
  done
  return 1
}

find_browser && exit 0

as_root=''
if [ "$(id -u)" -ne 0 ]; then
  as_root='sudo -n'
fi
if command -v apt-get >/dev/null 2>&1; then
  echo "turnlog: installing Chromium for the browser tests"
  $as_root apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
find_browser && exit 0

echo "turnlog: the browser tests need Chromium or Chrome. Install one, or name it: TURNLOG_BROWSER=/path/to/chrome make test" >&2
exit 1

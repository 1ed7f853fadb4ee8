#!/usr/bin/env bash
# Install a Chromium for the browser checks: Debian's package where that is possible, else
# Playwright's own into the user's cache. Exit status 1 if neither worked.
set -u
here="$(cd "$(dirname "$0")/.." && pwd)"
python="${PYTHON_OF_ENV:-$here/.venv/bin/python}"
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Debian's chromium for the browser checks ..." >&2
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -q && apt-get install -qy --no-install-recommends chromium; } >/dev/null 2>&1 && exit 0
fi
echo "Fetching Playwright's chromium for the browser checks ..." >&2
"$python" -m playwright install chromium >/dev/null 2>&1

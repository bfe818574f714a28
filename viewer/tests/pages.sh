#!/usr/bin/env bash
# The pages in a real browser: runs two scenarios with the program given, serves one of them, and lets the browser tests look at
# their reports and at the 3-D page. Debian's Chromium is installed where there is no browser and the right to do so.
# With a third folder it takes the documentation's pictures into it instead of testing.
# Usage: pages.sh PROGRAM FOLDER [IMAGES]
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
runs=$(realpath "$2")
images=${3:+$(realpath "$3")}
cd "$(dirname "$0")/.."

export CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [ -z "$CHROMIUM" ]; then
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "the tests of the pages need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM to its path" >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
  CHROMIUM=$(command -v chromium)
fi

for scenario in single-wheel rover-drawbar-pull; do
  "$program" run "$scenario" --out "$runs/$scenario" --force --quiet
done

"$program" view "$runs/rover-drawbar-pull" 2>"$runs/view.log" &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
for _ in $(seq 100); do
  url=$(grep -o 'http://[0-9.:]*/[0-9a-f]*/' "$runs/view.log" || true)
  [ -n "$url" ] && break
  sleep 0.1
done
[ -n "$url" ] || { cat "$runs/view.log" >&2; exit 1; }

if [ -n "$images" ]; then
  node tests/browser/pictures.mjs "$runs/rover-drawbar-pull" "$url" "$images"
else
  RUNS_DIR=$runs TOUCHDOWN_VIEW_URL=$url npm run --silent browser
fi

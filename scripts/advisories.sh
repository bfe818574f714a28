#!/usr/bin/env bash
# Known vulnerabilities of the dependencies: crates (RustSec, by cargo-deny) and packages of the pages (npm audit). Fails if there is one.
# A database that cannot be reached is named, and what it holds stays unchecked.
# Usage: advisories.sh CARGO_DENY
set -euo pipefail
cd "$(dirname "$0")/.."
deny=$1
database=https://github.com/RustSec/advisory-db
report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0

unchecked() {
  echo "NOT CHECKED: advisories of the $1: $2" >&2
}

if ! GIT_TERMINAL_PROMPT=0 timeout 30 git ls-remote --quiet "$database" HEAD >/dev/null 2>&1; then
  unchecked crates "$database cannot be reached from here"
elif make --no-print-directory "$deny"; then
  "$deny" check advisories || status=1
else
  unchecked crates "cargo-deny cannot be installed"
fi

# A report has this key; an answer that the registry cannot give has an error instead. npm would wait for a silent one for a quarter of an hour.
audit() {
  (cd viewer && timeout 120 npm audit --package-lock-only --fetch-retries=0 --fetch-timeout=30000 "$@")
}
if ! command -v npm >/dev/null; then
  unchecked "npm packages" "npm is not installed"
elif audit --json >"$report" 2>/dev/null || grep -q '"auditReportVersion"' "$report"; then
  audit || status=1
else
  unchecked "npm packages" "the registry of npm does not answer"
fi
exit "$status"

#!/bin/sh
# Installs the Switchyard panel on Debian 12 or newer, or what is made from it, and makes it a node where a ticket is given.
# Nothing of a package is run before the list of packages has the signature of the key below, and the package the hash of the list.
#
#   sh install.sh [--from ADDRESS|FOLDER] [--enroll TICKET]
set -eu

public_key='@PUBLIC_KEY@'
from='@DOWNLOADS@'
ticket=

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

# Everything stands in functions and the last line calls them: a download that breaks off runs nothing.
main() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --from | --enroll)
        [ $# -ge 2 ] || fail "$1 needs a value"
        if [ "$1" = --from ]; then from=${2%/}; else ticket=$2; fi
        shift 2
        ;;
      *) fail "there is no option $1" ;;
    esac
  done
  [ "$(id -u)" = 0 ] || fail 'run it as root: … | sudo sh -s -- …'
  command -v dpkg >/dev/null || fail 'this is no Debian; the tarball runs elsewhere'
  [ -n "$from" ] || fail 'name the folder of packages, or where they are: --from'
  if ! is_installed; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    install_package
  fi
  if [ -n "$ticket" ]; then switchyard admin enroll "$ticket"; fi
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' switchyard 2>/dev/null)" = installed ]
}

install_package() {
  get SHA256SUMS
  get SHA256SUMS.minisig
  check_signature
  architecture=$(dpkg --print-architecture)
  file=$(newest "$architecture")
  [ -n "$file" ] || fail "there is no package for $architecture"
  get "$file"
  (cd "$work" && sha256sum --check --ignore-missing --strict --status SHA256SUMS) || fail "$file is not what the signed list says"
  # apt reads it as a user of its own.
  chmod 755 "$work"
  DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends "$work/$file"
}

# The highest version that the list names.
newest() {
  best=
  for name in $(sed -n "s/^[0-9a-f]\{64\} [ *]\(switchyard_[A-Za-z0-9.+~-]*_$1\.deb\)\$/\1/p" "$work/SHA256SUMS"); do
    version=${name#switchyard_}
    version=${version%_*}
    if [ -z "$best" ] || dpkg --compare-versions "$version" gt "$best"; then
      best=$version
      best_name=$name
    fi
  done
  [ -z "$best" ] || echo "$best_name"
}

get() {
  case "$from" in
    http://* | https://*)
      if command -v curl >/dev/null; then
        curl -fsSL --retry 3 -o "$work/$1" "$from/$1"
      elif command -v wget >/dev/null; then
        wget -q -O "$work/$1" "$from/$1"
      else
        fail 'curl or wget is needed: apt-get install curl'
      fi || fail "$from/$1 cannot be fetched"
      ;;
    *) cp -- "$from/$1" "$work/$1" || fail "$from/$1 cannot be read" ;;
  esac
}

# By minisign where it is there, else by what OpenSSL knows of the same signature.
check_signature() {
  if command -v minisign >/dev/null; then
    minisign -Vqm "$work/SHA256SUMS" -P "$public_key" >/dev/null || fail 'the list of packages is not signed with the right key'
    return
  fi
  # A package of Debian itself, which apt checks.
  command -v openssl >/dev/null || { apt-get update -q && apt-get install -yq --no-install-recommends openssl; } >/dev/null ||
    fail 'minisign or openssl is needed: apt-get install openssl'
  # Ed, the id of the key, and the key itself, behind the header of an Ed25519 key.
  printf '%s' "$public_key" | openssl base64 -d -A >"$work/key.raw"
  { printf '\060\052\060\005\006\003\053\145\160\003\041\000'; tail -c 32 "$work/key.raw"; } >"$work/key.der"
  sed -n 2p "$work/SHA256SUMS.minisig" | openssl base64 -d -A >"$work/signature.raw"
  head -c 10 "$work/signature.raw" | tail -c 8 >"$work/id.signature"
  head -c 10 "$work/key.raw" | tail -c 8 >"$work/id.key"
  cmp -s "$work/id.signature" "$work/id.key" || fail 'the list of packages is signed with another key'
  tail -c 64 "$work/signature.raw" >"$work/signature"
  case "$(head -c 2 "$work/signature.raw")" in
    ED) openssl dgst -blake2b512 -binary "$work/SHA256SUMS" >"$work/signed" ;;
    Ed) cp "$work/SHA256SUMS" "$work/signed" ;;
    *) fail 'the signature is none of minisign' ;;
  esac
  openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key.der" -rawin -in "$work/signed" -sigfile "$work/signature" >/dev/null 2>&1 ||
    fail 'the list of packages is not signed with the right key'
}

main "$@"

#!/bin/bash
# Installs what scripts/package made, each into a system of its own, runs the README's tour there, upgrades a database
# of 0.2, and removes it again. Makes the systems with debootstrap, so it needs root and Debian's registry.
#   tests/package/run.sh
# The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 1
out=$PWD/build/package
work=$PWD/build/package-work
roots=$work/roots
passed=0 failed=0

# check NAME COMMAND…: COMMAND succeeds. What it printed is shown if it does not.
check() {
  local name=$1 printed
  shift
  if printed=$("$@" 2>&1); then
    passed=$((passed + 1))
    echo "ok      $name"
  else
    failed=$((failed + 1))
    printf 'FAILED  %s\n%s\n' "$name" "$printed" | head -n 60
  fi
}
finish() {
  rm -rf "$roots/"*.used
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
  exit
}

[ "$(id -u)" = 0 ] || { echo "run.sh: debootstrap needs root" >&2; failed=1; finish; }
[ -f "$out/SHA256SUMS" ] || { echo "run.sh: run scripts/package first" >&2; failed=1; finish; }
version=$(sed -n 's/^project(hebb VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
tarball=$out/hebb-$version-linux-x86_64.tar.gz
unpacked=$work/unpacked
rm -rf "$unpacked"
mkdir -p "$unpacked" "$roots"

# --- the files themselves ---

sums_hold() {
  cd "$out" && sha256sum --check --strict SHA256SUMS && [ "$(wc -l <SHA256SUMS)" = "$(($(ls | wc -l) - 1))" ]
}
check "the sums are those of all files" sums_hold
check "lintian finds no error" lintian --allow-root --fail-on error "$out"/*.deb

tar xzf "$tarball" -C "$unpacked" --strip-components=1
# No symbol of a newer glibc, and no library but glibc's.
is_portable() {
  local newest needed
  newest=$(objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -V | tail -n 1)
  needed=$(objdump -p "$1" | sed -n 's/^ *NEEDED *//p' |
    grep -Ev '^(libc|libm|libdl|libpthread|ld-linux-x86-64)\.so\.[0-9]+$')
  echo "the newest symbol is of $newest; other libraries: $needed"
  [ "$(printf '%s\nGLIBC_2.31\n' "${newest:-none}" | sort -V | tail -n 1)" = GLIBC_2.31 ] && [ -z "$needed" ]
}
check "the program needs glibc 2.31 and nothing else" is_portable "$unpacked/bin/hebb"

check "the library needs glibc 2.31 and nothing else" is_portable "$unpacked/lib/libhebb.so.0"
exports_its_interface() { # No name of SQLite or another library, of which the process may have its own.
  nm -D --defined-only "$unpacked/lib/libhebb.so.0" | sed -n 's/.* [^A] \([^@]*\).*/\1/p' | sort >"$work/exported"
  sed -n 's/^[a-z].*[ *]\(hebb_[a-z]*\)(.*/\1/p' c/hebb.h | sort >"$work/declared"
  [ -s "$work/declared" ] && diff "$work/declared" "$work/exported"
}
check "the library exports the functions of hebb.h" exports_its_interface

# --- systems ---

# new_root SUITE: an empty Debian of that suite in $root. The first one of a suite is kept and copied.
new_root() {
  root=$roots/$1.used
  rm -rf "$root"
  if [ ! -f "$roots/$1/made" ]; then
    rm -rf "${roots:?}/$1"
    debootstrap --variant=minbase "$1" "$roots/$1" http://deb.debian.org/debian >"$work/debootstrap.log" 2>&1 ||
      { tail -n 5 "$work/debootstrap.log"; return 1; }
    touch "$roots/$1/made"
  fi
  cp -a "$roots/$1" "$root"
  mkdir -p "$root/home/ann/examples"
  cp -r examples/tour "$root/home/ann/examples/tour"
  cp tests/engine/databases/schema15.sqlite "$root/home/ann/old.db"
  cp "$out"/*.{deb,whl} "$tarball" "$root/home/ann"
  echo 'ann:x:1000:1000::/home/ann:/bin/bash' >>"$root/etc/passwd"
  chown -R 1000:1000 "$root/home/ann"
}
# as_root COMMAND and as_ann COMMAND run it in $root, in ann's folder, with processes of its own.
in_root() {
  unshare --mount --pid --fork sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" "$@"
}
as_root() {
  in_root env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -ec "cd /home/ann; $1"
}
as_ann() {
  in_root chroot --userspec=1000:1000 / env -i HOME=/home/ann PATH=/home/ann/.local/bin:/usr/bin:/bin sh -ec "cd; $1"
}

# The console blocks of the README: their commands print what stands below them.
awk '/^```console/ {on = 1; next} /^```/ {on = 0} on' README.md >"$work/tour.expected"
sed -n "s/^\\$ //p" "$work/tour.expected" | while IFS= read -r command; do
  printf "printf '%%s\\\\n' '$ %s'\n%s\n" "$(printf %s "$command" | sed "s/'/'\\\\''/g")" "$command"
done >"$work/tour.sh"
tour_is_true() {
  cp "$work/tour.sh" "$root/home/ann/tour.sh"
  as_ann 'sh tour.sh 2>&1' >"$work/tour.printed"
  diff "$work/tour.expected" "$work/tour.printed" && grep -q 'T-3 goes first' "$work/tour.printed"
}
says_version() {
  local said schema expected
  said=$(as_ann 'hebb --version')
  schema=$(ls sql/migrations | sed -n '$s/^0*\([0-9]*\)_.*/\1/p')
  expected="hebb $version ($(git rev-parse HEAD | cut -c1-8), schema $schema)"
  echo "it says $said, not $expected"
  [ "$said" = "$expected" ]
}
upgrades() {
  as_ann 'hebb --db old.db verify; hebb --db old.db done task-4; hebb --db old.db verify
    hebb --db old.db rank --format ids | grep task-'
}
check_program() { # WHERE
  check "$1: --version names version, commit and schema" says_version
  check "$1: the README's tour" tour_is_true
  check "$1: a database of 0.2 is upgraded" upgrades
  check "$1: the manual page and completions are there" has_texts
}
# Files that are not the user's, nor apt's and dpkg's own lists.
files_of() {
  find "$root" -xdev ! -type d ! -path "$root/home/*" ! -path "$root/var/cache/*" ! -path "$root/var/lib/apt/*" \
    ! -path "$root/var/lib/dpkg/*" ! -path "$root/var/log/*" ! -path "$root/proc/*" -printf '/%P\n' | sort
}

# A program in Python; no database stays.
python='
import hebb
with hebb.open(":memory:") as db:
    db.add("Fix the login", id="T-1")
    assert [task.id for task in db.rank()] == ["T-1"]
'

# --- Debian packages, on Debian 12 ---

if check "bookworm: debootstrap makes it" new_root bookworm && [ -d "$roots/bookworm.used" ]; then
  root=$roots/bookworm.used
  # The libraries that the packages depend on, lest they count as left.
  depends=$(for deb in "$out"/*.deb; do dpkg-deb -f "$deb" Depends; done |
    tr ',' '\n' | sed 's/(.*//; /hebb/d' | tr '\n' ' ')
  as_root "apt-get -qq update; apt-get -qq install -y --no-install-recommends $depends" >/dev/null 2>&1
  files_of >"$work/before"
  check "bookworm: apt installs the packages" as_root 'apt-get -qq install -y --no-install-recommends ./*.deb'
  has_texts() {
    ls "$root"/usr/share/{man/man1/hebb.1.gz,bash-completion/completions/hebb} \
      "$root"/usr/share/{zsh/vendor-completions/_hebb,fish/vendor_completions.d/hebb.fish,doc/hebb/copyright}
  }
  check_program bookworm
  # This machine's compiler builds: it would be most of what is installed.
  in_cxx() {
    g++ -std=c++20 examples/library/main.cc -o "$root/home/ann/example" -I"$root/usr/include/hebb" \
      -L"$root/usr/lib/x86_64-linux-gnu" -lhebb-cxx && as_ann ./example | grep '^1 task-3 1.000'
  }
  in_c() {
    cc -std=c99 examples/c/main.c -o "$root/home/ann/example" -I"$root/usr/include" \
      -L"$root/usr/lib/x86_64-linux-gnu" -lhebb && as_ann ./example | grep '"rank":1,"id":"task-2"'
  }
  check "bookworm: a program in C++ uses libhebb-cxx" in_cxx
  check "bookworm: a program in C uses libhebb" in_c
  rm -f "$root/home/ann/example"
  check "bookworm: Python uses python3-hebb" as_ann "PYTHONDONTWRITEBYTECODE=1 python3 -c '$python'"
  check "bookworm: apt removes the packages" \
    as_root 'apt-get -qq purge -y hebb libhebb0 libhebb-dev python3-hebb'
  files_of >"$work/after"
  check "bookworm: nothing is left but the user's files" diff "$work/before" "$work/after"
  check "bookworm: the user's files are left" test -s "$root/home/ann/tour.db" -a -s "$root/home/ann/old.db"
fi

# --- the tarball, on Debian 11 ---

if check "bullseye: debootstrap makes it" new_root bullseye && [ -d "$roots/bullseye.used" ]; then
  root=$roots/bullseye.used
  as_ann 'find . ! -type d | sort' >"$work/before"
  check "bullseye: the tarball is unpacked" as_ann \
    'mkdir .local && tar xzf hebb-*.tar.gz -C ~/.local --strip-components=1'
  has_texts() {
    ls "$root"/home/ann/.local/share/{man/man1/hebb.1,bash-completion/completions/hebb,doc/hebb/{LICENSE,README.md}}
  }
  check_program bullseye
  needs_openssl() { # Debian 11 has OpenSSL 1.1.
    as_ann 'hebb --db x.db node set a --type LABEL
      hebb --db x.db rank --near y --embedder openai:https://127.0.0.1:1 --model m' 2>&1 |
      grep 'TLS needs libssl.so.3, in Debian the package libssl3'
  }
  check "bullseye: without OpenSSL 3, https says what it needs" needs_openssl
  hides_files() { # cmake/old_glibc.c does there what newer systems do by themselves.
    as_ann 'exec 9</etc/passwd; hebb --db x.db add b
      hebb --db x.db done b --on-outcome "ls -l /proc/self/fd > fds"; cat fds; ! grep passwd fds; grep -q memfd fds'
  }
  check "bullseye: a hook does not inherit the files of hebb's caller" hides_files
  in_c() {
    cc -std=c99 --sysroot="$work/portable/glibc" -B"$work/portable/glibc/usr/lib/x86_64-linux-gnu" \
      examples/c/main.c -o "$root/home/ann/example" -isystem /usr/include -isystem /usr/include/x86_64-linux-gnu \
      -I"$root/home/ann/.local/include" -L"$root/home/ann/.local/lib" -lhebb -lm -lpthread -ldl &&
      as_ann 'LD_LIBRARY_PATH=.local/lib ./example' | grep '"rank":1,"id":"task-2"'
  }
  check "bullseye: a program in C uses libhebb" in_c
  as_root 'apt-get -qq update; apt-get -qq install -y --no-install-recommends python3-venv' >/dev/null 2>&1
  check "bullseye: Python 3.9 uses the wheels" as_ann "python3 -m venv v
    v/bin/pip -q install --no-index hebb_engine-*.whl && v/bin/python -c '$python'; rm -r v"
  rm -f "$root"/home/ann/{x.db,tour.db,tour.sh,fds,example}
  check "bullseye: the files of the tarball are removed" as_ann \
    'tar tzf hebb-*.tar.gz | cut -d/ -f2- | (cd .local && xargs rm)'
  as_ann 'find . ! -type d | sort' >"$work/after"
  check "bullseye: nothing is left" diff "$work/before" "$work/after"
fi

# --- in jobs of CI ---

in_ci() {
  (cd tests/ci && HEBB_PACKAGES=$out HEBB=$unpacked/bin/hebb HEBB_SOURCE=$PWD/../.. PYTHONDONTWRITEBYTECODE=1 \
    /usr/bin/python3 -m unittest test_"$1".OnGit"$2".test_first_run_then_likely_failures_first)
}
check "action.yml takes them" in_ci github Hub
check "ci/gitlab.yml takes them" in_ci gitlab Lab

# --- again ---

# All is made again from the commit. ccache may give the objects; they are linked and packed anew.
same_bytes() {
  cp "$out/SHA256SUMS" "$work/sums"
  scripts/package >/dev/null && diff "$work/sums" "$out/SHA256SUMS"
}
check "the same commit gives the same bytes" same_bytes

finish

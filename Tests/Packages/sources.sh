#!/usr/bin/env bash
# Prints the lines of apt for another release of Debian, from those of this machine: sources.sh deb|deb-src RELEASE
set -euo pipefail

own=$(. /etc/os-release && echo "$VERSION_CODENAME")
lines=$(apt-get indextargets --format '$(SITE) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' | grep -E " $own(-[a-z]+)? " | sort -u || true)
if [ -z "$lines" ]; then
    echo "apt knows no package lists of $own. Run: apt-get update" >&2
    exit 1
fi
sed "s/ $own/ $2/; s/^/$1 /" <<<"$lines"

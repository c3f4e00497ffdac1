#!/usr/bin/env bash
# Builds libassay twice from the files of this folder, in two folders whose paths differ in name and length, and compares the bytes.
# The builds go below .build-reproducible. The last check adds a byte, and the comparison must find it.
set -euo pipefail
cd "$(dirname "$0")/.."

folders=(.build-reproducible/one .build-reproducible/another/place)
files=(libassay.so.0 libassay.a)
passed=0
failed=0

# copy_source FOLDER: copies the files that git knows or would add.
copy_source() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
        [ ! -e "$file" ] || printf '%s\0' "$file"
    done | tar --null --files-from=- -cf - | tar -xf - -C "$1"
}

# judge TEXT STATUS: counts a check.
judge() {
    if (($2 == 0)); then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    echo "$([ "$2" = 0 ] && echo same || echo DIFFERENT): $1"
}

rm -rf .build-reproducible
for folder in "${folders[@]}"; do
    copy_source "$folder"
    (cd "$folder" && HTTP=no scripts/libassay.sh)
done
for file in "${files[@]}"; do
    one=${folders[0]}/.build-lib/assay/$file
    another=${folders[1]}/.build-lib/assay/$file
    status=0
    cmp "$one" "$another" || status=$?
    judge "$file, $(sha256sum <"$one" | cut -c 1-64)" $status
done

# Nothing names a folder of the build.
status=0
if grep -aqF "$PWD/${folders[0]}" "${folders[0]}/.build-lib/assay/libassay.so.0"; then status=1; fi
judge "no path of the build in libassay.so.0" $status

spoilt=.build-reproducible/spoilt
cp "${folders[0]}/.build-lib/assay/libassay.so.0" "$spoilt"
printf x >>"$spoilt"
status=1
cmp -s "$spoilt" "${folders[1]}/.build-lib/assay/libassay.so.0" || status=0
judge "another byte is found" $status

echo "$passed passed, $failed failed"
exit $((failed > 0))

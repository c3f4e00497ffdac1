#!/usr/bin/env bash
# Prints a folder with Debian's Lua module for nginx and its libraries, unpacked and not installed: they conflict with the package luajit, which
# Examples/LuaJIT needs. Downloads the packages if they are not there.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$PWD/.build/nginx-lua
if [ ! -e "$folder/complete" ]; then
    rm -rf "$folder"
    mkdir -p "$folder/packages"
    cd "$folder/packages"
    for package in libnginx-mod-http-lua libnginx-mod-http-ndk lua-resty-core lua-resty-lrucache libluajit2-5.1-2 libpcre3; do
        # Not every release has each of them.
        if apt-cache show "$package" >/dev/null 2>&1; then apt-get -o APT::Sandbox::User=root -qq download "$package" >&2; fi
    done
    for package in *.deb; do dpkg-deb --extract "$package" "$folder"; done
    [ -e "$folder/usr/lib/nginx/modules/ngx_http_lua_module.so" ]
    touch "$folder/complete"
fi
echo "$folder"

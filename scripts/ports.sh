# Source this file for ports of loopback.

# free_port: prints a port that nothing listens on. It is below the range of which the kernel takes ports for outgoing connections: a port
# of that range can be taken between its choice and its use.
free_port() {
    local port
    while port=$((10000 + (RANDOM << 15 | RANDOM) % 22000)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    echo "$port"
}

# listens PORT: waits until something listens there.
listens() {
    for _ in {1..600}; do
        if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return 0; fi
        sleep 0.1
    done
    return 1
}

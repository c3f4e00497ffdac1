import FuzzInput

/// Changes a YAML text line by line.
enum YAMLMutator {
    private static let words = [
        "providers:", "policies:", "routes:", "listeners:", "- name: a", "issuer: https://a.example", "issuer: http://a.example",
        "keys: {file: /etc/passwd}", "keys: {url: \"https://a.example/k\"}", "audiences: [a, b]", "anyAudience: true", "requires: a",
        "requires: {any: [a, allow-missing]}", "path: /a", "exact: /a/../b", "policy: a", "profile: nginx", "address: 127.0.0.1:0",
        "tokenFrom: [bearer, {cookie: c}]", "claims: [{header: x-a, claim: sub}]", "scopes: [read]", "&a", "*a", "!!str a", "? a", "|",
        ">-",
        "'", "\"", "# a", "{", "}", "[", "]", "~", "-1", "1e9", "999999999999999999999", "yes", "leewaySeconds: 60", "tokens: idToken",
        "tokens: accessToken", "secret-of-the-fuzzer", "transport: {timeoutSeconds: 5}", "connections: {maximum: 0}", "log: {level: info}",
        "storage: /tmp/a", "refresh: revocationFirst", "mode: dry-run", "shadow: b", "methods: [GET]", "hosts: [\"*.a.example\"]",
    ].map { Array($0.utf8) }

    static func mutate(_ input: [UInt8], _ chance: inout Chance) -> [UInt8] {
        var lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        let place = chance.number(below: lines.count), indent = lines[place].prefix { $0 == 0x20 }
        switch chance.number(below: 8) {
        case 0: lines.insert(indent + chance.one(of: words), at: place)
        case 1: lines.remove(at: place)
        case 2: lines.insert(lines[place], at: chance.number(below: lines.count))
        case 3: lines[place] = [0x20, 0x20] + lines[place]
        case 4: lines[place] = Array(lines[place].dropFirst(min(2, indent.count)))
        case 5: lines[place] = indent + chance.one(of: words)
        case 6: lines[place] += [0x20] + chance.one(of: words)
        default: return JSONMutator.bytes(input, 0..<input.count)
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }
}

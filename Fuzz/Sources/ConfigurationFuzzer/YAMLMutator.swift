import FuzzInput

/// Changes a YAML text line by line.
enum YAMLMutator {
    /// A text that no fault of the text's form may repeat.
    static let secret = "secret-of-the-fuzzer"

    private static let words = [
        "providers:", "policies:", "routes:", "listeners:", "- name: a", "issuer: https://a.example", "issuer: http://a.example",
        "keys: {file: a}", "keys: {url: \"https://a.example/k\"}", "failover: [{file: a}]", "audiences: [a, b]", "anyAudience: true",
        "requires: a", "requires: {any: [a, allow-missing]}", "requires: nothing", "path: /a", "exact: /a/../b", "policy: a",
        "profile: nginx", "profile: envoy-http", "profile: envoy-grpc", "tcp: 127.0.0.1:0", "unix: /run/a", "activation: a",
        "mode: \"0660\"", "owner: a", "pathPrefix: /a", "contextHeaders: {x-a: a}", "tokenFrom: [{authorization: Bearer}, {cookie: c}]",
        "tokenFrom: [{header: x-a, prefix: a}, {query: q}]", "claims: [{header: x-a, claim: sub}]", "path: [a, 1, \"1\"]",
        "arrays: json", "separator: \";\"", "payloadHeader: x-b", "forwardToken: false", "required: false", "scopes: [read]",
        "realm: a", "resourceMetadata: https://a.example/m", "mode: dry-run", "shadow: b",
        "resource: https://a.example/r", "resources: [{resource: \"https://a.example/r\", scopes: [read]}]", "acrValues: [a]",
        "maximumAuthenticationAgeSeconds: 60", "profile: resource-metadata",
        "signedMetadata: {keyFile: a, algorithm: ES256}", "browsers: {redirect: \"https://a.example/?a={url}\"}", "methods: [GET]",
        "hosts: [\"*.a.example\"]",
        "headers: {x-a: a}", "context: {a: b}", "leewaySeconds: 60", "maximumAgeSeconds: 60", "requiredClaims: [sub]",
        "algorithms: [ES256]", "tokens: id-token", "tokens: access-token", "refresh: revocation-first", "staleSeconds: 5", "storage: a",
        "administration: {tcp: \"127.0.0.1:0\"}", "paths: {allowParameters: true}", "fieldLimits: {valueBytes: 64}",
        "transport: {timeoutSeconds: 5}", "connections: {maximum: 1}", "tokenCache: {megabytes: 0}", "log: {level: info, access: none}",
        "revocations: a", "revocations:", "revocations: [{issuer: b, sub: a}]", "- {kid: a}", "- {issuer: a, issuedBefore: 1}", "&a", "*a",
        "!!str a", "? a", "|", ">-", "'",
        "\"", "# a", "{", "}", "[", "]", "~", "-1", "1e9", "999999999999999999999", "yes", "\"\\u001b[2J\"", "\"\\r\"", "%YAML 1.1", "---",
        "...", "\u{feff}", "\u{85}", secret, "realm: \"\(secret)",
    ].map { Array($0.utf8) }

    static func mutate(_ input: [UInt8], _ chance: inout Chance) -> [UInt8] {
        var lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        let place = chance.number(below: lines.count), indent = lines[place].prefix { $0 == 0x20 }
        switch chance.number(below: 9) {
        case 0: lines.insert(indent + chance.one(of: words), at: place)
        case 1: lines.remove(at: place)
        case 2: lines.insert(lines[place], at: chance.number(below: lines.count))
        case 3: lines[place] = [0x20, 0x20] + lines[place]
        case 4: lines[place] = Array(lines[place].dropFirst(min(2, indent.count)))
        case 5: lines[place] = indent + chance.one(of: words)
        case 6: lines[place] += [0x20] + chance.one(of: words)
        case 7: lines[place] = value(lines[place], &chance)
        default: return JSONMutator.bytes(input, 0..<input.count)
        }
        return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// The line with another word as the value of its setting.
    private static func value(_ line: [UInt8], _ chance: inout Chance) -> [UInt8] {
        let name = line.prefix { $0 != UInt8(ascii: ":") }, word = chance.one(of: words)
        return name + [UInt8(ascii: ":"), 0x20] + (word.split(separator: UInt8(ascii: ":"), maxSplits: 1).last ?? [])
    }
}

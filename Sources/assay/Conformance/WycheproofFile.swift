import JWTCore

/// A Wycheproof file of signatures or encrypted tokens (`testvectors_v1`), judged by the rules of JOSE: a case that RFC 7515 or RFC 7518 forbids must fail,
/// even if the file labels it valid.
struct WycheproofFile {
    private let path: String
    private let groups: [JSONTree]
    private let schema: String
    private let errata: WycheproofErrata

    /// Nil if the file has another format.
    init?(_ path: String, _ data: [UInt8]) {
        guard let object = try? JSONTree(parsing: data), let groups = object["testGroups"]?.elements, let schema = object["schema"]?.text
        else { return nil }
        self.path = path
        self.groups = groups
        self.schema = schema
        self.errata = WycheproofErrata(besides: path)
    }

    func run(_ report: inout ConformanceReport) {
        for group in groups {
            let tests = group["tests"]?.elements ?? []
            switch schema {
            case let name where name.hasPrefix("json_web_signature"):
                runTokens(tests, keys: group["public"] ?? group["private"], errata.jws, &report)
            case let name where name.hasPrefix("json_web_key"):
                runTokens(tests, keys: group["public"] ?? group["private"], errata.jwk, &report)
            case let name where name.hasPrefix("json_web_encryption"): WycheproofEncryption(group).run(path, &report)
            case let name where name.hasPrefix("mac_"): runTags(tests, group, &report)
            default: runSignatures(tests, group, &report)
            }
        }
    }

    // JWS and JWK

    private func runTokens(_ tests: [JSONTree], keys: JSONTree?, _ corrected: [Int64: String], _ report: inout ConformanceReport) {
        var policy = ClaimsPolicy()
        policy.algorithms = AlgorithmSet(SignatureAlgorithm.all)
        let keySet = keys.flatMap { try? KeySet(document: $0.json) }
        for test in tests {
            guard let token = test["jws"]?.text, let id = test["tcId"]?.integer, let label = test["result"]?.text else { continue }
            var got = "invalid_key"
            if let keySet {
                if let key = keySet.keys.first, keySet.keys.count == 1 { policy.algorithms = key.algorithms }
                got = Self.verdict(TokenVerifier(keys: keySet, policy: policy), token)
            }
            let expected = corrected[id] ?? label
            // This label is for a policy that Assay does not have (ROCA moduli): the signature is valid.
            report.note(path, "tcId \(id)", expected: expected == "policy" ? "valid" : expected, got: got)
        }
    }

    private static func verdict(_ verifier: TokenVerifier<KeySet>, _ token: String) -> String {
        do throws(VerificationError) {
            try verifier.withVerifiedPayload(token.utf8.span) { _, _ in }
            return "valid"
        } catch {
            return error.code.name
        }
    }

    // Signatures over bytes

    private func runSignatures(_ tests: [JSONTree], _ group: JSONTree, _ report: inout ConformanceReport) {
        guard let algorithm = WycheproofKeys.algorithm(group, path), algorithm.isAvailable else {
            report.skip(tests.count, because: WycheproofKeys.reasonOfSkip(group, path))
            return
        }
        let key = WycheproofKeys.key(group, algorithm)
        let isForeignSalt = group["sLen"]?.integer.map { $0 != Int64(algorithm.saltLength) } ?? false
        let cases = tests.map { (message: Hex.bytes($0["msg"]) ?? [], signature: Hex.bytes($0["sig"]) ?? []) }
        let together = key.map { SignatureEngine.verify(algorithm, key: $0, batch: cases) }
        for (place, test) in tests.enumerated() {
            let id = "tcId \(test["tcId"]?.integer.map(String.init) ?? "?")"
            guard let message = Hex.bytes(test["msg"]), let signature = Hex.bytes(test["sig"]) else { continue }
            var expected = test["result"]?.text == "valid" ? "valid" : "invalid"
            // RFC 7518 section 3.5: the salt is as long as the hash. Only one test of this group has that length.
            if isForeignSalt { expected = test["comment"]?.text == "s_len changed to \(algorithm.saltLength)" ? "valid" : "invalid" }
            // RFC 9964 does not use a context string.
            if !(test["ctx"]?.text ?? "").isEmpty { expected = "invalid" }
            let isGood = key.map { SignatureEngine.verify(algorithm, key: $0, message: message.span, signature: signature.span) } ?? false
            if let inLanes = together?[place], inLanes != isGood {
                report.note(path, "\(id), in lanes", expected: isGood ? "valid" : "invalid", got: inLanes ? "valid" : "invalid")
                continue
            }
            report.note(path, id, expected: expected, got: isGood ? "valid" : "invalid")
        }
    }

    private func runTags(_ tests: [JSONTree], _ group: JSONTree, _ report: inout ConformanceReport) {
        guard let algorithm = WycheproofKeys.hmac(path), let tagBits = group["tagSize"]?.integer, let keyBits = group["keySize"]?.integer
        else { return }
        // RFC 7518 section 3.2: no truncated tags, no key shorter than the hash.
        let isJOSE = tagBits == Int64(algorithm.hashBits) && keyBits >= Int64(algorithm.hashBits)
        for test in tests {
            guard let secret = Hex.bytes(test["key"]), let message = Hex.bytes(test["msg"]), let tag = Hex.bytes(test["tag"]) else {
                continue
            }
            let key = try? VerificationKey(secret: secret)
            let isGood = key.map { SignatureEngine.verify(algorithm, key: $0, message: message.span, signature: tag.span) } ?? false
            let expected = isJOSE && test["result"]?.text == "valid" ? "valid" : "invalid"
            report.note(
                path, "tcId \(test["tcId"]?.integer.map(String.init) ?? "?")", expected: expected, got: isGood ? "valid" : "invalid")
        }
    }
}

extension SignatureAlgorithm {
    fileprivate var hashBits: Int { Int(name.suffix(3)) ?? 0 }
    fileprivate var saltLength: Int { hashBits / 8 }
}

internal import DPoP
internal import JWTCore

/// Reads `dpop` of a provider.
enum ProofSettings {
    private static let names = ["tokens", "algorithms", "maximumAgeSeconds", "leewaySeconds", "origin", "nonces"]
    private static let nonceNames = ["periodSeconds", "secretFile", "earlierSecretFile"]

    /// - Parameters:
    ///   - provider: the section of the provider.
    ///   - name: its name, which its nonces are for.
    ///   - folder: paths of files count from it.
    static func read(_ provider: SettingsSection, name: String, folder: String) -> ProofTerms? {
        guard let section = provider.section("dpop", names: names) else { return nil }
        if !section.has("tokens") { section.fault("tokens", .missingSetting, "is missing: `bound` for bound tokens alone, or `any`") }
        var terms = ProofTerms(tokens: section.choice("tokens", ProofTerms.Tokens.self) ?? .bound)
        terms.policy.algorithms = algorithms(section) ?? terms.policy.algorithms
        terms.policy.maximumAge = section.seconds("maximumAgeSeconds", 1...3_600) ?? terms.policy.maximumAge
        terms.policy.leeway = section.seconds("leewaySeconds", 0...600) ?? terms.policy.leeway
        terms.origin = section.text("origin")
        if let nonces = section.section("nonces", names: nonceNames) { terms.policy.nonces = self.nonces(nonces, name, folder) }
        return terms
    }

    private static func algorithms(_ section: SettingsSection) -> AlgorithmSet? {
        guard let names = section.texts("algorithms") else { return nil }
        let known = SignatureAlgorithm.all.filter { !$0.isSymmetric }
        return AlgorithmSet(
            names.compactMap { name in
                if let algorithm = known.first(where: { $0.name == name }) { return algorithm }
                let question = Suggestion.question(name, in: known.map(\.name))
                section.fault("algorithms", .invalidValue, "`\(name.prefix(32))` is not an algorithm for public keys\(question)")
                return nil
            })
    }

    private static func nonces(_ section: SettingsSection, _ label: String, _ folder: String) -> ProofNonces? {
        let period = section.seconds("periodSeconds", 1...86_400) ?? .seconds(300)
        if section.has("earlierSecretFile"), !section.has("secretFile") {
            section.fault("earlierSecretFile", .conflict, "is of no use without `secretFile`")
        }
        guard section.has("secretFile") else { return .random(label: label, period: period) }
        let secrets = ["secretFile", "earlierSecretFile"].compactMap { secret(section, $0, folder) }
        return ProofNonces(secrets: secrets, label: label, period: period)
    }

    private static let mostSecretBytes = 4_096

    /// All bytes of the file count.
    private static func secret(_ section: SettingsSection, _ setting: String, _ folder: String) -> [UInt8]? {
        guard let text = section.text(setting) else { return nil }
        guard let bytes = DescriptorBytes.read(path: SettingsPath.path(text, in: folder), upTo: mostSecretBytes + 1) else {
            section.fault(setting, .invalidValue, "the file cannot be read")
            return nil
        }
        guard (ProofNonces.leastSecretBytes...mostSecretBytes).contains(bytes.count) else {
            section.fault(setting, .invalidValue, "the file has 32 to 4,096 random bytes, and not \(bytes.count)")
            return nil
        }
        return bytes
    }
}

internal import JWTCore

/// Reads `resources`.
struct ResourceSettings {
    private static let names = [
        "resource", "authorizationServers", "scopes", "keysURL", "displayName", "documentationURL", "policyURL", "termsURL",
        "authorizationDetailsTypes", "certificateBoundTokens", "signedMetadata",
    ]

    private let section: SettingsSection
    private let folder: String

    static func read(_ root: SettingsSection, folder: String) -> [ProtectedResource] {
        root.elements("resources").compactMap { node, path in
            guard let section = SettingsSection(node, path, names: names, root.faults), let identifier = section.requiredText("resource")
            else { return nil }
            return ResourceSettings(section: section, folder: folder).resource(identifier)
        }
    }

    /// The resources of the policies that require a provider, by the provider's name. A provider that a policy without a resource requires is
    /// not among them: of its tokens no resource is the only audience.
    static func ofProviders(_ root: SettingsSection) -> [String: [String]] {
        guard case .list(let policies) = root.node("policies")?.content else { return [:] }
        var resources: [String: [String]] = [:], others: Set<String> = []
        for case .section(let members) in policies.map(\.content) {
            let names = members.first { $0.name == "requires" }?.value.texts ?? []
            guard let resource = members.first(where: { $0.name == "resource" })?.value.text else {
                others.formUnion(names)
                continue
            }
            for name in names where !resources[name, default: []].contains(resource) { resources[name, default: []].append(resource) }
        }
        return resources.filter { !others.contains($0.key) }
    }

    private func resource(_ identifier: String) -> ProtectedResource {
        var resource = ProtectedResource(identifier)
        resource.authorizationServers = section.texts("authorizationServers")
        resource.scopes = section.texts("scopes")
        resource.keysURL = section.text("keysURL")
        resource.displayName = section.text("displayName")
        resource.documentationURL = section.text("documentationURL")
        resource.policyURL = section.text("policyURL")
        resource.termsURL = section.text("termsURL")
        resource.authorizationDetailsTypes = section.texts("authorizationDetailsTypes") ?? []
        resource.bindsCertificates = section.flag("certificateBoundTokens") ?? false
        resource.signature = signature
        return resource
    }

    private var signature: MetadataSignature? {
        guard let signed = section.section("signedMetadata", names: ["keyFile", "algorithm", "keyID", "issuer"]) else { return nil }
        guard let path = signed.requiredText("keyFile"), let algorithm = Self.algorithm(signed) else { return nil }
        let made = PrivateKeyFile.read(SettingsPath.path(path, in: folder)) { bytes in
            var document = Array(copying: bytes)
            defer { document.wipe() }
            let signature = MetadataSignature(
                privateKey: document, algorithm: algorithm, keyID: signed.text("keyID"), issuer: signed.text("issuer"))
            let fault = PrivateKeyFile.Fault(sentence: "is no private key for \(algorithm.name), in PEM or DER")
            return signature.map(Result.success) ?? .failure(fault)
        }
        switch made {
        case .success(let signature): return signature
        case .failure(let fault):
            signed.fault("keyFile", .invalidValue, "\(path): \(fault.sentence)")
            return nil
        }
    }

    private static func algorithm(_ section: SettingsSection) -> SignatureAlgorithm? {
        guard let name = section.requiredText("algorithm") else { return nil }
        let known = SignatureAlgorithm.all.filter { !$0.isSymmetric }
        if let algorithm = known.first(where: { $0.name == name }) { return algorithm }
        let question = Suggestion.question(name, in: known.map(\.name))
        section.fault("algorithm", .invalidValue, "`\(name.prefix(32))` is not an algorithm for public keys\(question)")
        return nil
    }
}

extension SettingsNode {
    /// All texts in it, at any depth.
    fileprivate var texts: [String] {
        switch content {
        case .nothing: []
        case .text(let text, _): [text]
        case .list(let elements): elements.flatMap(\.texts)
        case .section(let members): members.flatMap(\.value.texts)
        }
    }
}

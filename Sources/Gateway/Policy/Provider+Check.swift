internal import JWKSCache

extension Provider {
    /// Checks everything but its name.
    func check(_ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        guard issuers.allSatisfy({ !$0.issuer.isEmpty && $0.issuer.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f } }) else {
            throw ConfigurationFault(.invalidIssuer, path + [.member("issuer")])
        }
        guard !sources.isEmpty else { throw ConfigurationFault(.noSources, path + [.member("sources")]) }
        for (place, source) in sources.enumerated() {
            let path = path + [.member("sources"), .position(place)]
            if let code = source.fault { throw ConfigurationFault(code, path) }
            let isRepeated = sources[..<place].contains { TokenPlace($0).repeats(TokenPlace(source)) }
            guard !isRepeated else { throw ConfigurationFault(.repeatedSource, path) }
        }
        try checkStatusLists(path + [.member("statusLists"), .member("origins")])
        try checkIntrospection(path + [.member("introspection")])
        try checkProofs(path)
        try checkFields(path)
    }

    private func checkIntrospection(_ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        guard let introspection else { return }
        // Which issuer's endpoint to ask, an opaque token does not say.
        guard tenants.isEmpty else { throw ConfigurationFault(.introspectionOfTenants, path) }
        guard introspection.endpoint.map(IntrospectionTerms.isEndpoint) ?? true else {
            throw ConfigurationFault(.invalidEndpoint, path + [.member("endpoint")])
        }
        guard IntrospectionTerms.isClientID(introspection.clientID) else {
            throw ConfigurationFault(.invalidText, path + [.member("clientID")])
        }
    }

    private func checkProofs(_ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        guard let proofs else { return }
        try proofs.check(path + [.member("proofs")])
        let hasScheme = sources.contains { if case .authorization(let scheme) = $0 { TokenPlace.isProofScheme(scheme) } else { false } }
        guard hasScheme else { throw ConfigurationFault(.noProofSource, path + [.member("sources")]) }
    }

    private func checkStatusLists(_ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        guard let statusLists else { return }
        guard !statusLists.origins.isEmpty else { throw ConfigurationFault(.invalidOrigin, path) }
        for (place, origin) in statusLists.origins.enumerated() where !StatusListTerms.isOrigin(origin) {
            throw ConfigurationFault(.invalidOrigin, path + [.position(place)])
        }
    }

    private func checkFields(_ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        var names: Set<String> = []
        for (place, header) in claimHeaders.enumerated() {
            let path = path + [.member("claimHeaders"), .position(place)]
            try Self.checkField(header.name, &names, path + [.member("name")])
            guard header.path.isClaimPath else { throw ConfigurationFault(.emptyClaimPath, path + [.member("path")]) }
            guard header.hasSeparator else { throw ConfigurationFault(.invalidSeparator, path + [.member("arrays")]) }
        }
        if let payloadHeader { try Self.checkField(payloadHeader, &names, path + [.member("payloadHeader")]) }
    }

    private static func checkField(
        _ name: String, _ names: inout Set<String>, _ path: [ConfigurationFault.Step]
    ) throws(ConfigurationFault) {
        guard FieldNames.isPlain(name) else { throw ConfigurationFault(.invalidFieldName, path) }
        guard !FieldNames.isReserved(name.lowercased()) else { throw ConfigurationFault(.reservedFieldName, path) }
        guard names.insert(name.lowercased()).inserted else { throw ConfigurationFault(.repeatedFieldName, path) }
    }

    /// The fields that it sets, in lower case.
    var fieldNames: Set<String> { Set((claimHeaders.map(\.name) + (payloadHeader.map { [$0] } ?? [])).map { $0.lowercased() }) }
}

extension ClaimHeader {
    /// A separator that is part of a percent-encoding would make two readings of one value.
    fileprivate var hasSeparator: Bool {
        guard case .joined(let separator) = arrays else { return true }
        return (1...8).contains(separator.utf8.count)
            && separator.utf8.allSatisfy { $0.isPrintable && !$0.isLetter && !$0.isDigit && $0 != UInt8(ascii: "%") }
    }
}

extension TokenSource {
    fileprivate var fault: ConfigurationFault.Code? {
        switch self {
        case .authorization(let scheme): FieldNames.isToken(scheme) ? nil : .invalidScheme
        case .header(let name, let prefix):
            !FieldNames.isPlain(name)
                ? .invalidFieldName
                : FieldNames.isReserved(name.lowercased())
                    ? .reservedFieldName
                    : prefix.utf8.allSatisfy { $0.isPrintable && $0 != UInt8(ascii: ",") } && prefix.utf8.first != 0x20
                        ? nil : .invalidPrefix
        case .cookie(let name): FieldNames.isToken(name) ? nil : .invalidCookieName
        // It must be a name of RFC 6455, and no prefix of a whole one that a server may choose.
        case .webSocketProtocol(let prefix): FieldNames.isToken(prefix) && prefix.hasSuffix(".") ? nil : .invalidPrefix
        case .context(let name): (1...128).contains(name.utf8.count) && name.utf8.allSatisfy(\.isPrintable) ? nil : .invalidName
        case .query(let name): name.isEmpty || !name.utf8.allSatisfy(\.isPrintable) ? .invalidParameterName : nil
        }
    }
}

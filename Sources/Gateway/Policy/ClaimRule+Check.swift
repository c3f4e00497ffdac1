extension GatewayPolicy {
    private static let largestNumberOfRules = 64

    func checkClaimRules(_ path: [ConfigurationFault.Step]) throws(ConfigurationFault) {
        let path = path + [.member("claimRules")]
        guard claimRules.count <= Self.largestNumberOfRules else { throw ConfigurationFault(.ruleTooLarge, path) }
        guard claimRules.isEmpty || requirement.map({ !$0.admitsAnonymous }) ?? false else {
            throw ConfigurationFault(.ruleWithoutToken, path)
        }
        let providers = requirement?.providerNames ?? []
        for (place, rule) in claimRules.enumerated() {
            let path = path + [.position(place)]
            guard rule.path.isClaimPath else { throw ConfigurationFault(.emptyClaimPath, path + [.member("path")]) }
            guard rule.provider.map(providers.contains) ?? true else {
                throw ConfigurationFault(.ruleWithoutProvider, path + [.member("provider")])
            }
            if let code = rule.condition.fault { throw ConfigurationFault(code, path) }
        }
    }
}

extension ClaimRule.Condition {
    private static let largestNumberOfValues = 256
    /// A larger claim is no number here: see ``number(atLeast:atMost:)``.
    private static let largestNumber: UInt64 = 253_402_300_799

    /// What no claim, or each, would meet.
    fileprivate var fault: ConfigurationFault.Code? {
        switch self {
        case .anyOf(let values), .allOf(let values): Self.fault(of: values)
        case .prefix(let prefix): prefix.isEmpty ? .emptyRule : nil
        case .mailDomain(let domains): Self.fault(of: domains) ?? (domains.allSatisfy(Self.isDomain) ? nil : .invalidMailDomain)
        case .number(let least, let most): Self.fault(atLeast: least, atMost: most)
        case .equals, .present: nil
        }
    }

    private static func fault(of values: [String]) -> ConfigurationFault.Code? {
        values.isEmpty ? .emptyRule : values.count > largestNumberOfValues ? .ruleTooLarge : nil
    }

    private static func fault(atLeast least: Int64?, atMost most: Int64?) -> ConfigurationFault.Code? {
        let limits = [least, most].compactMap(\.self)
        let isRange = !limits.isEmpty && limits == limits.sorted() && limits.allSatisfy { $0.magnitude <= largestNumber }
        return isRange ? nil : .emptyRule
    }

    /// Labels of letters, digits and hyphens (RFC 1034 section 3.5); others are written in their A-label form (RFC 5890).
    private static func isDomain(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
        }
    }
}

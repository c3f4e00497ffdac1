internal import IDaaSWire

extension AreaCodeList {
    /// Reads a tenant's list and skips unreadable definitions.
    ///
    /// - Returns: nil for a value that is not an area code list.
    init?(_ value: WireValue) {
        guard let definitions = value[Member.phoneAreaCodeDefinitions.rawValue]?.elements else { return nil }
        self.init(definitions.compactMap { AreaCode($0) }, preferredCountry: value[Member.preferredAreaCode.rawValue]?.filled)
    }
}

extension AreaCode {
    fileprivate init?(_ value: WireValue) {
        let member = { (member: Member) in value[member.rawValue] }
        guard let code = member(.areaCode)?.filled, Self.isCode(code), let country = member(.countryCode)?.filled,
            let mobileRegex = member(.mobileRegex)?.text
        else { return nil }
        let names: [String: String] =
            if case .object(let names) = member(.displayMapping)?.unwrapped { names.compactMapValues(\.text) } else { [:] }
        self.init(
            code: code, country: country, names: names, mobileRegex: mobileRegex,
            suffixes: member(.areaCodeSuffixes)?.elements?.compactMap(\.text) ?? [])
    }
}

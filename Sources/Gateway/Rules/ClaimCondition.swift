internal import JWTCore

/// A rule about a claim, prepared for decisions. Nothing is copied or allocated to judge a claim.
final class ClaimCondition: Sendable {
    /// The positions in the policy of the providers whose tokens the rule is for.
    let providers: Positions
    private let path: ClaimPath
    private let test: Test

    private enum Test: Sendable {
        case anyOf([[UInt8]])
        case allOf([[UInt8]])
        case equals([UInt8])
        case prefix([UInt8])
        /// In lower case.
        case mailDomain([[UInt8]])
        case present
        case number(ClosedRange<NumericDate>)
    }

    /// - Parameters:
    ///   - rule: has been checked.
    ///   - names: the providers of the policy.
    init(_ rule: ClaimRule, providers names: [String]) {
        providers = Positions(names.indices.filter { rule.provider == nil || rule.provider == names[$0] })
        path = ClaimPath(rule.path)
        test =
            switch rule.condition {
            case .anyOf(let values): .anyOf(values.map { Array($0.utf8) })
            case .allOf(let values): .allOf(values.map { Array($0.utf8) })
            case .equals(let value): .equals(Array(value.utf8))
            case .prefix(let prefix): .prefix(Array(prefix.utf8))
            case .mailDomain(let domains): .mailDomain(domains.map { Array($0.lowercased().utf8) })
            case .present: .present
            case .number(let least, let most): .number(Self.range(atLeast: least, atMost: most))
            }
    }

    /// Numbers are compared as dates are: in any notation of JSON, exactly to nine decimals, and up to the largest date.
    private static func range(atLeast least: Int64?, atMost most: Int64?) -> ClosedRange<NumericDate> {
        NumericDate(seconds: least ?? .min)...NumericDate(seconds: most ?? .max)
    }

    func holds(in claims: borrowing Claims) -> Bool {
        guard let claim = path.claim(in: claims.value) else { return false }
        return isMet(by: claim)
    }

    private func isMet(by claim: borrowing JSONValue) -> Bool {
        switch test {
        case .anyOf(let values):
            for value in values where claim.has(value) { return true }
            return false
        case .allOf(let values):
            for value in values where !claim.has(value) { return false }
            return true
        case .equals(let value): return claim.isScalar(value)
        case .prefix(let prefix): return claim.begins(with: prefix)
        case .mailDomain(let domains): return claim.string?.isMailAddress(in: domains) ?? false
        case .present: return !claim.isNull
        case .number(let range):
            guard let number = claim.number, let value = NumericDate(number) else { return false }
            return range.contains(value)
        }
    }
}

extension JSONValue {
    fileprivate func has(_ text: [UInt8]) -> Bool {
        guard isArray else { return isScalar(text) }
        var isFound = false
        forEachElement { element in if element.isScalar(text) { isFound = true } }
        return isFound
    }

    /// Whether it is a string of this text, or a number or a boolean with this JSON.
    fileprivate func isScalar(_ text: [UInt8]) -> Bool {
        guard !isArray, !isObject, !isNull else { return false }
        if let string { return string.equals(text) }
        return raw.equals(text)
    }

    fileprivate func begins(with prefix: [UInt8]) -> Bool {
        guard isArray else { return string?.begins(with: prefix) ?? false }
        var isFound = false
        forEachElement { element in if element.string?.begins(with: prefix) ?? false { isFound = true } }
        return isFound
    }
}

extension JSONString {
    fileprivate func begins(with prefix: [UInt8]) -> Bool {
        let raw = raw, isEscaped = isEscaped
        var decoder = JSONStringDecoder()
        for byte in prefix {
            guard decoder.next(in: raw, isEscaped: isEscaped) == byte else { return false }
        }
        return true
    }

    fileprivate func isMailAddress(in domains: [[UInt8]]) -> Bool {
        for domain in domains where isMailAddress(in: domain) { return true }
        return false
    }

    /// Readers of an address with two `@` disagree about its domain, so it has none.
    private func isMailAddress(in domain: [UInt8]) -> Bool {
        let raw = raw, isEscaped = isEscaped
        var decoder = JSONStringDecoder(), localPart = 0, separators = 0, position = 0
        while let byte = decoder.next(in: raw, isEscaped: isEscaped) {
            if byte == UInt8(ascii: "@") {
                separators += 1
            } else if separators == 0 {
                localPart += 1
            } else {
                guard position < domain.count, byte.lowercased == domain[position] else { return false }
                position += 1
            }
        }
        return localPart > 0 && separators == 1 && position == domain.count
    }
}

internal import JWTCore

/// A rule about a claim, prepared for decisions. Nothing is copied or allocated to judge a claim.
final class ClaimCondition: Sendable {
    /// The positions in the policy of the providers whose tokens the rule is for.
    private let providers: Positions
    private let path: ClaimPath
    private let test: Test
    /// What the test compares with; domains in lower case.
    private let values: NameList

    /// It has no texts: they would be counted with each use of a case.
    private enum Test: Sendable {
        case anyOf
        case allOf
        case equals
        case prefix
        case mailDomain
        case present
        case number(ClosedRange<NumericDate>)
    }

    /// - Parameters:
    ///   - rule: has been checked.
    ///   - names: the providers of the policy.
    init(_ rule: ClaimRule, providers names: [String]) {
        providers = Positions(names.indices.filter { rule.provider == nil || rule.provider == names[$0] })
        path = ClaimPath(rule.path)
        let texts: [String]
        (test, texts) =
            switch rule.condition {
            case .anyOf(let values): (.anyOf, values)
            case .allOf(let values): (.allOf, values)
            case .equals(let value): (.equals, [value])
            case .prefix(let prefix): (.prefix, [prefix])
            case .mailDomain(let domains): (.mailDomain, domains.map { $0.lowercased() })
            case .present: (.present, [])
            case .number(let least, let most): (.number(Self.range(atLeast: least, atMost: most)), [])
            }
        values = NameList(texts)
    }

    /// Numbers are compared as dates are: in any notation of JSON, exactly to nine decimals, and up to the largest date.
    private static func range(atLeast least: Int64?, atMost most: Int64?) -> ClosedRange<NumericDate> {
        NumericDate(seconds: least ?? .min)...NumericDate(seconds: most ?? .max)
    }

    /// Whether the rule holds, or is not for tokens of this provider.
    func holds(in claims: borrowing Claims, of provider: Int) -> Bool {
        guard providers.contains(provider) else { return true }
        guard let claim = path.claim(in: claims.value) else { return false }
        return isMet(by: claim)
    }

    private func isMet(by claim: borrowing JSONValue) -> Bool {
        switch test {
        case .anyOf: return values.contains { claim.has($0) }
        case .allOf: return !values.contains { !claim.has($0) }
        case .equals: return values.contains { claim.isScalar($0) }
        case .prefix: return values.contains { claim.begins(with: $0) }
        case .mailDomain: return values.contains { claim.string?.isMailAddress(in: $0) ?? false }
        case .present: return !claim.isNull
        case .number(let range):
            guard let number = claim.number, let value = NumericDate(number) else { return false }
            return range.contains(value)
        }
    }
}

extension JSONValue {
    fileprivate func has(_ text: Span<UInt8>) -> Bool {
        guard isArray else { return isScalar(text) }
        var isFound = false
        forEachElement { element in if element.isScalar(text) { isFound = true } }
        return isFound
    }

    /// Whether it is a string of this text, or a number or a boolean with this JSON.
    fileprivate func isScalar(_ text: Span<UInt8>) -> Bool {
        guard !isArray, !isObject, !isNull else { return false }
        if let string { return string.equals(text) }
        return raw.equals(text)
    }

    fileprivate func begins(with prefix: Span<UInt8>) -> Bool {
        guard isArray else { return string?.begins(with: prefix) ?? false }
        var isFound = false
        forEachElement { element in if element.string?.begins(with: prefix) ?? false { isFound = true } }
        return isFound
    }
}

extension JSONString {
    fileprivate func begins(with prefix: Span<UInt8>) -> Bool {
        let raw = raw, isEscaped = isEscaped
        var decoder = JSONStringDecoder()
        for place in prefix.indices {
            guard decoder.next(in: raw, isEscaped: isEscaped) == prefix[place] else { return false }
        }
        return true
    }

    /// Readers of an address with two `@` disagree about its domain, so it has none.
    fileprivate func isMailAddress(in domain: Span<UInt8>) -> Bool {
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

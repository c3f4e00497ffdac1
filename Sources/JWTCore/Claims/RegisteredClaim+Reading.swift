extension RegisteredClaim {
    /// The claim with this name.
    init?(_ name: borrowing JSONString) {
        let claim = name.isEscaped ? Self.escaped(name) : Self.plain(name.raw, 0..<name.raw.count)
        guard let claim else { return nil }
        self = claim
    }

    /// The claim named by record `index` of `value`'s tape.
    @inline(__always)
    init?(nameAt index: Int, in value: borrowing JSONValue) {
        let node = value.tape[index]
        let claim = node.flag ? Self.escaped(value.memberName(index)) : Self.plain(value.text, node.range)
        guard let claim else { return nil }
        self = claim
    }

    private static func escaped(_ name: borrowing JSONString) -> Self? {
        var number: UInt8 = 0
        while let claim = Self(rawValue: number) {
            if name.equals(claim.literal) { return claim }
            number += 1
        }
        return nil
    }

    @inline(__always)
    private static func plain(_ text: Span<UInt8>, _ range: Range<Int>) -> Self? {
        if range.count == 3 { return threeLetters(text.threeBytes(at: range.lowerBound)) }
        guard range.count >= 5, range.count <= 9 else { return nil }
        return longer(text.extracting(range))
    }

    private static func longer(_ name: Span<UInt8>) -> Self? {
        switch name.count {
        case 5: name.equals("nonce") ? .nonce : nil
        case 6: name.equals("c_hash") ? .codeHash : nil
        case 7: name.equals("at_hash") ? .accessTokenHash : nil
        case 9: name.equals("auth_time") ? .authenticationTime : name.equals("client_id") ? .clientID : nil
        default: nil
        }
    }

    /// The ASCII letters as a big-endian number.
    @inline(__always)
    private static func threeLetters(_ letters: UInt32) -> Self? {
        switch letters {
        case 0x69_7373: .issuer  // iss
        case 0x73_7562: .subject  // sub
        case 0x61_7564: .audience  // aud
        case 0x65_7870: .expiration  // exp
        case 0x6e_6266: .notBefore  // nbf
        case 0x69_6174: .issuedAt  // iat
        case 0x6a_7469: .tokenID  // jti
        case 0x61_7a70: .authorizedParty  // azp
        case 0x61_6372: .contextClass  // acr
        case 0x61_6d72: .authenticationMethods  // amr
        case 0x73_6964: .sessionID  // sid
        default: nil
        }
    }

    /// Whether `value` has the type that the specification gives the claim.
    @inline(__always)
    func accepts(_ value: borrowing JSONValue) -> Bool {
        let node = value.node
        switch node.kind {
        case .string: return !Self.isOne(of: Self.notStrings, self)
        case .number: return Self.isOne(of: Self.dates, self) && (node.isShortDate(in: value.text) || value.isDate)
        case .array: return Self.isOne(of: Self.lists, self) && value.allElements { $0.kind == .string }
        default: return false
        }
    }

    @inline(__always)
    private static func isOne(of claims: UInt16, _ claim: Self) -> Bool { claims >> UInt16(claim.rawValue) & 1 != 0 }

    // One bit per claim, by number.
    private static let dates: UInt16 = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 9  // exp, nbf, iat, auth_time
    private static let lists: UInt16 = 1 << 2 | 1 << 11  // aud, amr
    private static let notStrings: UInt16 = dates | 1 << 11
}

extension JSONNode {
    /// Whether this number is an unsigned integer of at most eleven digits. Every such number is a valid date.
    @inline(__always)
    fileprivate func isShortDate(in text: Span<UInt8>) -> Bool {
        !flag && length <= 11 && text.byte(at: Int(start)) != UInt8(ascii: "-")
    }
}

extension JSONValue {
    /// The date at a record, if the number is short.
    @inline(__always)
    func shortDate(at index: Int) -> NumericDate? {
        let node = tape[index]
        guard node.kind == .number, node.isShortDate(in: text) else { return nil }
        return NumericDate(seconds: text.extracting(node.range).decimal)
    }

    /// The value as a date: a number within the year 9999.
    public var date: NumericDate? {
        guard let number else { return nil }
        return NumericDate(number)
    }

    fileprivate var isDate: Bool { number?.isDate ?? false }
}

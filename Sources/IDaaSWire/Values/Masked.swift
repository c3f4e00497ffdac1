internal import JWTCore

/// The replacements for numbers and secrets in logs and the audit trail.
package enum Masked {
    /// `+86-138****0000`: the area code, the first three digits and the last four. A number of 7 to 10 digits shows two at each end, a
    /// shorter number shows none.
    package static func mobile(_ mobile: String) -> String {
        let (areaCode, number) = parts(of: mobile)
        let prefix = areaCode.isEmpty ? "" : "+\(areaCode)-"
        guard number.count >= 7 else { return prefix + "****" }
        let isLong = number.count >= 11
        return "\(prefix)\(number.prefix(isLong ? 3 : 2))****\(number.suffix(isLong ? 4 : 2))"
    }

    /// The first eight hexadecimal digits of a token's SHA-256: they distinguish tokens and cannot be used as one.
    package static func token(_ token: String) -> String { Digest.sha256.bytes(of: token.utf8.span).prefix(4).hexadecimal }

    /// `text` with every run of seven or more digits masked.
    package static func numbers(in text: String) -> String {
        var out = ""
        var run = ""
        for character in text + "\u{0}" {
            if character.isASCII, character.isNumber {
                run.append(character)
                continue
            }
            out += run.count >= 7 ? mobile(run) : run
            run = ""
            if character != "\u{0}" { out.append(character) }
        }
        return out
    }

    private static func parts(of mobile: String) -> (areaCode: String, number: String) {
        let digits = mobile.filter { $0.isASCII && $0.isNumber }
        guard mobile.hasPrefix("+"), let hyphen = mobile.firstIndex(of: "-") else { return ("", digits) }
        let areaCode = mobile[..<hyphen].filter { $0.isASCII && $0.isNumber }
        guard areaCode.count <= 4 else { return ("", digits) }
        return (areaCode, String(digits.dropFirst(areaCode.count)))
    }
}

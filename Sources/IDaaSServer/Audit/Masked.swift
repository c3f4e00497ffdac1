#if IDaaS
internal import Secrets

/// What logs and the audit trail hold in place of a number or a secret (sentence 49).
package enum Masked {
    /// `+86-138****0000`: the country and the ends. Of what is too short to hide in, nothing.
    package static func mobile(_ mobile: String) -> String {
        let (country, number) = parts(of: mobile)
        guard number.count >= 7 else { return country.isEmpty ? "****" : "+\(country)-****" }
        let shown = number.count >= 11 ? 3 : 2
        let masked = "\(number.prefix(shown))****\(number.suffix(number.count >= 11 ? 4 : 2))"
        return country.isEmpty ? masked : "+\(country)-\(masked)"
    }

    /// The first eight hexadecimal digits of the SHA-256 of a token: enough to recognise it by, and nothing to use.
    package static func token(_ token: String) -> String {
        Digest256.of(Array(token.utf8)).prefix(4).hexadecimal
    }

    private static func parts(of mobile: String) -> (country: String, number: String) {
        let digits = mobile.filter { $0.isASCII && $0.isNumber }
        guard mobile.hasPrefix("+"), let hyphen = mobile.firstIndex(of: "-") else { return ("", digits) }
        let country = mobile[..<hyphen].filter { $0.isASCII && $0.isNumber }
        guard country.count <= 4 else { return ("", digits) }
        return (country, String(digits.dropFirst(country.count)))
    }

    /// `text` with every run of seven or more digits masked, however it is written: what a log line may quote of a request.
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
}
#endif

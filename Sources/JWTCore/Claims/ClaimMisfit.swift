/// Why the value of a registered claim has not the type that RFC 7519 section 4.1 gives it. For explanations.
struct ClaimMisfit {
    private let claim: RegisteredClaim
    private let kind: JSONNode.Kind
    /// Whole seconds of a number that is no date, as a number of the range of `Double`.
    private let seconds: Double?

    /// Nil if the value fits.
    init?(_ claim: RegisteredClaim, _ value: borrowing JSONValue) {
        guard !claim.accepts(value) else { return nil }
        self.claim = claim
        kind = value.node.kind
        seconds = kind == .number ? Double(String(decoding: Array(copying: value.raw), as: UTF8.self)) : nil
    }

    /// For example: `exp is a string; RFC 7519 wants a number`.
    func sentence(now: NumericDate) -> String {
        if let seconds, claim.isDate { return "\(claim.name) is \(Self.distance(seconds - Double(now.seconds)))" }
        return "\(claim.name) is \(word); RFC 7519 wants \(wanted)"
    }

    private var wanted: String {
        if claim.isDate { return "a number" }
        return switch claim {
        case .audience: "a string or an array of strings"
        case .authenticationMethods: "an array of strings"
        default: "a string"
        }
    }

    private var word: String {
        switch kind {
        case .string: "a string"
        case .number: "a number"
        case .object: "an object"
        // An array has the right type where its elements have it.
        case .array: wanted.utf8.holds("array") ? "an array of other values" : "an array"
        case .true, .false: "a boolean"
        case .null: "null"
        }
    }

    /// A date that is out of range is most often in another unit.
    private static func distance(_ seconds: Double) -> String {
        let year = 31_556_952.0, years = (seconds / year).rounded()
        guard years.magnitude < 1e15 else { return "out of range" }
        let text = Self.grouped(Int64(years.magnitude))
        guard years > 0 else { return "\(text) years ago, which is out of range" }
        let unit = years < 1e6 ? "milliseconds" : years < 1e9 ? "microseconds" : "nanoseconds"
        return "\(text) years ahead: \(unit)? RFC 7519 wants seconds"
    }

    private static func grouped(_ number: Int64) -> String {
        let digits = Array(String(number))
        return digits.indices.map { ($0 > 0 && (digits.count - $0) % 3 == 0 ? "," : "") + String(digits[$0]) }.joined()
    }
}

extension RegisteredClaim {
    /// Whether it is a NumericDate.
    fileprivate var isDate: Bool { [.expiration, .notBefore, .issuedAt, .authenticationTime].contains(self) }
}

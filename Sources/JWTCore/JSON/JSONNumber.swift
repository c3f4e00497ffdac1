/// A JSON number in its text. Its value is exact or absent: never rounded into range.
public struct JSONNumber: ~Escapable {
    /// The number as written.
    public let raw: Span<UInt8>
    /// Whether it has neither a fraction nor an exponent.
    public let isInteger: Bool

    @_lifetime(copy raw)
    init(_ raw: Span<UInt8>, isInteger: Bool) {
        self.raw = raw
        self.isInteger = isInteger
    }

    /// The value of an integer that fits; nil for anything else, including `1.0` and `1e2`.
    public var int64: Int64? {
        guard isInteger else { return nil }
        let isNegative = raw[0] == UInt8(ascii: "-")
        var value: Int64 = 0
        for index in (isNegative ? 1 : 0)..<raw.count {
            let digit = Int64(raw[index] - UInt8(ascii: "0"))
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }

    /// The nearest double; nil if that would be infinite.
    public var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The number as written, as a new `String`.
    public var text: String {
        var bytes: [UInt8] = []
        for index in 0..<raw.count { bytes.append(raw[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// How targets of requests are read where no decision is made.
package enum TargetReading {
    /// Whether `target`, path and query, has one reading by the strict rules. A `*` and an authority have no path.
    package static func isPlain(_ target: Span<UInt8>) -> Bool {
        guard TargetView(target, method: target.extracting(0..<0), PathRules()) != nil else { return false }
        return true
    }
}

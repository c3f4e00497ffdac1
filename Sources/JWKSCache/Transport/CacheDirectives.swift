/// The freshness that a response states (RFC 9111 section 4.2), before any policy clamps it. Never fails: unreadable fields count as
/// absent.
package struct CacheDirectives: Equatable, Sendable {
    /// The lifetime from the time when the origin made the response; nil if not given.
    package var lifetime: Duration?
    /// The time that the response spent in intermediate caches.
    package var age: Duration = .zero
    /// The origin's clock when the response was made, in seconds since 1970.
    package var date: Int64?
    /// For the next conditional request.
    package var entityTag: String?
    package var lastModified: String?

    package init() {}

    package init(_ response: ReceivedResponse) {
        date = response.field("Date").flatMap { HTTPDate($0)?.seconds }
        // Of several members the first counts (RFC 9111 section 5.1).
        age = response.field("Age")?.split(separator: ",").first.flatMap { Self.seconds(String($0)) } ?? .zero
        // The field `If-None-Match: *` would match every representation (RFC 9110 section 13.1.2).
        entityTag = response.field("ETag").flatMap(Self.visible).flatMap { $0 == "*" ? nil : $0 }
        lastModified = response.field("Last-Modified").flatMap(Self.visible).flatMap { Self.isStrong($0, date) ? $0 : nil }
        lifetime = response.field("Cache-Control").flatMap(Self.lifetime) ?? Self.expiry(response.field("Expires"), since: date)
    }

    /// Whether the document cannot have changed again in the second of its date (RFC 9110 section 8.8.2.2). What cannot be compared counts
    /// as strong.
    private static func isStrong(_ lastModified: String, _ date: Int64?) -> Bool {
        guard let date, let modified = HTTPDate(lastModified) else { return true }
        return modified.seconds < date
    }

    /// `Cache-Control` only. This is a private cache: `s-maxage` does not apply to it.
    private static func lifetime(_ field: String) -> Duration? {
        var shortest: Duration?
        for directive in field.split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1).map { trimmed($0) }
            switch parts.first?.lowercased() {
            case "no-store", "no-cache": shortest = .zero
            case "max-age":
                guard parts.count == 2, let age = seconds(String(unquoted(parts[1]))) else { continue }
                // If it is given twice, the stricter value applies.
                shortest = min(shortest ?? age, age)
            default: continue
            }
        }
        return shortest
    }

    /// `Expires` counts from the origin's `Date`; without a `Date` it is ignored. An invalid date has expired (RFC 9111 section 5.3).
    private static func expiry(_ field: String?, since date: Int64?) -> Duration? {
        guard let field else { return nil }
        guard let expiry = HTTPDate(field) else { return .zero }
        return date.map { .seconds(max(0, expiry.seconds - $0)) }
    }

    /// delta-seconds (RFC 9111 section 1.2.2): only digits; clamped to the largest number.
    private static func seconds(_ text: String) -> Duration? {
        let digits = trimmed(text[...])
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return .seconds(min(Int64(digits) ?? .max, 0x8000_0000))
    }

    package static func retryAfter(_ response: ReceivedResponse) -> Duration? {
        guard let field = response.field("Retry-After") else { return nil }
        if let seconds = seconds(field) { return seconds }
        guard let date = HTTPDate(field), let origin = response.field("Date").flatMap({ HTTPDate($0) }) else { return nil }
        return .seconds(max(0, date.seconds - origin.seconds))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.utf8.first, first == 0x20 || first == 0x09 { text = text.dropFirst() }
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
        return text
    }

    private static func unquoted(_ text: Substring) -> Substring {
        text.count >= 2 && text.first == "\"" && text.last == "\"" ? text.dropFirst().dropLast() : text
    }

    /// A field value that may be sent back: printable ASCII of limited length; otherwise nil.
    private static func visible(_ text: String) -> String? {
        let text = trimmed(text[...])
        return !text.isEmpty && text.utf8.count <= 256 && text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) ? String(text) : nil
    }
}

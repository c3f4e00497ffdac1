import Foundation
import JWKSCache

/// Header fields about caching, and their meaning, written independently from RFC 9111 and clarification M27.
struct CacheFields {
    var fields: [HeaderField] = []
    /// The origin's lifetime; nil if it states none readably.
    var lifetime: Duration?
    var age: Duration = .zero

    enum Kind: String, CaseIterable {
        case plain, short, zero, tenYears, absent, noStore, noCache, nan, negative, twice, spent, expires, expired, expiresUndated
    }

    /// - Parameter date: the origin's clock, in seconds since 1970.
    init(_ kind: Kind, date: Int64, isDated: Bool, _ random: inout SeededGenerator) {
        if isDated || kind == .expires || kind == .expired { fields.append(HeaderField("Date", Self.httpDate(date))) }
        switch kind {
        case .plain: say("public, max-age=300", .seconds(300))
        case .short: say("max-age=\"90\"", .seconds(90))
        case .zero: say("max-age=0, must-revalidate", .zero)
        case .tenYears: say("max-age=315360000", .seconds(315_360_000))
        case .absent: break
        case .noStore: say("no-store", .zero)
        case .noCache: say("private, no-cache, max-age=600", .zero)
        case .nan: say("max-age=NaN", nil)
        case .negative: say("max-age=-5", nil)
        case .twice: say("max-age=900, max-age=200", .seconds(200))
        case .spent:
            say("max-age=600", .seconds(600))
            setAge(random.chance(0.3) ? 900_000 : Int64.random(in: 0...900, using: &random))
        case .expires: expire(Self.httpDate(date + 1_200), .seconds(1_200))
        case .expired: expire("0", .zero)
        case .expiresUndated: expire(Self.httpDate(date + 1_200), isDated ? .seconds(1_200) : nil)
        }
    }

    private mutating func say(_ directives: String, _ meaning: Duration?) {
        fields.append(HeaderField("Cache-Control", directives))
        lifetime = meaning
    }

    private mutating func setAge(_ seconds: Int64) {
        fields.append(HeaderField("age", "\(seconds)"))
        age = .seconds(seconds)
    }

    private mutating func expire(_ text: String, _ meaning: Duration?) {
        fields.append(HeaderField("expires", text))
        lifetime = meaning
    }

    /// IMF-fixdate (RFC 9110 section 5.6.7), always of a Sunday.
    private static func httpDate(_ seconds: Int64) -> String {
        let parts = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601).split { "-TZ".contains($0) }
        return "Sun, \(parts[2]) \(months[(Int(parts[1]) ?? 1) - 1]) \(parts[0]) \(parts[3]) GMT"
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

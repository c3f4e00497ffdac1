import JWKSCache
import JWTCore

/// The ways in which a fetch fails: the rows of clarification M27 that reach the key cache.
enum Fault: String, CaseIterable {
    case refused, hang, drip, reset, tls, pin, name, address, tooLarge, redirect, malformed
    case internalError, unavailable, rateLimited, notFound, forbidden, unasked
    case html, errorObject, deep, oversize, tooManyKeys, badBody, byteOrderMark, truncated, repeatedMember, noKeys

    func answer(_ random: inout SeededGenerator) -> Answer {
        switch self {
        case .refused, .reset: .failure(.connection)
        case .hang, .drip: .failure(.timedOut)
        case .tls: .failure(.tls)
        case .pin: .failure(.pinMismatch)
        case .name: .failure(.unresolvedName)
        case .address: .failure(.forbiddenAddress)
        case .tooLarge: .failure(.tooLarge)
        case .redirect: .failure(.redirect)
        case .malformed: .failure(.malformed)
        case .internalError: .status(500)
        case .unavailable: Self.paused(503, &random)
        case .rateLimited: Self.paused(429, &random)
        case .notFound: .status(404)
        case .forbidden: .status(403)
        case .unasked: .status(304)
        case .html: .document("<!DOCTYPE html><title>Sign in</title>")
        case .errorObject: .document("{\"error\":\"temporarily_unavailable\"}")
        case .deep: .document(Self.depth)
        case .oversize: .document(Self.expanse)
        case .tooManyKeys: .document(Self.crowd)
        case .badBody:
            Answer(ReceivedResponse(status: 200, fields: [HeaderField("Cache-Control", "max-age=NaN")], body: Array("{\"keys\":NaN}".utf8)))
        case .byteOrderMark: .document("\u{feff}{\"keys\":[]}")
        case .truncated: .document("{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed")
        case .repeatedMember: .document("{\"keys\":[],\"keys\":[]}")
        case .noKeys: .document("{\"Keys\":[]}")
        }
    }

    /// The latency; nil if it lasts until the time-out.
    func latency(_ random: inout SeededGenerator) -> Duration? {
        switch self {
        case .hang: nil
        case .drip: random.duration(.seconds(5)...(.seconds(40)))
        default: random.duration(.milliseconds(1)...(.milliseconds(800)))
        }
    }

    private static let depth = "{\"keys\":" + String(repeating: "[", count: 5_000)
    private static let expanse = String(repeating: " ", count: KeySet.maximumBytes) + "{\"keys\":[]}"
    private static let crowd = "{\"keys\":[{}\(String(repeating: ",{}", count: KeySet.maximumKeys))]}"

    /// `Retry-After` of a source with problems, and its meaning in seconds.
    private static let pauses: [(field: String?, seconds: Int64?)] = [
        (nil, nil), ("1", 1), ("10", 10), (" 120 ", 120), ("86400", 86_400), ("soon", nil),
    ]

    private static func paused(_ status: Int, _ random: inout SeededGenerator) -> Answer {
        let (field, seconds) = pauses.randomElement(using: &random) ?? (nil, nil)
        let response = ReceivedResponse(status: status, fields: field.map { [HeaderField("Retry-After", $0)] } ?? [])
        return Answer(response, .nothing(retryAfter: seconds.map { .seconds($0) }))
    }
}

import JWKSCache
import JWTCore

/// The ways in which a fetch goes wrong: the rows of clarification M27 that reach the key cache as such.
enum Fault: String, CaseIterable {
    case refused, hang, drip, reset, tls, pin, name, address, tooLarge, redirect, malformed
    case internalError, unavailable, rateLimited, notFound, forbidden, unasked
    case html, errorObject, deep, oversize, tooManyKeys, badBody, byteOrderMark, truncated, repeatedMember, noKeys

    func answer(_ random: inout SeededGenerator) -> Answer {
        switch self {
        case .refused, .reset: failure(.connection)
        case .hang, .drip: failure(.timedOut)
        case .tls: failure(.tls)
        case .pin: failure(.pinMismatch)
        case .name: failure(.unresolvedName)
        case .address: failure(.forbiddenAddress)
        case .tooLarge: failure(.tooLarge)
        case .redirect: failure(.redirect)
        case .malformed: failure(.malformed)
        case .internalError: status(500)
        case .unavailable: status(503, RetryAfter.allCases.randomElement(using: &random))
        case .rateLimited: status(429, RetryAfter.allCases.randomElement(using: &random))
        case .notFound: status(404)
        case .forbidden: status(403)
        case .unasked: status(304)
        case .html: body(Array("<!DOCTYPE html><title>Sign in</title>".utf8))
        case .errorObject: body(Array("{\"error\":\"temporarily_unavailable\"}".utf8))
        case .deep: body(Self.depth)
        case .oversize: body(Self.expanse)
        case .tooManyKeys: body(Self.crowd)
        case .badBody: body(Array("{\"keys\":NaN}".utf8), [("Cache-Control", "max-age=NaN")])
        case .byteOrderMark: body(Array("\u{feff}{\"keys\":[]}".utf8))
        case .truncated: body(Array("{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed".utf8))
        case .repeatedMember: body(Array("{\"keys\":[],\"keys\":[]}".utf8))
        case .noKeys: body(Array("{\"Keys\":[]}".utf8))
        }
    }

    /// How long it takes; nil where it takes as long as somebody waits.
    func latency(_ random: inout SeededGenerator) -> Duration? {
        switch self {
        case .hang: nil
        case .drip: random.duration(.seconds(5)...(.seconds(40)))
        default: random.duration(.milliseconds(1)...(.milliseconds(800)))
        }
    }

    private func failure(_ reason: FetchFailure.Reason) -> Answer {
        Answer(response: .failure(FetchFailure(reason)), meaning: .nothing(retryAfter: nil))
    }

    private func status(_ status: Int, _ retryAfter: RetryAfter? = nil) -> Answer {
        let fields = retryAfter?.field.map { [("Retry-After", $0)] } ?? []
        let response = DocumentResponse(status: status, fields: fields)
        return Answer(response: .success(response), meaning: .nothing(retryAfter: retryAfter?.meaning))
    }

    private static let depth = Array("{\"keys\":".utf8) + Array(repeating: UInt8(ascii: "["), count: 5_000)
    private static let expanse = Array(repeating: UInt8(ascii: " "), count: KeySet.maximumBytes) + Array("{\"keys\":[]}".utf8)
    private static let crowd = Array("{\"keys\":[{}\(String(repeating: ",{}", count: KeySet.maximumKeys))]}".utf8)

    private func body(_ text: [UInt8], _ fields: [(name: String, value: String)] = []) -> Answer {
        let response = DocumentResponse(status: 200, fields: fields, body: text)
        return Answer(response: .success(response), meaning: .nothing(retryAfter: nil))
    }
}

/// What a source in trouble asks for.
private enum RetryAfter: CaseIterable {
    case absent, one, ten, twoMinutes, day, words

    var field: String? {
        switch self {
        case .absent: nil
        case .one: "1"
        case .ten: "10"
        case .twoMinutes: " 120 "
        case .day: "86400"
        case .words: "soon"
        }
    }

    var meaning: Duration? {
        switch self {
        case .absent, .words: nil
        case .one: .seconds(1)
        case .ten: .seconds(10)
        case .twoMinutes: .seconds(120)
        case .day: .seconds(86_400)
        }
    }
}

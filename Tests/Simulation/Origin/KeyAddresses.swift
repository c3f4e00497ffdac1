import JWKSCache

/// The addresses of an issuer's keys in its metadata: the keys move, and the old address may answer anything.
struct KeyAddresses {
    static let issuer = "https://idp.example"
    private(set) var moves: [Move] = []
    /// Which of the two addresses has the metadata.
    private let metadataPlace: Int

    struct Move {
        let at: Duration
        /// The responses of the old address from then on.
        let left: Left
    }

    enum Left: String, CaseIterable {
        case notFound, forbidden, gone, broken, redirect, refused, noName, untrusted, page, empty
        /// The keys at the time of the move, for ever.
        case stale

        /// Nil if it has keys.
        func answer() -> Answer? {
            switch self {
            case .notFound: .status(404)
            case .forbidden: .status(403)
            case .gone: .status(410)
            case .broken: .status(502)
            case .redirect: .failure(.redirect)
            case .refused: .failure(.connection)
            case .noName: .failure(.unresolvedName)
            case .untrusted: .failure(.tls)
            case .page: .document("<!DOCTYPE html><title>Moved</title>")
            case .empty: .document("{\"keys\":[]}", .set(keys: [], serial: nil, hint: nil, .init(age: .zero)))
            case .stale: nil
            }
        }
    }

    /// One address, for ever.
    init() { metadataPlace = 0 }

    init(length: Duration, _ random: inout SeededGenerator) {
        metadataPlace = random.chance(0.7) ? 0 : 1
        let times = (0..<Int.random(in: 0...3, using: &random)).map { _ in random.duration(.zero...length) }.sorted()
        moves = times.map { Move(at: $0, left: Left.allCases.randomElement(using: &random) ?? .gone) }
    }

    func url(at moment: Duration) -> String { Self.url(moves.count { $0.at <= moment }) }

    /// The move of the keys away from `url`, if it was before `moment`.
    func departure(from url: String, by moment: Duration) -> Move? {
        moves.indices.first { Self.url($0) == url }.map { moves[$0] }.flatMap { $0.at <= moment ? $0 : nil }
    }

    /// How long an address that the keys have left may have answered with old keys.
    func staleness(at moment: Duration) -> Duration {
        moves.first { $0.left == .stale && $0.at <= moment }.map { moment - $0.at } ?? .zero
    }

    /// The metadata, if it is at this address.
    func metadata(at address: String, _ moment: Duration) -> Answer? {
        guard IssuerMetadata.addresses(of: Self.issuer)?[metadataPlace] == address else { return nil }
        return .document("{\"issuer\":\"\(Self.issuer)\",\"jwks_uri\":\"\(url(at: moment))\"}")
    }

    private static func url(_ number: Int) -> String { "\(issuer)/keys/\(number)" }
}

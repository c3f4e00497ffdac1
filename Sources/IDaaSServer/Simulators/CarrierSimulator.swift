internal import IDaaSWire
internal import Secrets

/// The carriers' gateways and Aliyun's `GetMobile`: tokens that work once, for 120 s (China Mobile), 600 s (Telecom) or 1,800 s (Unicom).
actor CarrierSimulator {
    /// The AccessKeySecret of every simulated account.
    static let secret = "simulated-access-key-secret"
    /// The account that may exchange the tokens of every application. `simulated.BUNDLE` may exchange those of one bundle id.
    static let account = "simulated"

    private struct Token {
        let mobile: String
        let bundleID: String
        let expires: Timestamp
        var isUsed = false
    }

    private let clock: any ServerClock
    private let randomness: Randomness
    private var tokens: [String: Token] = [:]
    private var nonces: Set<String> = []

    init(clock: any ServerClock, randomness: Randomness) {
        self.clock = clock
        self.randomness = randomness
    }

    static func lifetime(of carrier: Carrier) -> Duration {
        switch carrier {
        case .mobile: .seconds(120)
        case .telecom: .seconds(600)
        case .unicom: .seconds(1_800)
        }
    }

    /// A login token for the phone's number.
    func token(for mobile: String, bundleID: String, _ carrier: Carrier) -> (token: String, lifetime: Duration) {
        let (now, lifetime) = (clock.now, Self.lifetime(of: carrier))
        tokens = tokens.filter { now < $0.value.expires + .seconds(3_600) }
        let token = randomness.token(characters: 64, alphabet: .base62)
        tokens[token] = Token(mobile: mobile, bundleID: bundleID, expires: now + lifetime)
        return (token, lifetime)
    }

    /// `GetMobile`, after the signature.
    func mobile(of accessToken: String, for accessKeyID: String) -> JSON {
        guard var known = tokens[accessToken], Self.account(accessKeyID, serves: known.bundleID), clock.now < known.expires, !known.isUsed
        else { return Self.error("104201", "the token is dead") }
        known.isUsed = true
        tokens[accessToken] = known
        return [
            "Code": "OK", "Message": "OK", "RequestId": .string(randomness.token(characters: 32, alphabet: .hexadecimal)),
            "GetMobileResultDTO": .object([("Mobile", .string(known.mobile))]),
        ]
    }

    /// Whether a signature's nonce is new.
    func admits(nonce: String) -> Bool { nonces.insert(nonce).inserted }

    static func error(_ code: String, _ text: String) -> JSON {
        ["Code": .string(code), "Message": .string(text), "RequestId": "0"]
    }

    private static func account(_ accessKeyID: String, serves bundleID: String) -> Bool {
        accessKeyID == account || accessKeyID == "\(account).\(bundleID)"
    }
}

internal import Secrets

/// The device's identity: 128 random bits, made once and stored beside the session. It contains nothing about the hardware. Codes and
/// sessions are bound to it (`X-device-fingerprint`), so a logout keeps it.
public actor DeviceIdentity {
    private let store: any SessionStore
    private let randomness: Randomness
    private var known: String?

    init(_ store: any SessionStore, _ randomness: Randomness) {
        self.store = store
        self.randomness = randomness
    }

    /// The identity in hexadecimal. The first call makes and stores it.
    public func fingerprint() async throws(FlowError) -> String {
        if let known { return known }
        let made = randomness.token(characters: 32, alphabet: .hexadecimal)
        var fingerprint = try await store.contents().device
        if fingerprint == nil {
            // Another process may have made an identity in the meantime: the stored one is used.
            fingerprint = try await store.exclusively { contents in
                contents.device = contents.device ?? made
                return contents.device
            }
        }
        known = fingerprint
        return fingerprint ?? made
    }
}

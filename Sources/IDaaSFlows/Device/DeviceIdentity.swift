internal import Secrets

/// Which device this is: 128 random bits, made once and kept beside the session. Nothing of the hardware is in it, and logging out keeps
/// it: codes and sessions are bound to it (`X-device-fingerprint`).
public actor DeviceIdentity {
    private let store: any SessionStore
    private let randomness: Randomness
    private var known: String?

    init(_ store: any SessionStore, _ randomness: Randomness) {
        self.store = store
        self.randomness = randomness
    }

    /// The identity in hexadecimal; made and stored if there is none.
    public func fingerprint() async throws(FlowError) -> String {
        if let known { return known }
        let made = Hexadecimal.text(randomness.bytes(16))
        var fingerprint = try await store.contents().device
        if fingerprint == nil {
            // Another process may have made one meanwhile: the store decides.
            fingerprint = try await store.exclusively { contents in
                contents.device = contents.device ?? made
                return contents.device
            }
        }
        known = fingerprint
        return fingerprint ?? made
    }
}

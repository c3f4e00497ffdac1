/// Takes the place of a provider that this process does not call, as in an administration command.
struct AbsentUpstream: WeChatAuthorization, CarrierNumbers, SignalReceiver, ClientDocuments {
    func identity(of code: String, for account: WeChatAccount) async throws(UpstreamFailure) -> WeChatIdentity { throw Self.failure }

    func number(of accessToken: String, for account: CarrierAccount) async throws(UpstreamFailure) -> String { throw Self.failure }

    func take(_ token: String, at url: String, secret: String?) async -> SignalReceipt { .failed("absent") }

    func document(at url: String) async throws(UpstreamFailure) -> (text: [UInt8], lifetime: Duration) { throw Self.failure }

    private static let failure = UpstreamFailure(.unavailable, "absent", neverArrived: true)
}

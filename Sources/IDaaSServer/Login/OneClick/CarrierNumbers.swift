/// Exchanges a carrier's login token for the number of the phone that got it.
package protocol CarrierNumbers: Sendable {
    /// - Returns: the number as the provider writes it, without an area code.
    func number(of accessToken: String, for account: CarrierAccount) async throws(UpstreamFailure) -> String
}

/// The account that exchanges tokens, opened for one call.
package struct CarrierAccount: Sendable, CustomStringConvertible {
    package let accessKeyID: String
    package let accessKeySecret: String

    package var description: String { accessKeyID }
}

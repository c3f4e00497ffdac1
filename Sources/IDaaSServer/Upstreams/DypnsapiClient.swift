internal import HTTPEdge
package import HTTPGuard
internal import IDaaSWire
internal import JWKSCache
internal import JWTCore
package import Secrets

/// Aliyun's number service (Dypnsapi 2017-05-25): `GetMobile`, signed.
package struct DypnsapiClient: CarrierNumbers {
    private let client: GuardedClient
    private let endpoint: String
    /// The signed `Host` field.
    private let authority: String
    private let clock: any ServerClock
    private let randomness: Randomness

    static let version = "2017-05-25"
    static let action = "GetMobile"

    /// - Parameter endpoint: `https://dypnsapi.aliyuncs.com`, or a simulator.
    package init(endpoint: String, client: GuardedClient, clock: any ServerClock, randomness: Randomness) {
        let origin = (try? Origin(endpoint))?.description ?? ""
        self.endpoint = endpoint == origin ? endpoint + "/" : endpoint
        authority = String(origin.trimmingPrefix(/https?:\/\//))
        self.client = client
        self.clock = clock
        self.randomness = randomness
    }

    package func number(of accessToken: String, for account: CarrierAccount) async throws(UpstreamFailure) -> String {
        let response: ReceivedResponse
        do {
            response = try await client.send(request(accessToken, account))
        } catch {
            throw UpstreamFailure(.unavailable, error.reason.rawValue, neverArrived: error.neverArrived)
        }
        guard let document = try? ParsedJSON(response.body), document.root.isObject,
            let code = document.root.string("Code")
        else { throw UpstreamFailure(.unavailable, "status_\(response.status)") }
        guard code == "OK" else {
            throw UpstreamFailure(Self.codesOfTokens.contains(code) ? .refusedSecret : .unavailable, String(code.prefix(64)))
        }
        guard let number = document.root.value(at: "GetMobileResultDTO", "Mobile")?.string?.string, !number.isEmpty else {
            throw UpstreamFailure(.unavailable, "no_mobile")
        }
        return number
    }

    private func request(_ accessToken: String, _ account: CarrierAccount) -> OutgoingRequest {
        let fields = [
            "host": authority, "x-acs-action": Self.action, "x-acs-version": Self.version,
            "x-acs-date": Self.date(clock.now), "x-acs-signature-nonce": randomness.bytes(16).hexadecimal,
            "x-acs-content-sha256": Digest256.of([]).hexadecimal,
        ]
        // The path of a simulator is not part of the interface.
        let call = AliyunSignature.Call(query: ["AccessToken": accessToken], fields: fields)
        let signature = AliyunSignature(accessKeyID: account.accessKeyID, secret: account.accessKeySecret)
        var sent = fields.filter { $0.key != "host" }.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) }
        sent.append(HeaderField("Authorization", signature.authorization(of: call)))
        return OutgoingRequest("POST", url: "\(endpoint)?\(call.queryText)", fields: sent)
    }

    /// ISO 8601 in UTC, without fractions.
    private static func date(_ instant: Timestamp) -> String { ISOTime.text(instant).prefix(19) + "Z" }

    /// An invalid, used or expired token: the vendor's codes, and those of the carriers that it passes on.
    private static let codesOfTokens: Set<String> = [
        "isv.INVALID_PARAMETERS", "InvalidParameters", "103902", "104201",
    ]
}

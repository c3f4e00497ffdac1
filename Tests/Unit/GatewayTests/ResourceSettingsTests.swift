import Foundation
import Gateway
import JWKSCache
import JWTCore
import JWTSigning
import Testing

/// The settings `resources`, and those of policies that belong to them.
struct ResourceSettingsTests {
    private static let orders = "https://api.example/orders"

    private static func settings(
        _ resources: String = #"[{"resource":"https://api.example/orders"}]"#, provider: String = "", policy: String = "",
        others: String = "", folder: String = "."
    ) throws -> GatewaySettings {
        let json =
            #"{"providers":[{"name":"idp","issuer":"https://idp.example"\#(provider)}],"resources":\#(resources),"#
            + #""policies":[{"name":"orders","requires":{"any":["idp"]},"resource":"https://api.example/orders"\#(policy)}\#(others)],"#
            + #""routes":[{"path":"/orders","policy":"orders"}]}"#
        let bytes = Array(json.utf8)
        return try GatewaySettings(json: bytes.span, folder: folder)
    }

    private static func faults(_ body: () throws -> GatewaySettings) -> [String] {
        do {
            return try body().warnings.map(\.description)
        } catch let failure as SettingsFailure {
            return failure.faults.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test
    func theResourceIsTheAudienceUnlessTheSettingsNameOne() throws {
        #expect(try Self.settings().configuration.providers[0].issuer.policy.audiences == [Self.orders])
        let named = try Self.settings(provider: #","audiences":["api","https://api.example/orders"]"#)
        #expect(named.configuration.providers[0].issuer.policy.audiences == ["api", Self.orders])
        let accessTokens = try Self.settings(provider: #","tokens":"access-token""#)
        #expect(accessTokens.configuration.providers[0].issuer.policy.audiences == [Self.orders])
        let two = try Self.settings(
            #"[{"resource":"https://api.example/orders"},{"resource":"https://api.example/users"}]"#,
            others: #",{"name":"users","requires":"idp","resource":"https://api.example/users"}"#)
        #expect(two.configuration.providers[0].issuer.policy.audiences == [Self.orders, "https://api.example/users"])
        #expect(try Self.settings(provider: #","anyAudience":true"#).configuration.providers[0].issuer.policy.audiences == [])
    }

    @Test
    func whatIsWrittenIsRead() throws {
        let resource = try #require(
            try Self.settings(
                #"[{"resource":"https://api.example/orders","authorizationServers":["https://login.example"],"scopes":["a"],"#
                    + #""keysURL":"https://api.example/k","displayName":"Orders","documentationURL":"https://d.example/d","#
                    + #""policyURL":"https://d.example/p","termsURL":"https://d.example/t","authorizationDetailsTypes":["pay"],"#
                    + #""certificateBoundTokens":true}]"#,
                policy: #","acrValues":["mfa"],"maximumAuthenticationAgeSeconds":300"#
            ).configuration.resources.first)
        #expect(resource.authorizationServers == ["https://login.example"] && resource.scopes == ["a"])
        #expect(resource.keysURL == "https://api.example/k" && resource.displayName == "Orders" && resource.bindsCertificates)
        #expect(resource.documentationURL == "https://d.example/d" && resource.policyURL == "https://d.example/p")
        #expect(resource.termsURL == "https://d.example/t" && resource.authorizationDetailsTypes == ["pay"])
        let policy = try Self.settings(policy: #","acrValues":["mfa"],"maximumAuthenticationAgeSeconds":300"#).configuration.policies[0]
        #expect(policy.contextClasses == ["mfa"] && policy.maximumAuthenticationAge == .seconds(300))
    }

    @Test
    func faultsNameTheSetting() {
        let unnamed = #",{"name":"other","requires":"idp"}"#
        for (faults, expected) in [
            (Self.faults { try Self.settings("[]") }, "`policies[1].resource`: no resource has this identifier"),
            (
                Self.faults { try Self.settings(provider: #","audiences":["api"]"#) },
                "`providers[1].audiences`: a policy with a resource needs this provider, whose audiences lack the resource's identifier"
            ),
            (
                Self.faults { try Self.settings(others: unnamed) },
                "`providers[1].audiences`: is missing; a token for another service would be accepted (`anyAudience`)"
            ),
            (
                Self.faults { try Self.settings(#"[{"resource":"https://api.example/orders","display":"x"}]"#) },
                "`resources[1].display`: no such setting"
            ),
            (Self.faults { try Self.settings(#"[{"displayName":"x"}]"#) }, "`resources[1].resource`: is missing"),
            (
                Self.faults { try Self.settings(policy: #","acrValues":["a b"]"#) },
                "`policies[1].acrValues`: an age is from a second to ten years; at most 16 values of acr, without blanks, quotes and backslashes"
            ),
            (
                Self.faults {
                    try Self.settings(#"[{"resource":"https://api.example/orders"},{"resource":"https://api.example/spare"}]"#)
                }, "`resources[2]`: no policy has the resource https://api.example/spare"
            ),
        ] {
            #expect(faults.contains { $0.contains(expected) }, "\(faults)")
        }
    }

    @Test
    func aKeyOfTheOperatorSigns() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "assay-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = folder.appending(path: "key.der"), document = try #require(SigningKey.generate(.es256)?.privateDocument)
        try Data(document).write(to: key)
        func settings(_ algorithm: String, mode: Int = 0o600) throws -> GatewaySettings {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key.path)
            return try Self.settings(
                #"[{"resource":"https://api.example/orders","signedMetadata":{"keyFile":"key.der","algorithm":"\#(algorithm)"}}]"#,
                folder: folder.path)
        }
        #expect(try settings("ES256").configuration.resources[0].signature != nil)
        #expect(Self.faults { try settings("RS256") }.contains { $0.contains("key.der: is no private key for RS256, in PEM or DER") })
        #expect(Self.faults { try settings("HS256") }.contains { $0.contains("is not an algorithm for public keys") })
        #expect(Self.faults { try settings("ES256", mode: 0o644) }.contains { $0.contains("others may use the private key") })
        try FileManager.default.removeItem(at: key)
        #expect(
            Self.faults {
                try Self.settings(
                    #"[{"resource":"https://api.example/orders","signedMetadata":{"keyFile":"key.der","algorithm":"ES256"}}]"#,
                    folder: folder.path)
            }.contains { $0.contains("key.der: cannot be read") })
    }
}

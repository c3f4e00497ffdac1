import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// What clients of OAuth read of the server (RFC 8414).
struct ServerMetadataTests {
    @Test(arguments: [WirePath.serverMetadata, WirePath.rootServerMetadata])
    func theMetadataAreThoseOfDiscovery(_ path: String) async throws {
        try await OAuthStage.with { stage in
            let reply = try await stage.wire.send("GET", path, [])
            let discovery = try await stage.wire.send("GET", WirePath.discovery, []).json
            #expect(reply.status == 200 && reply.field("Cache-Control") == "public, max-age=300")
            for (name, value) in reply.json { #expect(discovery[name] as? NSObject == value as? NSObject, "\(name)") }
            #expect(
                Set(discovery.keys).subtracting(reply.json.keys) == [
                    "subject_types_supported", "id_token_signing_alg_values_supported", "claims_supported",
                ])
            let tag = try #require(reply.field("ETag"))
            #expect(try await stage.wire.send("GET", path, [("If-None-Match", tag)]).status == 304)
        }
    }

    @Test
    func theMetadataNameWhatTheSettingsSwitchOn() async throws {
        try await OAuthStage.with { stage in
            let reply = try await stage.wire.send("GET", WirePath.serverMetadata, [])
            let issuer = stage.server.ready.issuer
            #expect(reply.string("issuer") == issuer && reply.string("registration_endpoint") == issuer + "/register")
            #expect(reply.json["client_id_metadata_document_supported"] as? Bool == true)
            #expect(reply.json["authorization_response_iss_parameter_supported"] as? Bool == true)
            #expect(reply.json["scopes_supported"] as? [String] == ["openid", "read", "write", "offline_access"])
            #expect(reply.json["grant_types_supported"] as? [String] == ["authorization_code", "refresh_token"])
            #expect(reply.json["protected_resources"] as? [String] == [OAuthStage.files, OAuthStage.notes])
        }
    }

    @Test
    func withoutSettingsTheyNameNothingOfIt() async throws {
        try await OAuthStage.with {
            $0.oauth = ServerConfiguration.OAuthChoice()
        } _: { stage in
            let reply = try await stage.wire.send("GET", WirePath.serverMetadata, [])
            for name in ["registration_endpoint", "client_id_metadata_document_supported", "protected_resources"] {
                #expect(reply.json[name] == nil)
            }
            #expect(reply.json["grant_types_supported"] as? [String] == ["authorization_code"])
            #expect(reply.json["scopes_supported"] as? [String] == ["openid"])
        }
    }
}

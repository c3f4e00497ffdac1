import Foundation
import HTTPEdge
import HTTPGuard
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// Clients that are named by the URL of their metadata document (draft-ietf-oauth-client-id-metadata-document).
struct ClientDocumentTests {
    static let url = "https://tools.example/oauth/client.json"

    private static func document(_ changes: [String: Any?] = [:]) -> [String: Any] {
        let base: [String: Any?] = [
            "client_id": url, "client_name": "Tool", "redirect_uris": [OAuthStage.callback],
            "grant_types": ["authorization_code", "refresh_token"], "token_endpoint_auth_method": "none",
        ]
        return base.merging(changes) { $1 }.compactMapValues { $0 }
    }

    @Test
    func aClientWithADocumentIsGrantedAccess() async throws {
        try await OAuthStage.with { stage in
            try stage.documents.put(Self.document(), at: Self.url)
            let begun = try await stage.begin(Self.url)
            let page = try await stage.page(of: begun)
            #expect(page.contains("<bdi id=\"consent-host\">tools.example</bdi>") && page.contains("Tool"))
            let code = try #require(try await stage.answer(begun)["code"])
            let reply = try await stage.exchange(code, Self.url)
            #expect(try OAuthStage.claims(reply)["client_id"] as? String == Self.url)
            let refreshed = try await stage.refresh(try #require(reply.string("refresh_token")), Self.url)
            #expect(refreshed.status == 200 && stage.documents.fetches == 1)
        }
    }

    @Test
    func aDocumentIsFetchedAgainWhenItsCopyIsOld() async throws {
        try await OAuthStage.with { stage in
            try stage.documents.put(Self.document(), at: Self.url)
            for _ in 0..<2 { #expect(try await stage.authorize(Self.url).status == 303) }
            stage.server.clock.advance(by: 599)
            #expect(try await stage.authorize(Self.url).status == 303 && stage.documents.fetches == 1)
            try stage.documents.put(Self.document(["redirect_uris": ["https://tools.example/new"]]), at: Self.url)
            stage.server.clock.advance(by: 1)
            #expect(try await stage.authorize(Self.url).status == 400)
            #expect(try await stage.authorize(Self.url, ["redirect_uri": "https://tools.example/new"]).status == 303)
            #expect(stage.documents.fetches == 2)
            stage.documents.remove(Self.url)
            stage.server.clock.advance(by: 600)
            let refused = try await stage.authorize(Self.url, ["redirect_uri": "https://tools.example/new"])
            #expect(refused.errorCode == "IDAAS.SDK.COMMON.1012" && stage.documents.fetches == 3)
        }
    }

    static let faults: [[String: [String]]] = [
        ["client_id": ["absent"]], ["client_id": ["https://tools.example/oauth/other.json"]], ["client_secret": ["s"]],
        ["token_endpoint_auth_method": ["client_secret_post"]], ["token_endpoint_auth_method": ["private_key_jwt"]],
        ["redirect_uris": []], ["redirect_uris": ["http://tools.example/callback"]], ["grant_types": ["implicit"]],
    ]

    @Test(arguments: faults)
    func aDocumentOfNoPublicClientIsRefused(_ changes: [String: [String]]) async throws {
        try await OAuthStage.with { stage in
            var document = Self.document()
            for (name, values) in changes {
                document[name] = name.hasSuffix("s") ? values : values.first
                if values == ["absent"] { document[name] = nil }
            }
            try stage.documents.put(document, at: Self.url)
            #expect(try await stage.authorize(Self.url).errorCode == "IDAAS.SDK.COMMON.1012" && stage.documents.fetches == 1)
            #expect(stage.server.log.lines.contains { $0.contains("a client metadata document was refused") })
        }
    }

    /// No request leaves the server for these.
    @Test(arguments: [
        "http://tools.example/client.json", "https://tools.example", "https://tools.example/", "https://tools.example/client.json?a=1",
        "https://tools.example/client.json#a", "https://user@tools.example/client.json", "https://tools.example/a/../client.json",
        "https://tools.example/a/%2E%2e/client.json", "https://tools.example/./client.json", "ftp://tools.example/client.json",
        "https:///client.json", "https://tools.example\\@evil.example/client.json", OAuthStage.files,
        "https://tools.example/" + String(repeating: "a", count: 107),
    ])
    func aURLThatMayNotNameAClientIsNotFetched(_ url: String) async throws {
        try await OAuthStage.with { stage in
            try stage.documents.put(Self.document(["client_id": url]), at: url)
            #expect(try await stage.authorize(url).errorCode == (url.utf8.count > 128 ? "IDAAS.SDK.COMMON.1002" : "IDAAS.SDK.COMMON.1012"))
            #expect(stage.documents.fetches == 0)
        }
    }

    @Test
    func anAddressCausesSoManyFetches() async throws {
        try await OAuthStage.with {
            $0.limits.clientDocumentsPerAddress = [Limit(2, per: .seconds(3_600))]
        } _: { stage in
            for (ordinal, status) in [400, 400, 429].enumerated() {
                let reply = try await stage.authorize("https://tools.example/\(ordinal)")
                #expect(reply.status == status)
            }
            #expect(stage.documents.fetches == 2)
        }
    }

    @Test
    func withoutTheSettingAURLNamesNobody() async throws {
        try await OAuthStage.with {
            $0.oauth.clientDocuments = false
        } _: { stage in
            try stage.documents.put(Self.document(), at: Self.url)
            #expect(try await stage.authorize(Self.url).errorCode == "IDAAS.SDK.COMMON.1012" && stage.documents.fetches == 0)
        }
    }

    /// A client could make the server ask its own machine, its network or the metadata service of its cloud.
    @Test(arguments: ["https://127.0.0.1/a", "https://localhost/a", "https://10.0.0.1/a", "https://169.254.169.254/a", "https://[::1]/a"])
    func aPrivateAddressIsNotDialled(_ url: String) async throws {
        let documents = FetchedDocuments(client: try GuardedClient())
        do {
            _ = try await documents.document(at: url)
            Issue.record("\(url) was fetched")
        } catch {
            #expect(error.code == "forbidden_address")
        }
    }
}

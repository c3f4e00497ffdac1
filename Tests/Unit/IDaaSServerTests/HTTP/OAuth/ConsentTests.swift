import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// Nothing is granted without the user's answer on the login page.
struct ConsentTests {
    @Test
    func aRequestForAResourceNeedsAnAnswer() async throws {
        try await OAuthStage.with { stage in
            let begun = try await stage.begin(try await stage.registered())
            let tokens = try await stage.server.logIn(client: begun.client)
            let unanswered = try await stage.complete(begun, consent: nil, tokens)
            #expect(unanswered.status == 400 && unanswered.errorCode == "IDAAS.SDK.COMMON.1001")
            #expect(unanswered.details["args"] as? [String] == ["consent"])
            // The request still waits.
            let granted = try await stage.complete(begun, consent: true, tokens)
            #expect(OAuthStage.members(of: try #require(granted.string("redirect_uri")))["code"] != nil)
            #expect(try await stage.complete(begun, consent: true, tokens).errorCode == "IDAAS.SDK.COMMON.1005")
        }
    }

    @Test
    func aRefusalGoesToTheApplicationAndEndsTheRequest() async throws {
        try await OAuthStage.with { stage in
            let begun = try await stage.begin(try await stage.registered())
            let tokens = try await stage.server.logIn(client: begun.client)
            let members = OAuthStage.members(
                of: try #require(try await stage.complete(begun, consent: false, tokens).string("redirect_uri")))
            #expect(members == ["error": "access_denied", "state": "s", "iss": stage.server.ready.issuer])
            #expect(try await stage.complete(begun, consent: true, tokens).status == 400)
            #expect(stage.server.auditLines.contains { $0.contains("\"authorization.denial\"") })
        }
    }

    @Test
    func aRequestWithoutAResourceNeedsNone() async throws {
        try await OAuthStage.with { stage in
            let begun = try await stage.begin(LiveServer.client, ["resource": nil, "scope": "openid"])
            #expect(try await !stage.page(of: begun).contains("id=\"consent\""))
            #expect(try await stage.answer(begun, consent: nil)["code"] != nil)
        }
    }

    @Test(arguments: [(Language.english, "Do you allow this access?"), (.chinese, "是否允许此访问?")])
    func thePageNamesTheClientItsHostTheResourceAndTheScopes(_ language: Language, question: String) async throws {
        try await OAuthStage.with { stage in
            let page = try await stage.page(of: try await stage.begin(try await stage.registered(), ["scope": "write"]), language: language)
            for text in [question, "Helper", "shop.example", "Files", OAuthStage.files, "<bdi>write</bdi>", "30"] {
                #expect(page.contains(text), "\(text)")
            }
            #expect(!page.contains("<bdi>read</bdi>"))
        }
    }

    /// Its own name is not the name that users log in to, nor one in a message.
    @Test
    func aNameThatNobodyHasCheckedIsOnThePageAloneAndText() async throws {
        try await OAuthStage.with { stage in
            let name = "<b>Your bank</b>\"'"
            let id = try await stage.register(["client_name": name, "redirect_uris": [OAuthStage.callback]]).string("client_id")
            let begun = try await stage.begin(try #require(id))
            let page = try await stage.page(of: begun)
            #expect(page.contains("<bdi id=\"consent-client\">&lt;b&gt;Your bank&lt;/b&gt;&quot;&#39;</bdi>"))
            #expect(page.contains("<title>Log in to Demonstration</title>") && page.contains("Nobody has checked this name."))
            _ = try await stage.server.logIn(client: begun.client)
            #expect(await stage.server.outbox.messages(for: "+86-13800000000").first?.text.contains("bank") == false)
        }
    }

    @Test
    func anotherBrowserSeesNothingOfTheRequest() async throws {
        try await OAuthStage.with { stage in
            let mine = try await stage.begin(try await stage.registered())
            let other = try await stage.begin(try await stage.registered())
            for cookie in [other.cookie, ""] { #expect(try await !stage.page(of: mine, cookie: cookie).contains("Helper")) }
        }
    }

    @Test(arguments: ["http://127.0.0.1:49152/callback", "http://[::1]:49152/callback", "http://localhost:49152/callback"])
    func anApplicationOnThisDeviceHasNoHost(_ address: String) async throws {
        try await OAuthStage.with { stage in
            let page = try await stage.page(of: try await stage.begin(try await stage.registered(address), ["redirect_uri": address]))
            #expect(page.contains("<bdi id=\"consent-recipient\">an application on this device</bdi>"))
        }
    }
}

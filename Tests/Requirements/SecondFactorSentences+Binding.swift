import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

/// How a phone's key is bound to its user, replaced and unbound.
extension SecondFactorSentences {
    /// 38: A challenge has 32 random bytes, 120 s, one use, one action, one device, one user.
    @Test
    func aChallengeIsSingleUseForItsUserDeviceAndAction() async throws {
        try await LiveServer.simulated { server in
            let phone = try await WirePhone(of: Person(server))
            let other = try await WirePhone(of: Person(server, 1), device: "phone")
            let used = try await phone.challenge("bind")
            #expect(used.utf8.count == 43)
            #expect(try await other.bind(challenge: used).outcome == "MFA.1007")
            #expect(try await phone.bind(challenge: used, signed: Array("else".utf8)).outcome == "MFA.1009")
            #expect(try await phone.bind(challenge: used).outcome == "MFA.1007")
            #expect(try await phone.bind(challenge: try await phone.challenge("unbind")).outcome == "MFA.1007")
            for (seconds, outcome) in [(119, "ok"), (120, "MFA.1007")] {
                let challenge = try await phone.challenge("bind")
                server.clock.advance(by: seconds)
                #expect(try await phone.bind(challenge: challenge).outcome == outcome)
            }
        }
    }

    /// 39: Binding needs a login of the last ten minutes, whatever was refreshed, a proof of possession, and a key that nobody has.
    @Test
    func bindingNeedsAFreshLoginAndAKeyOfOnesOwn() async throws {
        try await LiveServer.simulated { server in
            let (_, first) = try await Self.user(server)
            var thief = try await WirePhone(of: Person(server, 1), device: "phone-9")
            thief.key = first.key
            #expect(try await thief.bind().outcome == "MFA.1004")
            var late = try await WirePhone(of: Person(server, 2))
            server.clock.advance(by: 599)
            #expect(try await late.bind().outcome == "ok")
            late.key = try #require(P256PrivateKey.generate())
            server.clock.advance(by: 1)
            let refused = try await late.bind()
            #expect(refused.outcome == "COMMON.1005" && refused.details["args"] as? [String] == ["auth_time"])
            #expect(refused.field("WWW-Authenticate")?.contains("insufficient_user_authentication") == true)
        }
    }

    @Test
    func aDeviceMayReplaceItsKeyAndAnotherDeviceMayNot() async throws {
        try await LiveServer.simulated { server in
            let (pc, bound) = try await Self.user(server)
            var phone = bound
            #expect(try await phone.bind().outcome == "ok")
            let waiting = try await Waiting(pc)
            phone.key = try #require(P256PrivateKey.generate())
            #expect(try await phone.bind().outcome == "ok")
            #expect(try await pc.poll(waiting.stateToken, waiting.id).string("error") == "expired_token")
            let second = try await WirePhone(of: pc, device: "phone-9")
            #expect(try await second.bind().outcome == "MFA.1004")
        }
    }

    /// 40: Unbinding needs a signature; after it nothing of the phone works.
    @Test
    func unbindingNeedsASignatureAndEndsEverythingOfThePhone() async throws {
        try await LiveServer.simulated { server in
            let (pc, phone) = try await Self.user(server)
            var stranger = phone
            stranger.key = try #require(P256PrivateKey.generate())
            #expect(try await stranger.unbind().outcome == "MFA.1009")
            #expect(try await phone.status().data["bound"] as? Bool == true)
            let waiting = try await Waiting(pc)
            #expect(try await phone.approve(waiting).outcome == "ok")
            #expect(try await phone.unbind().outcome == "ok")
            #expect(try await phone.status().data["bound"] as? Bool == false)
            server.clock.advance(by: 2)
            #expect(try await pc.poll(waiting.stateToken, waiting.id).string("error") == "access_denied")
            #expect(try await phone.pending().outcome == "MFA.1005")
            #expect(try await phone.respond(["signature": "AAAA"]).outcome == "MFA.1005")
            #expect(try await phone.unbind().outcome == "MFA.1005")
        }
    }
}

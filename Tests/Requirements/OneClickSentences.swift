import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

struct OneClickSentences {
    @Test
    func aCarriersTokenLogsInTheOwnerOfThePhone() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            #expect(try await person.logInByCarrier(try await person.carrierToken()).string("status") == "SUCCESS")
            let sms = try await person.session()
            let users = try await server.server.services.administration.users()
            #expect(users.count == 1 && users[0].mobile == person.mobile && !sms.idToken.isEmpty)
        }
    }

    /// 24: The provider is asked once for a token; the first answer is given again for 30 s, from its own device.
    @Test
    func aTokenIsSentUpstreamOnce() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let token = try await person.carrierToken()
            let first = try await person.logInByCarrier(token)
            server.clock.advance(by: 29)
            let again = try await person.logInByCarrier(token)
            #expect(first.outcome == "ok" && again.string("session_token") == first.string("session_token"))
            // The carrier is not asked for these: an order that stays unused shows it.
            try await server.order("isv.BUSINESS_LIMIT_CONTROL", from: "dypnsapi")
            #expect(try await person.on("device-9").logInByCarrier(token).outcome == "COMMON.1005")
            server.clock.advance(by: 1)
            #expect(try await person.logInByCarrier(token).outcome == "COMMON.1005")
            #expect(try await person.logInByCarrier(try await person.carrierToken()).outcome == "LOGIN.1001")
        }
    }

    @Test(arguments: [(Carrier.mobile, 120), (.telecom, 600), (.unicom, 1_800)])
    func aTokenIsOverAfterItsCarriersTime(_ carrier: Carrier, seconds: Int) async throws {
        try await LiveServer.simulated { server in
            for (offset, outcome) in [(-1, "ok"), (0, "COMMON.1005"), (1, "COMMON.1005")] {
                let person = Person(server, 10 + offset)
                let token = try await person.carrierToken(carrier)
                server.clock.advance(by: seconds + offset)
                #expect(try await person.logInByCarrier(token).outcome == outcome, "\(seconds + offset) s")
            }
        }
    }

    /// 25: The account of another application cannot exchange a token.
    @Test
    func aTokenIsForItsApplication() async throws {
        try await LiveServer.simulated { server in
            try await server.add(client: "club")
            _ = try await server.server.services.administration.setOneClick(
                of: "club", accessKeyID: "simulated.com.example.club", secret: "simulated-access-key-secret")
            let person = Person(server).at("club")
            #expect(try await person.logInByCarrier(try await person.carrierToken(bundleID: "com.example.shop")).outcome == "COMMON.1005")
            #expect(try await person.logInByCarrier(try await person.carrierToken(bundleID: "com.example.club")).outcome == "ok")
        }
    }

    /// 54: Of 64 at once all get one session.
    @Test
    func of64RequestsWithOneTokenAllGetOneSession() async throws {
        try await LiveServer.simulated { server in
            let person = Person(server)
            let replies = try await Volley.fire(
                64, person.wire, WirePath.oneClickLogin, [], ["access_token": try await person.carrierToken()])
            #expect(replies.tally == ["ok": 64])
            #expect(Set(replies.map { $0.string("session_token") }).count == 1)
        }
    }

    @Test
    func anUnknownNumberGetsAUserOnlyIfTheClientSaysSo() async throws {
        try await LiveServer.simulated {
            $0.registersUnknownNumbers = false
        } _: { server in
            let person = Person(server)
            #expect(try await person.logInByCarrier(try await person.carrierToken()).outcome == "COMMON.1013")
            let user = try await server.addUser(person.mobile)
            #expect(try await person.logInByCarrier(try await person.carrierToken()).outcome == "ok")
            try await server.server.services.administration.lockUser(user.id)
            #expect(try await person.logInByCarrier(try await person.carrierToken()).outcome == "COMMON.1013")
        }
    }

    @Test
    func aWrongSecretOfTheAccountIsOursNotTheTokens() async throws {
        try await LiveServer.simulated { server in
            _ = try await server.server.services.administration.setOneClick(
                of: LiveServer.client, accessKeyID: "simulated", secret: "another-secret")
            server.clock.advance(by: 10)
            let person = Person(server)
            #expect(try await person.logInByCarrier(try await person.carrierToken()).outcome == "LOGIN.1001")
        }
    }

    @Test
    func withoutTheSwitchThereIsNoSimulator() async throws {
        try await LiveServer.running { server in
            let wire = server.wire()
            for path in [SimulatorPath.wechatApp, SimulatorPath.carrierToken, SimulatorPath.carrierPrefetch, "/__simulators/faults"] {
                let reply = try await wire.post(path, [:])
                #expect(reply.status == 404)
            }
        }
        await #expect(throws: ConfigurationError("simulators: on a loopback listener only, and not behind a proxy")) {
            try await LiveServer.running {
                $0.simulators = true
                $0.proxy.behind = true
                $0.proxy.trusted = ["192.0.2.1"]
                $0.publicURL = "https://id.example"
            } _: { _ in
            }
        }
    }
}

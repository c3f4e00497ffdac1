import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

extension TimeToLive {
    static let otherLogins = [
        simulated("a state token registers", 600) { trial in
            let token = try await trial.person.stateToken()
            trial.pass()
            return try await trial.person.send(.register, token).outcome == "ok"
        },
        simulated("a WeChat code has its answer again", 30) { trial in
            let code = try await trial.person.wechatCode()
            #expect(try await trial.person.logInByWeChat(code).outcome == "ok")
            trial.pass()
            return try await trial.person.logInByWeChat(code).outcome == "ok"
        },
        simulated("a carrier's token has its answer again", 30) { trial in
            let token = try await trial.person.carrierToken()
            #expect(try await trial.person.logInByCarrier(token).outcome == "ok")
            trial.pass()
            return try await trial.person.logInByCarrier(token).outcome == "ok"
        },
        simulated("a challenge binds", 120) { trial in
            let phone = try await WirePhone(of: trial.person)
            let challenge = try await phone.challenge("bind")
            trial.pass()
            return try await phone.bind(challenge: challenge).outcome == "ok"
        },
        simulated("a login binds a phone", 600) { trial in
            let phone = try await WirePhone(of: trial.person)
            trial.pass()
            return try await phone.bind().outcome == "ok"
        },
        simulated("a request waits for the phone", 120) { trial in
            let (phone, waiting) = try await waiting(trial)
            trial.pass()
            return try await phone.pending().json["data"] is [String: Any] && waiting.matchCode != nil
        },
        simulated("an approval of the last second is delivered", 120 + 30) { trial in
            let (phone, waiting) = try await waiting(trial)
            trial.server.clock.advance(by: 119)
            #expect(try await phone.approve(waiting).outcome == "ok")
            trial.pass(after: 119)
            return try await trial.person.poll(waiting.stateToken, waiting.id).outcome == "ok"
        },
        simulated("five requests are all of ten minutes", 600) { trial in
            _ = try await waiting(trial)
            for _ in 0..<4 { _ = try await Waiting(trial.person) }
            let token = try await trial.person.firstFactor()
            trial.pass()
            // A login of its own: the token would be over as well.
            let next = trial.seconds < 600 ? token : try await trial.person.firstFactor()
            return try await trial.person.initiate(next).outcome == "RATE.1001"
        },
    ]

    private static func waiting(_ trial: Trial) async throws -> (WirePhone, Waiting) {
        try await trial.server.addUser(trial.person.mobile)
        let phone = try await WirePhone(of: trial.person)
        #expect(try await phone.bind().outcome == "ok")
        return (phone, try await Waiting(trial.person))
    }

    private static func simulated(
        _ name: String, _ seconds: Int, _ holds: @Sendable @escaping (Trial) async throws -> Bool
    ) -> TimeToLive {
        var life = TimeToLive(name, seconds) { trial in
            try await trial.server.server.services.administration.useSimulators(for: LiveServer.client)
            return try await holds(trial)
        }
        life.configure = { [configure = life.configure] in
            configure(&$0)
            $0.simulators = true
        }
        return life
    }
}

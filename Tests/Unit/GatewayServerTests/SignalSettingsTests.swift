import AssayTesting
import Gateway
import GatewayServer
import JWTCore
import JWTTestSupport
import Testing

/// The section `signals`.
@Suite struct SignalSettingsTests {
    private static func faults(_ text: String) -> [String] {
        do throws(SettingsFailure) {
            _ = try ServiceConfiguration(yaml: text, environment: [:])
            return []
        } catch {
            return error.faults.map { "\($0.code.rawValue): \($0.text)" }
        }
    }

    private static func push(_ signals: SignalSettings?) -> SignalSettings.Push? {
        if case .push(let push)? = signals?.streams.first?.delivery { push } else { nil }
    }

    @Test func aStreamIsRead() throws {
        let more = "onCredentialChange: revoke\n      maximumAgeSeconds: 600\n      leewaySeconds: 5\n      revokes: https://idp.example"
        let signals = try #require(try ServiceConfiguration(yaml: SignalSample.text(more: more), folder: "/etc", environment: [:]).signals)
        #expect(signals.place == .tcp("127.0.0.1:0") && signals.log == "/etc/revocations.log" && signals.tokenLifetime == .seconds(86_400))
        let stream = try #require(signals.streams.first)
        #expect(stream.issuer == "https://idp.example" && stream.audience == SignalSample.audience && stream.credentialChangeRevokes)
        #expect(stream.maximumAge == .seconds(600) && stream.leeway == .seconds(5) && stream.mostTokens == 1 << 18)
        #expect(Self.push(signals)?.path == "/signals/idp" && Self.push(signals)?.secret == .text(SignalSample.secret))
        #expect(!"\(signals)".contains(SignalSample.secret))
    }

    @Test func aSecretComesFromAVariable() throws {
        let text = SignalSample.text(SignalSample.push.replacing(SignalSample.secret, with: "${SIGNALS}"))
        let signals = try ServiceConfiguration(yaml: text, environment: ["SIGNALS": SignalSample.secret]).signals
        #expect(Self.push(signals)?.secret == .text(SignalSample.secret))
    }

    @Test(arguments: [
        ("log: revocations.log", "", "missing_setting: `signals.log`: is missing"),
        ("  tcp: 127.0.0.1:0\n  log", "  log", "missing_setting: `signals`: one of `tcp`, `unix`, `activation` is needed"),
        ("      audience: https://gateway.example\n", "", "missing_setting: `signals.streams[1].audience`: is missing"),
        ("path: /signals/idp", "path: signals", "invalid_value: `signals.streams[1].push.path`: a path from /"),
        ("path: /signals/idp", "path: /a?b", "invalid_value: `signals.streams[1].push.path`: a path from /"),
        ("secret: a-secret-of-the-stream", "secret: short", "invalid_value: `signals.streams[1].push.secret`: a bearer token of 16"),
        ("secret: a-secret-of-the-stream", "secretFile: /nowhere", "invalid_value: `signals.streams[1].push.secretFile`: a bearer token"),
        ("secret: a-secret-of-the-stream", "password: x", "unknown_setting: `signals.streams[1].push.password`: no such setting"),
        ("- name: idp\n      issuer", "- name: i dp\n      issuer", "invalid_value: `signals.streams[1].name`"),
    ])
    func aFaultIsNamed(old: String, new: String, expected: String) {
        let text = SignalSample.text()
        let changed = text.replacing(old, with: new)
        #expect(changed != text, "\(old) is not in \(text)")
        let faults = Self.faults(changed)
        #expect(faults.contains { $0.hasPrefix(expected) }, "\(faults)")
        #expect(!faults.joined().contains("short"))
    }

    @Test func aStreamIsPushedOrPolled() {
        #expect(Self.faults(SignalSample.text("", more: "leewaySeconds: 1")).contains { $0.contains("one of `push`, `poll` is needed") })
        let both = SignalSample.text(SignalSample.push + "\n" + SignalSample.poll)
        #expect(Self.faults(both).contains { $0.contains("only one of `push`, `poll` can be set") })
        #expect(Self.faults(SignalSample.text(SignalSample.poll)).contains { $0.contains("none has `push`") })
        #expect(Self.faults(SignalSample.text(SignalSample.poll, listener: "")).isEmpty)
    }

    @Test func aTransmitterOnThisMachineNeedsPermission() {
        let local = SignalSample.poll.replacing("https://idp.example/poll", with: "http://127.0.0.1:8/poll")
        #expect(Self.faults(SignalSample.text(local, listener: "")).contains { $0.contains("needs `allowLoopback: true`") })
        let allowed = SignalSample.text(local, more: "transport: {allowLoopback: true}", listener: "")
        #expect(Self.faults(allowed).isEmpty)
    }

    @Test func twoListenersAreNotInOnePlace() {
        let text = SignalSample.text(listener: "\n  tcp: 127.0.0.1:9190").replacing(
            "administration:\n  tcp: 127.0.0.1:0", with: "administration:\n  tcp: 127.0.0.1:9190")
        #expect(Self.faults(text).contains { $0.contains("administration and signals are both at 127.0.0.1:9190") })
    }

    @Test func aChangeCountsAfterARestart() async throws {
        try await RunningGateway.with(SignalSample.text(), store: ScriptedStore()) { gateway async throws in
            _ = try gateway.folder.write("gateway.yaml", SignalSample.text(more: "leewaySeconds: 7"))
            gateway.server.reloadConfiguration()
            #expect(gateway.log.text.contains("these settings count after a restart") && gateway.log.text.contains("\"signals\""))
            #expect(try await gateway.push(gateway.event())?.status == 202)
            // What events have revoked stays in force over a reload.
            #expect(try await gateway.ask(bearing: SignalSample.token(gateway.forge))?.status == 401)
        }
    }
}

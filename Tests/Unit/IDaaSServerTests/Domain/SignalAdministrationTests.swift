import IDaaSServer
import IDaaSTestSupport
import Secrets
import Testing

/// What an administrator does with receivers of shared signals.
struct SignalAdministrationTests {
    private let domain: Domain
    private let receiver = ScriptedReceiver()
    private let services: Services
    private var administration: Administration { services.administration }

    init() async throws {
        domain = try await Domain()
        var environment = domain.services.environment.value
        environment.signalReceiver = receiver
        services = Services(environment)
    }

    private static let secret = "a-secret-of-the-receiver"
    private static let url = "https://receiver.example/events?x=1"

    @Test
    func aSecretIsSealedInTheStoreAndGoesToItsReceiver() async throws {
        let stream = try await administration.addPushedStream(name: "G", audience: "g", url: Self.url, secret: Self.secret)
        #expect(try await administration.signalStreams() == [stream])
        guard case .push(let url, let sealed?) = stream.delivery else { throw Domain.Missing() }
        #expect(url == Self.url && !String(decoding: sealed, as: UTF8.self).contains("secret"))
        _ = try await administration.verifyStream(stream.id)
        try await services.signalDelivery.deliver(to: stream)
        #expect(receiver.offers.map(\.secret) == [Self.secret] && receiver.offers.map(\.url) == [Self.url])
        let (changed, none) = try await administration.changeStreamSecret(stream.id, to: Self.secret + "-2")
        #expect(none == nil)
        _ = try await administration.verifyStream(stream.id)
        try await services.signalDelivery.deliver(to: changed)
        #expect(receiver.offers.last?.secret == Self.secret + "-2")
        // Not to be taken away by mistake.
        await #expect(throws: AdministrationFailure.invalidSecret) { try await administration.changeStreamSecret(stream.id, to: nil) }
    }

    /// One that is copied to another stream's record does not open.
    @Test
    func aSecretIsOfItsStreamAlone() async throws {
        let streams = [
            try await administration.addPushedStream(name: "A", audience: "a", url: Self.url, secret: Self.secret),
            try await administration.addPushedStream(name: "B", audience: "b", url: Self.url, secret: Self.secret + "b"),
        ]
        var mixed = streams[1]
        mixed.delivery = streams[0].delivery
        try await domain.store.write { [mixed] in try $0.save(mixed) }
        _ = try await administration.verifyStream(mixed.id)
        await #expect(throws: KeyFailure.sealedUnderAnotherKey) { try await services.signalDelivery.deliver(to: mixed) }
        #expect(receiver.offers.isEmpty)
        #expect(try await domain.waiting(for: mixed.id).count == 1)
    }

    @Test
    func aPollingReceiversSecretIsStoredAsItsDigest() async throws {
        let (stream, secret) = try await administration.addPolledStream(name: "G", audience: "g")
        #expect(secret.wholeMatch(of: /[0-9A-Za-z]{43}/) != nil)
        #expect(stream.delivery == .poll(secretDigest: Digest256.of(Array(secret.utf8))))
    }

    @Test
    func aVerificationIsForOneStreamAndShowsItsState() async throws {
        let stream = try await administration.addPushedStream(name: "G", audience: "g", url: Self.url, secret: nil)
        try await domain.addStream("other")
        #expect(try await administration.verifyStream(stream.id, state: "state 1") == "state 1")
        let made = try await administration.verifyStream(stream.id)
        #expect(made.count == 22)
        #expect(try await domain.events(for: stream.id) == [.verification(state: "state 1"), .verification(state: made)])
        #expect(try await domain.events(for: "other").isEmpty)
        await #expect(throws: AdministrationFailure.unknownStream) { try await administration.verifyStream("none") }
        await #expect(throws: AdministrationFailure.invalidText) { try await administration.verifyStream(stream.id, state: "a\nb") }
    }

    @Test
    func aStreamIsChangedAndRemovedWithWhatWaitsForIt() async throws {
        let stream = try await administration.addPushedStream(name: "G", audience: "g", url: Self.url, secret: nil)
        _ = try await administration.verifyStream(stream.id)
        let changed = try await administration.configureStream(stream.id, Administration.SignalChoice(credentials: false))
        #expect(changed.wantsRevocations && !changed.wantsCredentials)
        #expect(try await administration.signalStreams() == [changed])
        #expect(try await domain.waiting(for: stream.id).count == 1)
        try await administration.removeStream(stream.id)
        #expect(try await administration.signalStreams().isEmpty)
        #expect(try await domain.waiting(for: stream.id).isEmpty)
        await #expect(throws: AdministrationFailure.unknownStream) { try await administration.removeStream(stream.id) }
        await #expect(throws: AdministrationFailure.unknownStream) {
            try await administration.configureStream(stream.id, Administration.SignalChoice())
        }
    }

    @Test(
        arguments: [
            "", "receiver.example", "http://receiver.example/", "ftp://receiver.example/", "https://user@receiver.example/",
            "https://receiver.example/#x", "https://receiver.example/\n", "https://" + String(repeating: "a", count: 2_050) + ".example/",
        ])
    func aURLThatIsNotHTTPSIsRefused(_ url: String) async throws {
        await #expect(throws: AdministrationFailure.invalidReceiver) {
            try await administration.addPushedStream(name: "G", audience: "g", url: url, secret: nil)
        }
    }

    @Test(arguments: [
        "https://receiver.example", "https://10.0.0.1:8443/x?y=z", "http://127.0.0.1:8080/", "http://localhost/", "https://[::1]/",
    ])
    func aURLOfHTTPSOrOfLoopbackIsAccepted(_ url: String) async throws {
        _ = try await administration.addPushedStream(name: "G", audience: "g", url: url, secret: nil)
    }

    @Test(arguments: [
        "", "short", "a secret with spaces in it", "a-secret-with-a-line\n-end", "名名名名名名名名", String(repeating: "x", count: 1_025),
    ])
    func aSecretThatNoFieldCanCarryIsRefused(_ secret: String) async throws {
        await #expect(throws: AdministrationFailure.invalidSecret) {
            try await administration.addPushedStream(name: "G", audience: "g", url: Self.url, secret: secret)
        }
    }

    @Test
    func thereAreNoMoreThan64Streams() async throws {
        for _ in 0..<64 { _ = try await administration.addPolledStream(name: "G", audience: "g") }
        await #expect(throws: AdministrationFailure.tooManyStreams) { try await administration.addPolledStream(name: "G", audience: "g") }
        await #expect(throws: AdministrationFailure.invalidText) { try await administration.addPolledStream(name: "G", audience: "") }
    }
}

import AssayTesting
import Gateway
import GatewayServer
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Events that are pushed (RFC 8935): what each does, and that a wrong one does nothing.
@Suite struct SignalPushTests {
    private static func with(
        _ text: String = SignalSample.text(), store: ScriptedStore = ScriptedStore(), _ body: (RunningGateway) async throws -> Void
    ) async throws {
        try await RunningGateway.with(text, store: store) { gateway async throws in
            try await body(gateway)
            // Nothing of an event and no secret reaches the log.
            for text in ["eyJ", SignalSample.secret, "sid-1", "248289761001"] { #expect(!gateway.log.text.contains(text), "\(text)") }
        }
    }

    @Test func aSessionThatEndsIsRefusedAtOnce() async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            let token = SignalSample.token(gateway.forge), other = SignalSample.token(gateway.forge, session: "sid-2")
            #expect(try await gateway.ask(bearing: token)?.status == 200)
            let answer = try #require(try await gateway.push(gateway.event()))
            #expect(answer.status == 202 && answer.body.isEmpty)
            #expect(store.entries == [.init(issuer: "https://idp.example", until: 1_700_086_500, .sessionID("sid-1"))])
            #expect(try await gateway.ask(bearing: token)?.status == 401)
            #expect(try await gateway.ask(bearing: other)?.status == 200)
        }
    }

    @Test func ofAUserTheTokensBeforeTheEventAreRefused() async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            #expect(try await gateway.push(gateway.event(SignalSample.claims(subject: SignalSample.user)))?.status == 202)
            let expected = RevocationList.Subject.subjectBefore("248289761001", 1_700_000_051)
            #expect(store.entries == [.init(issuer: "https://idp.example", until: 1_700_086_500, expected)])
            let early = SignalSample.token(gateway.forge, issued: 1_700_000_050)
            let late = SignalSample.token(gateway.forge, issued: 1_700_000_051)
            #expect(try await gateway.ask(bearing: early)?.status == 401)
            #expect(try await gateway.ask(bearing: late)?.status == 200)
        }
    }

    @Test func anEventThatComesAgainIsAcknowledgedAndHasNoSecondEffect() async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            for _ in 0..<3 { #expect(try await gateway.push(gateway.event())?.status == 202) }
            #expect(store.entries.count == 1 && store.calls == 1)
            let metrics = try await gateway.metrics
            for line in [
                #"assay_gateway_signals_accepted_total{stream="idp"} 1"#, #"assay_gateway_signals_repeated_total{stream="idp"} 2"#,
                #"assay_gateway_signals_effects_total{effect="revokes",stream="idp"} 1"#,
                #"assay_gateway_signals_last_timestamp_seconds{stream="idp"} 1700000100"#,
                #"assay_gateway_signals_remembered{stream="idp"} 1"#, "assay_gateway_signals_revocations 1",
                "assay_gateway_signals_log_current 1",
            ] { #expect(metrics.contains(line + "\n"), "\(line) in \(metrics)") }
        }
    }

    /// An older event after a newer one takes nothing back.
    @Test func theOrderOfEventsIsWithoutEffect() async throws {
        try await Self.with { gateway async throws in
            for (name, stamp) in [("new", 1_700_000_090), ("old", 1_700_000_010)] {
                let claims = SignalSample.claims(name, subject: SignalSample.user, stamp: stamp)
                #expect(try await gateway.push(gateway.event(claims))?.status == 202)
            }
            #expect(try await gateway.ask(bearing: SignalSample.token(gateway.forge, issued: 1_700_000_080))?.status == 401)
        }
    }

    /// Each as a change of a good event's claims, the code for the transmitter, and the name in metrics.
    @Test(arguments: [
        ("\"iss\":\"https://idp.example\",", "\"iss\":\"https://other.example\",", "invalid_issuer", "issuer_mismatch"),
        ("https://gateway.example", "https://other.example", "invalid_audience", "audience_mismatch"),
        ("\"jti\":\"set-1\",", "", "invalid_request", "missing_claim"),
        ("\"jti\":\"set-1\",", "\"jti\":\"set-1\",\"jti\":\"set-2\",", "invalid_request", "duplicate_member"),
        ("\"iat\":1700000050", "\"iat\":1700000161", "invalid_request", "issued_in_future"),
        ("\"iat\":1700000050", "\"iat\":1699913640", "invalid_request", "too_old"),
        ("\"iat\":", "\"sub\":\"jane\",\"iat\":", "invalid_request", "unexpected_subject"),
        ("{\"event_timestamp\":1700000050}", "7", "invalid_request", "invalid_events"),
        ("{\"event_timestamp\":1700000050}", "{\"event_timestamp\":true}", "invalid_request", "invalid_event"),
    ])
    func anEventThatIsWrongIsRefused(old: String, new: String, code: String, name: String) async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            let claims = SignalSample.claims().replacing(old, with: new)
            #expect(claims != SignalSample.claims())
            let answer = try #require(try await gateway.push(gateway.event(claims)))
            #expect(answer.status == 400 && answer.field("content-type") == "application/json")
            #expect(answer.body.contains("\"err\":\"\(code)\"") && answer.body.contains("\"description\":\""), "\(answer.body)")
            #expect(store.calls == 0)
            #expect(try await gateway.metrics.contains(#"assay_gateway_signals_refused_total{code="\#(name)",stream="idp"} 1"# + "\n"))
        }
    }

    @Test func onlyTheTransmittersKeysCount() async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            let claims = SignalSample.claims(), stranger = TokenForge(.es256)
            let unsecured = stranger.token(header: #"{"alg":"none","typ":"secevent+jwt","kid":"test-key"}"#, payload: claims)
            for (token, code) in [
                (stranger.token(claims, type: "secevent+jwt"), "invalid_key"), (unsecured, "invalid_request"),
                (TokenForge(.hs256).token(claims, type: "secevent+jwt"), "invalid_request"),
                (gateway.forge.token(claims, type: "JWT"), "invalid_request"), (gateway.forge.token(), "invalid_request"),
                (SignalSample.token(gateway.forge), "invalid_request"), ("", "invalid_request"), ("junk", "invalid_request"),
            ] {
                let answer = try #require(try await gateway.push(token))
                #expect(answer.status == 400 && answer.body.contains("\"err\":\"\(code)\""), "\(answer.status) \(answer.body)")
            }
            #expect(store.calls == 0)
        }
    }

    /// An event is no token: it opens nothing.
    @Test func anEventIsNoCredential() async throws {
        try await Self.with { gateway async throws in
            let claims = SignalSample.claims().replacing(SignalSample.audience, with: "client-1")
            #expect(try await gateway.ask(bearing: gateway.event(claims))?.status == 401)
        }
    }

    @Test(
        arguments: [
            ("/signals/idp", "GET", "application/secevent+jwt", 405), ("/signals/idp", "PUT", "application/secevent+jwt", 405),
            ("/signals", "POST", "application/secevent+jwt", 404), ("/signals/idp/", "POST", "application/secevent+jwt", 404),
            ("/signals/idp?a=b", "POST", "application/secevent+jwt", 404), ("/signals/%69dp", "POST", "application/secevent+jwt", 404),
            ("/metrics", "POST", "application/secevent+jwt", 404), ("/signals/idp", "POST", "application/jwt", 400),
            ("/signals/idp", "POST", "application/secevent+jwtx", 400), ("/signals/idp", "POST", nil, 400),
            ("/signals/idp", "POST", "Application/SecEvent+JWT; charset=utf-8", 202),
        ] as [(String, String, String?, Int)])
    func methodPathAndTypeAreExact(path: String, method: String, type: String?, status: Int) async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            let answer = try #require(try await gateway.push(gateway.event(), path: path, method: method, type: type))
            #expect(answer.status == status)
            #expect(store.calls == (status == 202 ? 1 : 0))
        }
    }

    @Test(
        arguments: [
            nil, "", "Bearer", "Bearer ", "Bearer a-secret-of-the-strean", "Bearer a-secret-of-the-strea", "Bearer a-secret-of-the-streamm",
            "Basic a-secret-of-the-stream", "a-secret-of-the-stream",
        ] as [String?])
    func withoutTheSecretNothingIsRead(authorization: String?) async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            let answer = try #require(try await gateway.push(gateway.event(), authorization: authorization))
            #expect(answer.status == 401 && answer.field("www-authenticate") == "Bearer")
            #expect(answer.body.contains("\"err\":\"authentication_failed\"") && store.calls == 0)
            #expect(try await gateway.push(gateway.event(), authorization: "bearer \(SignalSample.secret)")?.status == 202)
        }
    }

    @Test func aSecretInAFileIsReadForEachEvent() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("secret", "\(SignalSample.secret)\n")
        let text = SignalSample.text(SignalSample.push.replacing("secret: \(SignalSample.secret)", with: "secretFile: secret"))
        try await RunningGateway.with(text, folder: folder, store: ScriptedStore()) { gateway async throws in
            #expect(try await gateway.push(gateway.event())?.status == 202)
            _ = try folder.write("secret", "another-secret-of-the-stream")
            #expect(try await gateway.push(gateway.event())?.status == 401)
            _ = try folder.write("secret", "")
            let answer = try #require(try await gateway.push(gateway.event()))
            #expect(answer.status == 503 && answer.field("retry-after") == "5")
        }
    }

    @Test func aHugeBodyIsRefused() async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            for (count, status) in [(16_385, 400), (65_536, 400), (65_537, 413), (1 << 20, 413)] {
                let body = String(repeating: "a", count: count)
                #expect([status, 400].contains(try await gateway.push(body)?.status ?? status), "\(count)")
            }
            #expect(store.calls == 0)
            #expect(try await gateway.push(gateway.event())?.status == 202)
        }
    }

    /// What cannot be written down is not accepted, and not in force.
    @Test func aLogThatCannotBeWrittenPutsEventsOff() async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            store.fail(true)
            for _ in 0..<2 {
                let answer = try #require(try await gateway.push(gateway.event()))
                #expect(answer.status == 503 && answer.field("retry-after") == "5" && answer.body.isEmpty)
            }
            let token = SignalSample.token(gateway.forge)
            #expect(try await gateway.ask(bearing: token)?.status == 200)
            #expect(try await gateway.metrics.contains("assay_gateway_signals_log_current 0\n"))
            #expect(gateway.log.all.count { $0.contains("cannot be kept") } == 1)
            store.fail(false)
            #expect(try await gateway.push(gateway.event())?.status == 202)
            #expect(try await gateway.ask(bearing: token)?.status == 401)
            #expect(try await gateway.metrics.contains("assay_gateway_signals_log_current 1\n"))
        }
    }

    @Test func aFullMemoryPutsEventsOffUntilOneExpires() async throws {
        let text = SignalSample.text(more: "mostTokens: 1")
        try await RunningGateway.with(text, store: ScriptedStore()) { gateway async throws in
            #expect(try await gateway.push(gateway.event())?.status == 202)
            #expect(try await gateway.push(gateway.event(SignalSample.claims("set-2")))?.status == 503)
            #expect(try await gateway.push(gateway.event())?.status == 202)
            #expect(try await gateway.metrics.contains(#"assay_gateway_signals_delayed_total{code="memory_full",stream="idp"} 1"#))
            gateway.clock.setDate(1_700_086_511)
            #expect(try await gateway.push(gateway.event(SignalSample.claims("set-2", issued: 1_700_086_500)))?.status == 202)
        }
    }

    /// Of another issuer, or of a kind that nobody knows: taken, counted and told, without an effect.
    @Test(arguments: [
        (SignalSample.user.replacing("idp.example", with: "other.example"), "another_issuer"),
        (#"{"format":"email","email":"jane@idp.example"}"#, "unknown_subject"),
    ])
    func aSubjectThatIsNotOursRevokesNothing(subject: String, effect: String) async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            #expect(try await gateway.push(gateway.event(SignalSample.claims(subject: subject)))?.status == 202)
            #expect(store.calls == 0)
            #expect(try await gateway.metrics.contains(#"_effects_total{effect="\#(effect)",stream="idp"} 1"# + "\n"))
            #expect(try await gateway.ask(bearing: SignalSample.token(gateway.forge))?.status == 200)
        }
    }

    @Test func anEventMakesEntriesOfTheConfiguredIssuerAlone() async throws {
        let store = ScriptedStore(), text = SignalSample.text(more: "revokes: https://tokens.example")
        try await RunningGateway.with(text, store: store) { gateway async throws in
            #expect(gateway.log.text.contains("its events revoke nothing"))
            #expect(try await gateway.push(gateway.event())?.status == 202)
            #expect(store.entries.map(\.issuer) == ["https://tokens.example"])
            #expect(try await gateway.ask(bearing: SignalSample.token(gateway.forge))?.status == 200)
        }
    }

    @Test func manyEventsAtOnceAreEachTakenOnce() async throws {
        let store = ScriptedStore()
        try await Self.with(store: store) { gateway async throws in
            let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
                for place in 0..<40 {
                    let event = gateway.event(SignalSample.claims("set-\(place / 2)", subject: SignalSample.session("s\(place / 2)")))
                    group.addTask { try await gateway.push(event)?.status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // The second of two at once may have to come again.
            #expect(Set(statuses).isSubset(of: [202, 503]))
            #expect(Set(store.entries.map(\.subject)).count == 20 && store.entries.count == 20)
        }
    }

    @Test func keysThatAreNotThereYetPutEventsOff() async throws {
        let transport = ScriptedTransport()
        try await RunningGateway.with(SignalSample.text(), transport: transport, publishes: false, store: ScriptedStore()) {
            gateway async throws in
            let answer = try #require(try await gateway.push(gateway.event()))
            #expect(answer.status == 503 && answer.field("retry-after") == "1")
        }
    }

    @Test func theStatusDocumentHasTheStreams() async throws {
        try await Self.with { gateway async throws in
            _ = try await gateway.push(gateway.event())
            let status = try #require(try await gateway.operate("/status.json")).body
            for part in ["\"signals\":{", "\"delivery\":\"push\"", "\"accepted\":1", "\"revocations\":1", "\"hasKeys\":true"] {
                #expect(status.contains(part), "\(part) in \(status)")
            }
            #expect(!status.contains("sid-1") && !status.contains(SignalSample.secret))
        }
    }
}

import IDaaSFlows
import IDaaSWire
import JWKSTestSupport
import JWTTestSupport
import Testing

@Suite struct CarrierLoginTests {
    private let clock = ManualClock(date: Tenant.start)

    private func events(_ carrier: ScriptedCarrier, _ page: OneClickPage = OneClickPage()) async -> [OneClickEvent] {
        var events: [OneClickEvent] = []
        for await event in CarrierLogin(carrier, clock: clock).events(page, on: ScriptedOneClickPage()) { events.append(event) }
        return events
    }

    private static func old(_ code: String, token: String? = nil, isConsented: Bool? = nil) -> CarrierReply {
        CarrierReply(CarrierCode(rawValue: code), token: token, isConsented: isConsented)
    }

    /// What an SDK says on its page, old or new, and which results the document's callback gets for it.
    static let visits: [([CarrierReply], [String?])] = [
        ([CarrierReply(.pageShown)] + CarrierReply.agreed(), ["6666", nil, "6668"]),
        ([old("6666"), old("6670", isConsented: true), old("6668", token: "t-1")], ["6666", nil, "6668"]),
        ([old("6665"), old("6670", isConsented: true), old("6672"), old("6668", token: "t-1")], ["6666", nil, "6668"]),
        ([old("6666"), old("6669")], ["6666", "6669"]), ([old("6666"), old("6667")], ["6666", "6667"]),
        ([CarrierReply(.pageShown), CarrierReply(.linkPressed), CarrierReply(.back)], ["6666", nil, "6667"]),
        ([CarrierReply(.pageShown), old("700006"), CarrierReply(.switchMethod)], ["6666", "6669"]),
        ([old("6666"), old("6666"), old("6669")], ["6666", "6669"]), ([old("6666"), old("4444")], ["6666", "4444"]),
        ([old("5555")], ["5555"]), ([old("3344")], ["3344"]), ([old("4433")], ["3344"]), ([old("2222")], ["2222"]),
        ([old("1111")], ["1111"]),
        ([old("103101")], ["3344"]), ([old("3333")], ["4444"]), ([old("600002")], ["4444"]), ([old("what")], ["4444"]),
        ([CarrierReply(.pageShown), CarrierReply(.loginPressed, isConsented: false), CarrierReply(.back)], ["6666", nil, "6667"]),
        ([], ["4444"]),
    ]

    @Test(arguments: visits.indices)
    func thePageIsAStreamOfEventsWithTheDocumentsResults(_ index: Int) async {
        let (replies, codes) = Self.visits[index]
        let events = await events(ScriptedCarrier(visits: [replies.map { .reply($0) }]))
        #expect(events.map(\.legacyCode) == codes)
        #expect(events.dropLast().allSatisfy { !$0.isLast } && events.last?.isLast == true)
        let hasToken = if case .login? = events.last { true } else { false }
        #expect(events.last?.fallback == (hasToken ? nil : .sms))
    }

    @Test
    func aTokenSaysWhenTheUserAgreed() async {
        let events = await events(.agreeing("t-secret"))
        guard case .login(let token)? = events.last else {
            Issue.record("the page ends without a token")
            return
        }
        #expect(token.consentedAt == Tenant.start && !"\(token)".contains("t-secret") && !String(reflecting: token).contains("t-secret"))
        #expect(!"\(CarrierReply(.success, token: "t-secret"))".contains("t-secret"))
    }

    /// Sentence 26: without consent there is no token, and the check box is not set beforehand.
    static let unconsented: [[CarrierReply]] = [
        [CarrierReply(.success, token: "t-1")], [CarrierReply(.loginPressed), CarrierReply(.success, token: "t-1")],
        [old("6668", token: "t-1")],
        [
            CarrierReply(.consentChanged, isConsented: true), CarrierReply(.consentChanged, isConsented: false),
            CarrierReply(.success, token: "t-1"),
        ],
    ]

    @Test(arguments: unconsented.indices)
    func aTokenWithoutConsentIsThrownAway(_ index: Int) async {
        #expect(!OneClickPage().isConsented && !TXCustomModel().checkBoxIsChecked)
        let replies = [CarrierReply(.pageShown)] + Self.unconsented[index]
        guard case .failed(let failure)? = await events(ScriptedCarrier(visits: [replies.map { .reply($0) }])).last else {
            Issue.record("a page without consent does not end with a failure")
            return
        }
        #expect(failure.meaning == .consentMissing && failure.legacyCode == "4444")
    }

    @Test
    func aBoxThatTheProgramSetBeforehandIsConsent() async {
        var page = OneClickPage()
        page.isConsented = true
        let events = await events(ScriptedCarrier(CarrierReply(.loginPressed), CarrierReply(.success, token: "t-1")), page)
        #expect(events.last?.legacyCode == "6668")
    }

    @Test(arguments: [(nil, "6666"), (CarrierCode.noSIM, "1111"), (.noCellular, "2222"), (.unknownCarrier, "4444"), (.parameters, "3344")])
    func theGatewayIsReadyOrSaysWhyNot(_ obstacle: CarrierCode?, code: String) {
        let carrier = CarrierLogin(ScriptedCarrier(obstacle: obstacle), clock: clock)
        let outcome = carrier.checkGateway()
        #expect(
            outcome.legacyCode == code && (outcome.failure == nil) == (obstacle == nil) && (outcome.fallback == nil) == (obstacle == nil))
        #expect(carrier.version == "2.1.0")
    }

    @Test
    func theNumberOfAPhoneWithTwoCardsGoesToTheSDK() {
        let carrier = CarrierLogin(ScriptedCarrier(), clock: clock)
        #expect(carrier.checkGateway(mobile: "own").legacyCode == "6666" && carrier.checkGateway(mobile: "other").legacyCode == "3344")
    }

    @Test
    func aFetchedNumberIsKeptForTenMinutes() async {
        let sdk = ScriptedCarrier(CarrierReply(.back)), carrier = CarrierLogin(sdk, clock: clock)
        for seconds in [0, 599, 1] {
            clock.advance(by: .seconds(seconds))
            #expect(await carrier.prefetch().legacyCode == "6666")
        }
        #expect(sdk.prefetchCount == 2)
        for await _ in carrier.events(on: ScriptedOneClickPage()) {}
        #expect(sdk.prefetchCount == 2 && sdk.pages.count == 1)
    }

    @Test
    func withoutAFetchedNumberThePageFetchesItFirst() async {
        let sdk = ScriptedCarrier(CarrierReply(.back))
        #expect(await events(sdk).map(\.legacyCode) == ["6666", "6667"] && sdk.prefetchCount == 1)
    }

    @Test
    func callersAtTheSameTimeShareOneFetch() async {
        let gate = Gate(), sdk = ScriptedCarrier(prefetched: [.wait(gate)]), carrier = CarrierLogin(sdk, clock: clock)
        let callers = (0..<8).map { _ in Task { await carrier.prefetch().legacyCode } }
        #expect(await settles { gate.waitingCount == 1 })
        gate.open()
        for caller in callers { #expect(await caller.value == "6666") }
        #expect(sdk.prefetchCount == 1)
    }

    @Test
    func aFetchThatFailsIsNotKept() async {
        let sdk = ScriptedCarrier(prefetched: [.reply(Self.old("600012")), .reply(CarrierReply(.success))])
        let carrier = CarrierLogin(sdk, clock: clock)
        #expect(await carrier.prefetch().legacyCode == "4444")
        #expect(await carrier.prefetch().legacyCode == "6666" && sdk.prefetchCount == 2)
    }

    @Test(arguments: [(Duration.zero, 3), (.seconds(5), 5), (.seconds(-1), 3)])
    func aFetchThatTakesLongerThanItsTimeoutIs5555(_ timeout: Duration, seconds: Int) async {
        let gate = Gate(), sdk = ScriptedCarrier(prefetched: [.wait(gate)]), carrier = CarrierLogin(sdk, clock: clock), clock = clock
        let task = Task { await carrier.prefetch(timeout: timeout).legacyCode }
        #expect(await settles { gate.waitingCount == 1 && clock.sleeperCount == 1 })
        #expect(clock.nextDeadline == clock.elapsed + .seconds(seconds) && sdk.timeouts == [.seconds(seconds)])
        clock.advance(by: .seconds(seconds))
        #expect(await task.value == "5555")
        gate.open()
    }

    @Test
    func aPageThatDoesNotAppearIs5555() async {
        let gate = Gate(), clock = clock
        let carrier = CarrierLogin(ScriptedCarrier(visits: [[.wait(gate)]]), clock: clock)
        let task = Task {
            var codes: [String?] = []
            for await event in carrier.events(on: ScriptedOneClickPage()) { codes.append(event.legacyCode) }
            return codes
        }
        #expect(await settles { gate.waitingCount == 1 && clock.sleeperCount == 1 })
        clock.advance(by: .seconds(3))
        #expect(await task.value == ["5555"])
        gate.open()
    }

    @Test
    func theUserMayLookForLongButTheTokenHasToComeInTime() async {
        let looking = Gate(), fetching = Gate(), clock = clock
        let sdk = ScriptedCarrier(visits: [
            [
                .reply(CarrierReply(.pageShown)), .wait(looking), .reply(CarrierReply(.loginPressed, isConsented: true)), .wait(fetching),
            ]
        ])
        let carrier = CarrierLogin(sdk, clock: clock), codes = Guarded([String?]())
        let task = Task {
            for await event in carrier.events(on: ScriptedOneClickPage(), timeout: .seconds(4)) {
                codes.withLock { $0.append(event.legacyCode) }
            }
        }
        #expect(await settles { looking.waitingCount == 1 && codes.withLock { $0 } == ["6666"] && clock.sleeperCount == 0 })
        clock.advance(by: .seconds(3_600))
        looking.open()
        #expect(await settles { fetching.waitingCount == 1 && clock.sleeperCount == 1 })
        clock.advance(by: .seconds(4))
        await task.value
        #expect(codes.withLock { $0 } == ["6666", "5555"])
        #expect(await settles { sdk.closedCount == 1 })
        fetching.open()
    }

    @Test
    func aCardThatWasSwitchedSinceTheFetchIsFetchedAnewOnce() async {
        let shown: [ScriptedCarrier.Step] = [.reply(CarrierReply(.pageShown)), .reply(CarrierReply(.back))]
        let sdk = ScriptedCarrier(visits: [[.reply(CarrierReply(.carrierSwitched))], shown])
        #expect(await events(sdk).map(\.legacyCode) == ["6666", "6667"] && sdk.prefetchCount == 2)
        let other = ScriptedCarrier(visits: [[.reply(CarrierReply(.carrierSwitched))]])
        #expect(await events(other).map(\.legacyCode) == ["4444"] && other.prefetchCount == 2 && other.pages.count == 2)
    }

    @Test
    func aCardThatIsSwitchedOnThePageEndsItAndForgetsTheNumber() async {
        let sdk = ScriptedCarrier(CarrierReply(.carrierSwitched)), carrier = CarrierLogin(sdk, clock: clock)
        var last: OneClickEvent?
        for await event in carrier.events(on: ScriptedOneClickPage()) { last = event }
        guard case .failed(let failure)? = last else {
            Issue.record("a switched card does not end the page with a failure")
            return
        }
        #expect(failure.meaning == .carrierSwitched && sdk.pages.count == 1)
        #expect(await carrier.prefetch().legacyCode == "6666" && sdk.prefetchCount == 2)
    }

    @Test
    func oneNumberIsFetchedAndOnePageOpenedAtATime() async {
        let gate = Gate(), sdk = ScriptedCarrier(visits: [[.reply(CarrierReply(.pageShown)), .wait(gate), .reply(CarrierReply(.back))]])
        let carrier = CarrierLogin(sdk, clock: clock)
        let task = Task { for await _ in carrier.events(on: ScriptedOneClickPage()) {} }
        #expect(await settles { gate.waitingCount == 1 })
        guard case .failed(let failure) = await carrier.prefetch() else {
            Issue.record("a number is fetched while a page is open")
            return
        }
        #expect(failure.meaning == .pageOpen)
        for await event in carrier.events(on: ScriptedOneClickPage()) { #expect(event == .failed(CarrierFailure(.pageOpen))) }
        gate.open()
        await task.value
        #expect(await carrier.prefetch().legacyCode == "6666")
    }

    @Test
    func whoStopsListeningClosesThePage() async {
        let gate = Gate(), sdk = ScriptedCarrier(visits: [[.reply(CarrierReply(.pageShown)), .wait(gate)]])
        let carrier = CarrierLogin(sdk, clock: clock)
        let task = Task { for await _ in carrier.events(on: ScriptedOneClickPage()) {} }
        #expect(await settles { gate.waitingCount == 1 })
        task.cancel()
        await task.value
        #expect(await settles { sdk.closedCount == 1 })
        gate.open()
    }
}

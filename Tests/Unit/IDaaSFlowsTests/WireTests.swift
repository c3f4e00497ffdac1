import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

@Suite struct WireTests {
    private let tenant: Tenant

    init() throws { tenant = try Tenant() }

    @Test
    func everyRequestCarriesTheFieldsOfTheInterfaceAndNoOthers() async throws {
        let tenant = try Tenant {
            $0.tenantID = "isv-1"
            $0.language = .english
            $0.device = DeviceDescription(operatingSystem: "iOS 17", agent: "app/1", address: "203.0.113.9")
            $0.fields = [HeaderField("X-Gateway", "g"), HeaderField("x-client-id", "other")]
        }
        _ = await tenant.flows.areaCodes.list()
        let request = try #require(tenant.server.requests.first)
        let expected = [
            "Content-Type": "application/json;charset=utf8", "X-client-id": "client-1", "X-operating-sys-version": "iOS 17",
            "X-agent": "app/1",
            "X-device-ip": "203.0.113.9", "X-L": "en", "X-tenant-id": "isv-1", "X-Gateway": "g",
        ]
        for (name, value) in expected {
            #expect(request.fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value) == [value])
        }
        #expect(request.first("X-device-fingerprint")?.count == 32)
        #expect(request.url == "https://tenant.example/api/v2/sdk/country-codes" && request.method == "GET")
        #expect(request.timeLimit == .seconds(10))
    }

    @Test
    func optionalFieldsAreAbsentWhereNothingIsSet() async throws {
        _ = await tenant.flows.areaCodes.list()
        let request = try #require(tenant.server.requests.first)
        #expect(request.first("X-device-ip") == nil && request.first("X-tenant-id") == nil && request.first("X-L") == "zh")
    }

    static let domains: [(String, String?)] = [
        ("https://tenant.example", "https://tenant.example"), ("https://Tenant.Example/", "https://tenant.example"),
        ("https://tenant.example:8443", "https://tenant.example:8443"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://localhost", "http://localhost"), ("http://[::1]:80", "http://[::1]:80"), ("http://tenant.example", nil),
        ("http://127.example", nil), ("tenant.example", nil), ("https://", nil), ("https://a@tenant.example", nil),
        ("https://tenant.example/path", nil), ("https://tenant.example?q", nil), ("ftp://tenant.example", nil), ("", nil),
    ]

    @Test(arguments: domains)
    func aDomainIsAnHttpsOriginOrHttpOnThisMachine(_ text: String, origin: String?) {
        let configuration = try? FlowConfiguration(domain: text, clientID: "c")
        #expect(configuration?.domain == origin)
        #expect(configuration?.issuer == origin.map { $0 + "/api/v1/oauth2" })
    }

    @Test(arguments: ["", "a\nb"])
    func aClientIdIsALineOfText(_ text: String) {
        #expect(throws: FlowError.self) { try FlowConfiguration(domain: Tenant.domain, clientID: text) }
    }

    static let dates: [(String, Duration)] = [
        (#"{"timestamp":"1700000400000"}"#, .seconds(300)), (#"{"timestamp":1700000400000}"#, .seconds(300)),
        (#"{"timestamp":"1700000400"}"#, .seconds(300)), (#"{"timestamp":1700000400}"#, .seconds(300)),
        // A day and a second: another fault is more likely.
        (#"{"timestamp":"1700086501"}"#, .zero), (#"{"timestamp":"1700086500"}"#, .seconds(86_400)),
    ]

    @Test(arguments: dates)
    func theServersDateIsReadInEachOfItsNotations(_ body: String, offset: Duration) async throws {
        tenant.server.answer(Path.date, .json(body))
        _ = try await tenant.flows.synchroniseClock().get()
        #expect(tenant.flows.clockOffset == offset)
    }

    /// Without a timestamp the date is the answer's own, and without both there is none.
    @Test(arguments: ["", "{}", "true"])
    func theDateOfAnAnswerReplacesAMissingTimestamp(_ body: String) async throws {
        tenant.server.answer(Path.date, .json(body))
        #expect(await tenant.flows.synchroniseClock().failure?.reason == .unexpectedAnswer(status: 200))
        tenant.server.answer(Path.date, .json(body, fields: [HeaderField("Date", "Tue, 14 Nov 2023 22:20:00 GMT")]))
        #expect(try await tenant.flows.synchroniseClock().get().milliseconds == 1_700_000_400_000)
        #expect(tenant.flows.clockOffset == .seconds(300))
    }

    @Test(arguments: [("<html>", ""), (" \n<!DOCTYPE html>", ""), ("blocked", "text/html; charset=utf-8")])
    func aPageOfSomethingInBetweenIsNoAnswerWhateverItsStatus(_ body: String, type: String) async throws {
        tenant.server.answer(Path.send, .json(body, fields: type.isEmpty ? [] : [HeaderField("content-type", type)]))
        tenant.server.answer(Path.captcha, .json(SliderTests.picture.replacing("KEY", with: "null")))
        tenant.server.answer(Path.verify, .json(#"{"captcha_token":"c-1"}"#))
        let slider = ScriptedSlider(.point(SliderPoint(x: 9)))
        let outcome = await tenant.flows.sms.requestCode(mobile: "13800000000", slider: slider)
        #expect(outcome.failure?.reason == .unexpectedAnswer(status: 200) && outcome.legacyCode == "1")
    }

    @Test
    func theOffsetIsTheMedianOfFiveAnswersAndCountsTheTimeInCaches() async throws {
        // ManualClock starts at Tue, 14 Nov 2023 22:15:00 GMT.
        let answers = ["22:15:50", "22:15:10", "22:15:20", "22:15:30", "22:15:40"]
        for answer in answers {
            let fields = [HeaderField("Date", "Tue, 14 Nov 2023 \(answer) GMT"), HeaderField("Age", "5")]
            tenant.server.answer(Path.areaCodes, .json("{}", fields: fields))
            _ = await tenant.flows.areaCodes.list()
        }
        #expect(tenant.flows.clockOffset == .seconds(35))
    }

    @Test
    func aCallOfACancelledTaskSendsNothing() async throws {
        let task = Task {
            await withCheckedContinuation { $0.resume() }
            while !Task.isCancelled { await Task.yield() }
            return await tenant.flows.areaCodes.list()
        }
        task.cancel()
        #expect(await task.value.failure?.reason == .cancelled && tenant.server.requests.isEmpty)
    }
}

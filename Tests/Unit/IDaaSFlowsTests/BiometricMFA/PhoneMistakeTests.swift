import Foundation
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// What happens to users: each ends in one outcome with its code.
@Suite struct PhoneMistakeTests {
    @Test
    func anotherPhoneHasNoKey() async throws {
        let old = try await PhoneTenant().bound()
        let new = try PhoneTenant()
        new.record.withLock { $0 = old.record.withLock { $0 } }
        #expect(await new.biometrics.deviceStatus(idToken: Tenant.usualToken).legacyCode == "101")
        #expect(await new.answer(try await new.pending()).legacyCode == "101")
        #expect(await new.answer(try await new.pending(), userID: "jane").legacyCode == "101")
        #expect(await new.biometrics.unbind(idToken: Tenant.usualToken).legacyCode == "1")
        #expect(new.verifier.reasons.isEmpty)
    }

    @Test
    func aRequestOutlivesTheApp() async throws {
        let before = try await PhoneTenant().bound()
        let kept = try JSONEncoder().encode(try await before.pending())
        let after = try PhoneTenant(after: before)
        #expect(await after.answer(try JSONDecoder().decode(PendingApproval.self, from: kept)).legacyCode == "0")
    }

    /// The app ended after it approved, and before it read the answer.
    @Test
    func anApprovalWhoseAnswerWasLostIsOverAfterTheRestart() async throws {
        let before = try await PhoneTenant().bound()
        let request = try await before.pending()
        let respond = WirePath.bioRespond
        before.server.answer(respond, .unreachable)
        #expect(await before.answer(request).legacyCode == "1")
        let after = try PhoneTenant(after: before)
        after.record.withLock { $0.pending = "null" }
        after.server.answer(respond, .refusal("IDAAS.SDK.MFA.1006"))
        #expect(await after.answer(request).legacyCode == "IDAAS.SDK.MFA.1006")
        #expect(await after.biometrics.pending(idToken: Tenant.usualToken).legacyCode == "2")
    }

    /// The tenant bound the phone, and the answer was lost: the phone can still unbind itself.
    @Test
    func aBindingWhoseAnswerWasLostCanBeUndone() async throws {
        let phone = try PhoneTenant()
        phone.server.answer(WirePath.bioDevice, .unreachable)
        #expect(await phone.biometrics.bind(userID: "jane", idToken: Tenant.usualToken).legacyCode == "1")
        phone.server.answer(WirePath.bioUnbind, .data("true"))
        #expect(await phone.biometrics.unbind(idToken: Tenant.usualToken).legacyCode == "0")
        #expect(phone.verifier.reasons == [.bind, .unbind])
    }

    @Test(arguments: [Int64(3_600), -3_600])
    func aClockThatIsAnHourWrongIsCorrectedByTheServers(_ ahead: Int64) async throws {
        let phone = try await PhoneTenant().bound()
        phone.tenant.server.answer(Path.date, .json(#"{"timestamp":"\#(Tenant.start * 1_000)"}"#))
        phone.tenant.clock.setDate(Tenant.start + ahead)
        _ = await phone.tenant.flows.synchroniseClock()
        let request = try await phone.pending()
        #expect(await phone.answer(request).legacyCode == "0")
    }

    @Test
    func aRequestThatSeemsExpiredByThisClockIsTheServersToJudge() async throws {
        let phone = try await PhoneTenant().bound()
        let request = try await phone.pending()
        phone.tenant.clock.advance(by: .seconds(100))
        #expect(request.isExpired(at: phone.tenant.clock.date.seconds))
        #expect(await phone.answer(request).legacyCode == "0")
    }

    static let steps = [WirePath.bioChallenge, WirePath.bioDevice, WirePath.bioUnbind, WirePath.bioPending, WirePath.bioRespond]

    @Test(arguments: steps)
    func withoutANetworkEachStepEndsRetryableAndSucceedsLater(_ path: String) async throws {
        let phone = try await PhoneTenant().bound()
        let request = try await phone.pending()
        let call: @Sendable () async -> any FlowOutcome = {
            switch path {
            case WirePath.bioDevice: await phone.biometrics.deviceStatus(idToken: Tenant.usualToken)
            case WirePath.bioPending: await phone.biometrics.pending(idToken: Tenant.usualToken)
            case WirePath.bioRespond: await phone.answer(request)
            default: await phone.biometrics.unbind(idToken: Tenant.usualToken)
            }
        }
        phone.server.answer(path, .unreachable)
        let outcome = await call()
        #expect(outcome.legacyCode == "1" && outcome.failure?.isRetryable == true && outcome.failure?.isOffline == true)
        #expect(outcome.failure?.requestID?.isEmpty == false)
        // The same phone, once the network is back.
        let again = try PhoneTenant(after: phone)
        #expect(await again.answer(request).legacyCode == "0")
        #expect(await again.biometrics.unbind(idToken: Tenant.usualToken).legacyCode == "0")
    }

    @Test
    func withoutTheIssuersKeysNothingIsSigned() async throws {
        let phone = try PhoneTenant()
        phone.tenant.documents.answer(Tenant.issuer + "/.well-known/openid-configuration", .failure(.init(.connection)))
        let outcome = await phone.biometrics.bind(userID: "jane", idToken: Tenant.usualToken)
        #expect(outcome.legacyCode == "1" && phone.server.requests.isEmpty && phone.verifier.reasons.isEmpty)
    }

    @Test
    func aCancelledCallSignsNothing() async throws {
        let phone = try await PhoneTenant().bound()
        let request = try await phone.pending()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await phone.answer(request)
        }
        task.cancel()
        #expect(await task.value.failure != nil)
        #expect(phone.server.requests(to: WirePath.bioRespond).isEmpty && phone.verifier.reasons == [.bind])
    }
}

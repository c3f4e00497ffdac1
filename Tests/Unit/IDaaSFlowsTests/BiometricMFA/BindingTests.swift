import Foundation
import IDaaSFlows
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import Secrets
import Testing

@Suite struct BindingTests {
    static let availabilities: [(BiometricAvailability, String)] =
        [
            (.face, "3"), (.touch, "4"), (.unavailable(.other("broken")), "9"), (.unavailable(.failed), "9"),
            (.unavailable(.interrupted), "9"),
        ] + BiometricFailures.documented.filter { $0.code.count == 1 }.map { (.unavailable($0.0), $0.code) }

    @Test(arguments: availabilities)
    func theTypeCheckHasTheDocumentsCodes(_ availability: BiometricAvailability, code: String) async throws {
        let phone = try PhoneTenant()
        phone.verifier.set(availability: availability)
        #expect(await phone.biometrics.availability().legacyCode == code)
        #expect(phone.verifier.reasons.isEmpty)
    }

    @Test(arguments: BiometricFailures.documented)
    func aLocalReasonHasTheDocumentsTexts(_ row: (BiometricFailure, code: String, english: String, chinese: String)) {
        #expect(row.0.legacyCode == row.code && row.0.text(in: .english) == row.english && row.0.text(in: .chinese) == row.chinese)
    }

    @Test
    func aDeviceWithoutAKeyStoreIsUnsupported() async throws {
        let tenant = try Tenant()
        #expect(await tenant.flows.biometrics.availability().legacyCode == "2")
        #expect(await tenant.flows.biometrics.bind(userID: "jane", idToken: Tenant.usualToken).legacyCode == "2")
    }

    static let statuses: [(ScriptedTenant.Reply, String)] = [
        (.data(#"{"bound":true,"key_id":"k"}"#), "101"), (.data(#"{"bound":"true"}"#), "101"), (.data(#"{"bound":false}"#), "102"),
        (.data("null", code: "COM.0217", message: "\"token\""), "COM.0217"), (.refusal("IDAAS.SDK.COMMON.1005"), "IDAAS.SDK.COMMON.1005"),
        (.data("null", code: "COM.0217", message: "\"token\"", status: 400), "COM.0217"), (.data("{}"), "1"), (.unreachable, "1"),
        (.json("<html>"), "1"),
    ]

    @Test(arguments: statuses)
    func theStatusIs101Or102OrTheServersCode(_ reply: ScriptedTenant.Reply, code: String) async throws {
        let phone = try PhoneTenant()
        phone.server.answer(WirePath.bioDevice, reply)
        #expect(await phone.biometrics.deviceStatus(idToken: Tenant.usualToken).legacyCode == code)
        #expect(phone.last(WirePath.bioDevice)?.first("Authorization") == "Bearer \(Tenant.usualToken)")
    }

    @Test(arguments: [SignatureVersion.statement, .challengeOnly], [UserVerification.biometric, .passcode])
    func bindingProvesTheKeyWithTheConfiguredVersion(_ version: SignatureVersion, _ verification: UserVerification) async throws {
        let phone = try PhoneTenant { $0.signatureVersion = version }
        phone.verifier.set(verification: verification)
        #expect(await phone.biometrics.bind(userID: "jane", idToken: Tenant.usualToken).legacyCode == "0")
        let text = version == .statement ? "IDAAS-BIO-1 c-1 client-1 u-1 bind \(verification.rawValue)" : "c-1"
        #expect(phone.record.withLock { $0.accepted } == ["bind \(text)"])
        let body = try #require(phone.last(WirePath.bioDevice))
        #expect(body.body("alg") == "ES256" && body.body("challenge") == "c-1" && body.body("uv") == verification.rawValue)
        #expect(body.body("device_name")?.isEmpty == false && phone.verifier.reasons == [.bind])
        #expect(await phone.biometrics.deviceStatus(idToken: Tenant.usualToken).legacyCode == "101")
    }

    @Test(arguments: BiometricFailures.documented)
    func aUserWhoIsNotVerifiedBindsAndUnbindsNothing(
        _ row: (BiometricFailure, code: String, english: String, chinese: String)
    ) async throws {
        let phone = try await PhoneTenant().bound()
        phone.verifier.set(failure: row.0)
        #expect(await phone.biometrics.bind(userID: "jane", idToken: Tenant.usualToken).legacyCode == row.code)
        #expect(await phone.biometrics.unbind(idToken: Tenant.usualToken).legacyCode == row.code)
        #expect(phone.server.requests(to: WirePath.bioUnbind).isEmpty && phone.record.withLock { $0.accepted.count } == 1)
    }

    @Test
    func aPhoneThatCannotVerifyIsNotAskedTo() async throws {
        let phone = try PhoneTenant()
        phone.verifier.set(availability: .unavailable(.passcodeNotSet))
        #expect(await phone.biometrics.bind(userID: "jane", idToken: Tenant.usualToken).legacyCode == "6")
        #expect(phone.verifier.reasons.isEmpty && phone.server.requests.isEmpty)
    }

    static let bindings: [(ScriptedTenant.Reply, String)] = [
        (.data("false"), "104"), (.data("null"), "104"), (.data("1"), "0"), (.data("\"true\""), "0"),
        (.data("null", message: "\"no\""), "1"), (.data("null", code: "COM.0217"), "COM.0217"),
        (.refusal("IDAAS.SDK.MFA.1004"), "IDAAS.SDK.MFA.1004"), (.unreachable, "1"),
    ]

    @Test(arguments: bindings)
    func aBindingIs0Or104OrTheServersCode(_ reply: ScriptedTenant.Reply, code: String) async throws {
        let phone = try PhoneTenant()
        phone.server.answer(WirePath.bioDevice, reply)
        #expect(await phone.biometrics.bind(userID: "jane", idToken: Tenant.usualToken).legacyCode == code)
    }

    static let unbindings: [(ScriptedTenant.Reply, String)] = [
        (.data("false"), "105"), (.data("true"), "0"), (.refusal("IDAAS.SDK.MFA.1005"), "IDAAS.SDK.MFA.1005"), (.unreachable, "1"),
    ]

    @Test(arguments: unbindings)
    func anUnbindingIs0Or105OrTheServersCode(_ reply: ScriptedTenant.Reply, code: String) async throws {
        let phone = try await PhoneTenant().bound()
        phone.server.answer(WirePath.bioUnbind, reply)
        #expect(await phone.biometrics.unbind(idToken: Tenant.usualToken).legacyCode == code)
    }

    @Test(arguments: [("", Tenant.usualToken), (" \n", Tenant.usualToken), ("jane", ""), ("a\nb", Tenant.usualToken)])
    func whatIsMissingIs1AndReachesNobody(_ userID: String, idToken: String) async throws {
        let phone = try PhoneTenant()
        #expect(await phone.biometrics.bind(userID: userID, idToken: idToken).legacyCode == "1")
        if idToken.isEmpty {
            #expect(await phone.biometrics.deviceStatus(idToken: "").legacyCode == "1")
            #expect(await phone.biometrics.unbind(idToken: "").legacyCode == "1")
        }
        #expect(phone.server.requests.isEmpty && phone.verifier.reasons.isEmpty)
    }

    static let tokens: [String] = [
        Tenant.idToken(["exp": Tenant.start - 500]), Tenant.idToken(["aud": "other"]), "abc",
        Tenant.forge.token(header: #"{"alg":"none"}"#),
    ]

    @Test(arguments: tokens)
    func aTokenThatDoesNotVerifyIsTheServersExpiredTokenAndNotSent(_ token: String) async throws {
        let phone = try PhoneTenant()
        #expect(await phone.biometrics.bind(userID: "jane", idToken: token).legacyCode == "IDAAS.SDK.COMMON.1005")
        #expect(await phone.biometrics.pending(idToken: token).legacyCode == "IDAAS.SDK.COMMON.1005")
        #expect(phone.server.requests.isEmpty && phone.verifier.reasons.isEmpty)
    }

    @Test
    func withoutATokenTheSessionsIsUsed() async throws {
        let phone = try PhoneTenant()
        #expect(await phone.biometrics.deviceStatus().legacyCode == "1")
        let session = try await phone.tenant.logIn()
        #expect(await phone.biometrics.bind(userID: "jane").legacyCode == "0")
        #expect(phone.last(WirePath.bioDevice)?.first("Authorization") == "Bearer \(session.idToken)")
    }

    @Test
    func eachUserHasAnOwnKeyAndKeepsIt() async throws {
        let phone = try PhoneTenant()
        var documents: [String] = []
        for userID in ["jane", "john", "jane"] {
            let outcome = await phone.biometrics.publicKey(userID: userID)
            guard case .publicKey(let key) = outcome else {
                Issue.record("the phone makes no public key")
                return
            }
            documents.append(key)
        }
        #expect(documents[0] == documents[2] && documents[0] != documents[1])
        #expect(phone.verifier.reasons.isEmpty)
        let other = try PhoneTenant(after: phone) { $0 = try! FlowConfiguration(domain: "https://other.example", clientID: "client-1") }
        guard case .publicKey(let foreign) = await other.biometrics.publicKey(userID: "jane") else {
            Issue.record("the other tenant's phone makes no public key")
            return
        }
        #expect(foreign != documents[0])
    }

    @Test
    func aKeyFileThatCannotBeUsedIs101() async throws {
        let phone = try PhoneTenant()
        try Data("no keys".utf8).write(to: URL(fileURLWithPath: phone.keysPath))
        try setMode(0o600, of: phone.keysPath)
        #expect(await phone.biometrics.publicKey(userID: "jane").legacyCode == "101")
        #expect(await phone.biometrics.bind(userID: "jane", idToken: Tenant.usualToken).legacyCode == "101")
    }

    @Test
    func onlyTheOwnerReadsTheKeys() async throws {
        let phone = try await PhoneTenant().bound()
        let mode = try FileManager.default.attributesOfItem(atPath: phone.keysPath)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try setMode(0o640, of: phone.keysPath)
        #expect(await phone.biometrics.unbind(idToken: Tenant.usualToken).legacyCode == "105")
    }

    @Test
    func unbindingRemovesTheKey() async throws {
        let phone = try await PhoneTenant().bound()
        let request = try await phone.pending()
        #expect(await phone.biometrics.unbind(idToken: Tenant.usualToken).legacyCode == "0")
        #expect(phone.record.withLock { $0.accepted.last } == "unbind IDAAS-BIO-1 c-2 client-1 u-1 unbind biometric")
        let before = phone.server.requests.count
        #expect(await phone.answer(request, userID: "jane").legacyCode == "101")
        #expect(await phone.biometrics.unbind(idToken: Tenant.usualToken).legacyCode == "1")
        #expect(phone.server.requests.count == before)
    }

    @Test
    func aNewEnrolmentVoidsTheKeyUntilTheNextBinding() async throws {
        let phone = try await PhoneTenant().bound()
        let request = try await phone.pending()
        let first = phone.record.withLock { $0.key }
        phone.verifier.set(enrolment: "e-2")
        let outcome = await phone.answer(request)
        #expect(outcome.legacyCode == "101" && outcome.failure?.reason == .biometric(.keyInvalidated))
        #expect(await phone.biometrics.unbind(idToken: Tenant.usualToken).legacyCode == "105")
        #expect(phone.verifier.reasons == [.bind])
        try await phone.bound()
        #expect(phone.record.withLock { $0.key } != first)
        #expect(await phone.answer(request).legacyCode == "0")
    }

    @Test
    func aRecentVerificationServesABindingByPublicKeyAlone() async throws {
        let phone = try PhoneTenant()
        guard case .publicKey(let key) = await phone.biometrics.publicKey(userID: "jane") else {
            Issue.record("the phone makes no public key")
            return
        }
        for (wait, prompts) in [(0, 1), (9, 1), (1, 2)] {
            phone.keyClock.advance(by: .seconds(wait))
            #expect(await phone.biometrics.bind(publicKey: key, idToken: Tenant.usualToken).legacyCode == "0")
            #expect(phone.verifier.reasons.count == prompts)
        }
        #expect(await phone.answer(try await phone.pending()).legacyCode == "0")
        #expect(phone.verifier.reasons.last == .approve(clientName: "华为云"))
    }

    @Test(arguments: ["", "?", "AAAA"])
    func aPublicKeyThatIsNotHereBindsNothing(_ key: String) async throws {
        let phone = try PhoneTenant()
        #expect(await phone.biometrics.bind(publicKey: key, idToken: Tenant.usualToken).legacyCode == (key == "AAAA" ? "101" : "1"))
        #expect(phone.server.requests.isEmpty)
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}

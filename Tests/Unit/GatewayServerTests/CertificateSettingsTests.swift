import Gateway
import GatewayServer
import Testing

/// `certificateBound` of a provider, and `certificate` of a listener.
@Suite struct CertificateSettingsTests {
    private static func sample(_ certificate: String, _ bound: String = "required", profile: String = "nginx", _ more: String = "")
        -> String
    {
        let listener = certificate.isEmpty ? "profile: \(profile)" : "profile: \(profile)\n    certificate: \(certificate)"
        return SampleConfiguration.text.replacing("profile: nginx", with: listener + more)
            .replacing("audiences: [client-1]", with: "audiences: [client-1]\n    certificateBound: \(bound)")
    }

    private static let field = "{field: X-Client-Cert, form: pem-escaped}"

    @Test(arguments: CertificateBinding.allCases, CertificateForm.allCases.filter { $0 != .der && $0 != .digest })
    func eachIsSet(binding: CertificateBinding, form: CertificateForm) throws {
        let text = Self.sample("{field: X-Client-Cert, form: \(form.rawValue)}", binding.rawValue)
        let configuration = try ServiceConfiguration(yaml: text)
        #expect(configuration.decisions.providers[0].certificateBinding == binding)
        #expect(configuration.listeners[0].certificateField == CertificateField(name: "x-client-cert", form: form))
    }

    @Test func withoutThemNothingIsLookedAt() throws {
        let configuration = try ServiceConfiguration(yaml: SampleConfiguration.text)
        #expect(configuration.decisions.providers[0].certificateBinding == nil && configuration.listeners[0].certificateField == nil)
    }

    @Test func envoyByGRPCTellsItByItself() throws {
        #expect(throws: Never.self) { try ServiceConfiguration(yaml: Self.sample("", profile: "envoy-grpc")) }
        let faults = SettingsFaultTests.faults(of: Self.sample(Self.field, profile: "envoy-grpc"))
        #expect(faults.count == 1 && faults.first?.text.contains("source.certificate") == true, "\(faults)")
    }

    @Test(arguments: [
        ("", SettingsFault.Code.conflict, "no listener's gateway tells"), ("{field: x-client-cert}", .missingSetting, "form"),
        ("{form: xfcc}", .missingSetting, "field"),
        ("{field: x-client-cert, form: pem}", .invalidValue, "pem-escaped, xfcc, der-base64, rfc9440"),
        ("{field: x-client-cert, form: der}", .invalidValue, "is expected"),
        ("{field: x-client-cert, form: digest}", .invalidValue, "is expected"),
        ("{field: x client, form: xfcc}", .invalidValue, "not a name"),
        ("{field: Authorization, form: xfcc}", .invalidValue, "another use"),
        ("{field: Cookie, form: xfcc}", .invalidValue, "another use"),
        ("{field: x-original-uri, form: xfcc}", .invalidValue, "another use"),
        ("{field: dpop, form: xfcc}", .invalidValue, "another use"), ("{name: x-client-cert, form: xfcc}", .unknownSetting, "name"),
        ("x-client-cert", .wrongKind, "settings are expected"),
    ])
    func whatIsNoneIsAFault(certificate: String, code: SettingsFault.Code, text: String) throws {
        let faults = SettingsFaultTests.faults(of: Self.sample(certificate))
        #expect(faults.contains { $0.code == code && $0.text.contains(text) }, "\(faults)")
    }

    @Test(arguments: ["X-Forwarded-Client-Cert", "X-Forwarded-Tls-Client-Cert", "Client-Cert"])
    func theUsualFieldsMayBeNamed(field: String) throws {
        let configuration = try ServiceConfiguration(yaml: Self.sample("{field: \(field), form: xfcc}"))
        #expect(configuration.listeners[0].certificateField?.name == field.lowercased())
    }

    @Test func aFieldOfTokensOrOfTheContextIsNone() {
        let tokens = Self.sample("{field: x-token, form: xfcc}").replacing("- authorization: Bearer", with: "- header: x-token")
        #expect(SettingsFaultTests.faults(of: tokens).contains { $0.text.contains("tokens come in the field `x-token`") })
        let context = Self.sample("{field: x-client, form: xfcc}", profile: "nginx", "\n    contextHeaders: {x-client: client}")
        #expect(SettingsFaultTests.faults(of: context).count > 0)
    }

    /// A gateway's file that handles the field of the claim would count as one that sets the certificate, and let the client's through.
    @Test(arguments: ["X-Client-Cert", "x-client-cert"])
    func aFieldOfAClaimIsNone(_ name: String) {
        let faults = SettingsFaultTests.faults(of: Self.sample(Self.field).replacing("header: x-user", with: "header: \(name)"))
        #expect(faults.contains { $0.text.contains("a claim goes on in the field `x-client-cert`") }, "\(faults)")
    }

    @Test func anotherWordThanRequiredAndOptionalIsAFault() {
        let faults = SettingsFaultTests.faults(of: Self.sample(Self.field, "true"))
        #expect(faults.contains { $0.text.contains("required, optional") }, "\(faults)")
    }
}

import DPoP
import Foundation
import Gateway
import JWTCore
import JWTTestSupport
import Testing

/// The settings `dpop` of a provider, as the service reads them; a host refuses them.
struct ProofSettingsTests {
    private static func document(_ dpop: String, _ more: String = "") -> String {
        #"{"providers":[{"name":"main","issuer":"https://idp.example","audiences":["api"],"dpop":\#(dpop)\#(more)}],"#
            + #""policies":[{"name":"api","requires":"main"}],"routes":[{"policy":"api"}]}"#
    }

    private static func read(_ dpop: String, _ more: String = "") throws -> (GatewayConfiguration, [String]) {
        let bytes = Array(document(dpop, more).utf8), faults = FaultList()
        let root = try SettingsNode.document(json: bytes.span)
        let section = try #require(SettingsSection(root, "", names: GatewaySettings.names, faults))
        let configuration = GatewayConfiguration(section, folder: NSTemporaryDirectory())
        return (configuration, faults.faults.map(\.description))
    }

    @Test
    func theSettingsBecomeTerms() throws {
        let (configuration, faults) = try Self.read(
            #"{"tokens":"any","algorithms":["ES256","EdDSA"],"maximumAgeSeconds":30,"leewaySeconds":5,"#
                + #""origin":"https://api.example","nonces":{"periodSeconds":60}}"#
        )
        let provider = try #require(configuration.providers.first), terms = try #require(provider.proofs)
        #expect(
            faults == [] && terms.tokens == .any && terms.policy.algorithms == [.es256, .edDSA] && terms.origin == "https://api.example")
        #expect(terms.policy.maximumAge == .seconds(30) && terms.policy.leeway == .seconds(5))
        #expect(terms.policy.nonces?.period == .seconds(60))
        #expect(provider.sources == [.bearer, .authorization(scheme: "DPoP")])
        try configuration.check()
    }

    @Test
    func placesOfTheOperatorGetTheSchemeOnlyIfTheyLackIt() throws {
        let (configuration, faults) = try Self.read(#"{"tokens":"bound"}"#, #","tokenFrom":[{"authorization":"dpop"}]"#)
        #expect(faults == [] && configuration.providers[0].sources == [.authorization(scheme: "dpop")])
        #expect(configuration.providers[0].proofs?.policy.nonces == nil)
    }

    @Test(arguments: [
        ("{}", "dpop.tokens"), (#"{"tokens":"some"}"#, "dpop.tokens"), (#"{"tokens":"bound","algorithms":["HS256"]}"#, "dpop.algorithms"),
        (#"{"tokens":"bound","maximumAgeSeconds":0}"#, "dpop.maximumAgeSeconds"), (#"{"tokens":"bound","x":1}"#, "dpop.x"),
        (#"{"tokens":"bound","nonces":{"periodSeconds":0}}"#, "dpop.nonces.periodSeconds"),
        (#"{"tokens":"bound","nonces":{"secretFile":"/no/such/file"}}"#, "dpop.nonces.secretFile"),
        (#"{"tokens":"bound","nonces":{"earlierSecretFile":"/no/such/file"}}"#, "dpop.nonces.earlierSecretFile"),
    ])
    func aWrongSettingIsAFault(dpop: String, setting: String) throws {
        #expect(try Self.read(dpop).1.contains { $0.contains(setting) })
    }

    /// The host is the client's own word where no route names one.
    @Test(arguments: [
        (#"{"tokens":"bound"}"#, "", 1), (#"{"tokens":"bound","origin":"https://api.example"}"#, "", 0),
        (#"{"tokens":"bound"}"#, #","hosts":["api.example"]"#, 0),
    ])
    func proofsForAnyHostAreAWarning(dpop: String, hosts: String, count: Int) throws {
        let text = Self.document(dpop).replacing(#"{"policy":"api"}"#, with: #"{"policy":"api"\#(hosts)}"#), faults = FaultList()
        let root = try SettingsNode.document(json: Array(text.utf8).span)
        let section = try #require(SettingsSection(root, "", names: GatewaySettings.names, faults))
        let warnings = GatewayConfiguration(section, folder: NSTemporaryDirectory()).proofsForAnyHost(root)
        #expect(faults.faults.isEmpty && warnings.count == count, "\(warnings)")
        #expect(warnings.allSatisfy { $0.text.contains("providers[1].dpop") && $0.text.contains("origin") }, "\(warnings)")
    }

    @Test
    func aHostHasThem() throws {
        let bytes = Array(Self.document(#"{"tokens":"bound"}"#).utf8), settings = try GatewaySettings(json: bytes.span)
        #expect(settings.configuration.providers[0].proofs?.tokens == .bound)
        #expect(settings.warnings.contains { $0.text.contains("a proof for any host passes") }, "\(settings.warnings)")
    }

    @Test
    func secretsOfFilesMakeTheSameNoncesInEveryProcess() throws {
        let folder = try TemporaryFolder(), file = folder.path + "/secret", short = folder.path + "/short"
        try Data((0..<48).map { UInt8($0) }).write(to: URL(fileURLWithPath: file))
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: short))
        let text = #"{"tokens":"bound","nonces":{"secretFile":"\#(file)"}}"#
        let (first, faults) = try Self.read(text), (second, _) = try Self.read(text)
        #expect(faults == [])
        let nonce = first.providers[0].proofs?.policy.nonces?.current(at: 1_700_000_000)
        #expect(nonce != nil && nonce == second.providers[0].proofs?.policy.nonces?.current(at: 1_700_000_000))
        #expect(try Self.read(#"{"tokens":"bound","nonces":{"secretFile":"\#(short)"}}"#).1.contains { $0.contains("32 to 4,096") })
    }
}

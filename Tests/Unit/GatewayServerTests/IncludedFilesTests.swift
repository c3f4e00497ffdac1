import Foundation
import Gateway
import GatewayServer
import JWKSCache
import JWTTestSupport
import Testing

@Suite struct IncludedFilesTests {
    static let shop = """
        providers:
          - {name: shop-idp, issuer: "https://shop.example", audiences: [shop]}
        policies:
          - {name: shop, requires: shop-idp}
        routes:
          - {path: /shop, policy: shop}

        """
    /// The sample with a route that leaves room for others behind it.
    static let own = SampleConfiguration.replacing("path: /", with: "path: /orders")

    /// A folder with the configuration and with files below `conf.d`.
    static func folder(including include: String, _ files: [String: String] = [:], own: String = own) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/conf.d", withIntermediateDirectories: true)
        for (name, text) in files { _ = try folder.write(name, text) }
        _ = try folder.write("gateway.yaml", own + "include: \(include)\n")
        return folder
    }

    private static func configuration(_ folder: TemporaryFolder) throws(SettingsFailure) -> ServiceConfiguration {
        try ServiceConfiguration(file: folder.path + "/gateway.yaml", environment: ["NAME": "shop", "MANY": "conf.d/*.yaml"])
    }

    private static func faults(_ folder: TemporaryFolder) -> [SettingsFault] {
        do throws(SettingsFailure) {
            _ = try configuration(folder)
            return []
        } catch {
            return error.faults
        }
    }

    @Test(arguments: [
        "conf.d/shop.yaml", "[conf.d/shop.yaml]", "[conf.d/*.yaml]", "[\"conf.d/sh?p.y*\"]", "conf.d/${NAME}.yaml", "${MANY}",
    ])
    func itsElementsFollowThoseOfTheConfiguration(include: String) throws {
        let folder = try Self.folder(including: include, ["conf.d/shop.yaml": Self.shop])
        let decisions = try Self.configuration(folder).decisions
        #expect(decisions.providers.map(\.name) == ["idp", "shop-idp"])
        #expect(decisions.policies.map(\.name) == ["api", "shop"])
        #expect(decisions.routes.map(\.policy) == ["api", "shop"])
    }

    /// The order of includes, and in a pattern that of the bytes of names: upper case stands before lower case.
    @Test func filesHaveAnOrder() throws {
        let names = ["conf.d/b.yaml", "conf.d/B.yaml", "conf.d/10.yaml", "conf.d/9.yaml", "conf.d/.hidden.yaml", "last.yaml", "first.yaml"]
        let files = Dictionary(uniqueKeysWithValues: names.map { ($0, "routes:\n  - {path: \"/\($0)\", policy: api}\n") })
        let folder = try Self.folder(including: "[first.yaml, conf.d/*.yaml, last.yaml]", files)
        #expect(
            try Self.configuration(folder).decisions.routes.map(\.path) == [
                .prefix("/orders"), .prefix("/first.yaml"), .prefix("/conf.d/10.yaml"), .prefix("/conf.d/9.yaml"),
                .prefix("/conf.d/B.yaml"),
                .prefix("/conf.d/b.yaml"), .prefix("/last.yaml"),
            ])
    }

    /// All lists may stand in included files, also behind a list of the configuration whose elements are commented out.
    @Test func theConfigurationNeedsNoListOfItsOwn() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("shop.yaml", Self.shop)
        _ = try folder.write("none.yaml", "# routes:\n")
        let listeners = "include: [none.yaml, shop.yaml]\nlisteners:\n  - {profile: nginx, tcp: \"127.0.0.1:0\"}\nroutes:\n"
        _ = try folder.write("gateway.yaml", listeners)
        let decisions = try Self.configuration(folder).decisions
        #expect(decisions.providers.map(\.name) == ["shop-idp"] && decisions.routes.count == 1)
    }

    /// A path is no pattern because of the folder that it counts from.
    @Test(arguments: ["conf.d/shop.yaml", "conf.d/*.yaml"]) func theFolderMayHaveWildcardsInItsName(include: String) throws {
        let folder = try Self.folder(including: include, ["conf.d/shop.yaml": Self.shop]), name = folder.path + "/[a]*?\\b"
        try FileManager.default.createDirectory(atPath: name + "/conf.d", withIntermediateDirectories: true)
        for file in ["gateway.yaml", "conf.d/shop.yaml"] {
            try FileManager.default.copyItem(atPath: "\(folder.path)/\(file)", toPath: "\(name)/\(file)")
        }
        let configuration = try ServiceConfiguration(file: name + "/gateway.yaml", environment: [:])
        #expect(configuration.decisions.routes.count == 2)
    }

    /// A provider means the same in every file.
    @Test func pathsCountFromTheFolderOfTheConfiguration() throws {
        let keys = Self.shop.replacing("audiences: [shop]", with: "audiences: [shop], keys: {file: keys.json}, storage: kept")
        let folder = try Self.folder(including: "conf.d/shop.yaml", ["conf.d/shop.yaml": keys, "keys.json": "{}"])
        let configuration = try Self.configuration(folder)
        #expect(configuration.decisions.providers.last?.issuer.storage?.path == folder.path + "/kept")
        #expect(try configuration.checkFiles().isEmpty)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let code: SettingsFault.Code
        let words: String
        var testDescription: String { "\(code.rawValue): \(words)" }

        init(_ text: String, _ line: Int, _ code: SettingsFault.Code, _ words: String) {
            self.text = text
            self.line = line
            self.code = code
            self.words = words
        }
    }

    @Test(arguments: [
        // What an included file may not have.
        Case(
            "include: b.yaml\n", 1, .unknownSetting, "`include`: an included file has only `providers`, `resources`, `policies`, `routes`"),
        Case("#\nlisteners: []\n", 2, .unknownSetting, "`listeners`: an included file has only"),
        Case("route: []\n", 1, .unknownSetting, "did you mean `routes`?"),
        Case("routes: {path: /}\n", 1, .wrongKind, "`routes`: a list is expected"),
        Case("- path: /\n", 1, .wrongKind, "lists are expected here"),
        Case("routes: [\n", 0, .notYAML, "not YAML"),
        Case("routes:\n  - {path: /a, policy: &a api}\n", 2, .unsupportedYAML, "anchors"),
        Case("routes:\n  - {path: \"/${ABSENT}\", policy: api}\n", 2, .unknownName, "`ABSENT`"),
        // Found while settings are read, when all are, and by the core.
        Case(
            "routes:\n  - path: /a\n    policy: apy\n", 3, .unknownName, "`routes[2].policy`: there is no policy `apy`; did you mean `api`?"
        ),
        Case("#\nroutes:\n  - {path: /orders/new, policy: api}\n", 3, .conflict, "`routes[2]`: never decides: `routes[1]`, which"),
        Case("routes:\n  - {path: /a/../b, policy: api}\n", 2, .invalidValue, "`routes[2].path`: a path"),
        Case("routes:\n  - path: /a\n    policy: api\n    headers: {host: a}\n", 4, .conflict, "use `hosts`"),
        Case("policies:\n  - {name: api, requires: idp}\n", 2, .repeatedName, "two policies are called `api`"),
        Case(
            shop.replacing("audiences: [shop]", with: "audiences: [shop], keys: {url: \"https://10.0.0.1/\"}"), 2, .conflict, "allowPrivate"
        ),
    ])
    func aFaultNamesItsFileAndLine(fault: Case) throws {
        let folder = try Self.folder(including: "conf.d/*.yaml", ["conf.d/a.yaml": fault.text, "conf.d/b.yaml": "#\n"])
        let faults = Self.faults(folder), found = try #require(faults.first { $0.code == fault.code }, "\(faults)")
        #expect(found.place.file == folder.path + "/conf.d/a.yaml" && found.text.contains(fault.words), "\(found)")
        #expect(found.line == fault.line || fault.line == 0, "\(found)")
        #expect(found.description.hasPrefix("\(folder.path)/conf.d/a.yaml:\(found.line): "))
    }

    /// Numbers count over all files, so the other route has its place too.
    @Test func aRouteThatNeverDecidesNamesThePlaceOfTheOther() throws {
        let routes = "routes:\n  - {path: /a, policy: api}\n"
        let folder = try Self.folder(including: "[a.yaml, b.yaml]", ["a.yaml": routes, "b.yaml": routes])
        let fault = try #require(Self.faults(folder).first)
        #expect(fault.place.file == folder.path + "/b.yaml")
        #expect(fault.text.contains("`routes[2]` (\(folder.path)/a.yaml:2), which comes first"), "\(fault)")
    }

    @Test(arguments: [
        Case("absent.yaml", 29, .unreadable, "`include`: there is no file"), Case("conf.d", 29, .unreadable, "not a regular file"),
        Case("[absent.d/*.yaml]", 29, .unreadable, "is not there, or cannot be read"), Case("[]", 29, .wrongKind, "the list is empty"),
        Case("", 29, .wrongKind, "the path of a file is expected"),
        Case("\n  - conf.d/*\n  - {a: b}", 31, .wrongKind, "the path of a file"),
        Case("\"a\\0b\"", 29, .wrongKind, "the path of a file"), Case("[a.yaml, \"?.yaml\"]", 29, .repeatedName, "is included twice"),
        Case("${ABSENT}", 29, .unknownName, "`ABSENT`"), Case("large.yaml", 29, .tooLarge, "1048576 bytes"),
        Case("[\"many.d/*\"]", 29, .tooLarge, "more than 256 files"), Case("[\"large.d/*\"]", 29, .tooLarge, "together have more than"),
    ])
    func anIncludeThatCannotBeReadIsAFault(fault: Case) throws {
        let folder = try Self.folder(including: fault.text, ["a.yaml": "#\n"])
        let comment = "#" + String(repeating: "a", count: 1_048_575)
        for name in ["many.d", "large.d"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        if fault.words.contains("1048576") { _ = try folder.write("large.yaml", comment + "a") }
        if fault.words.contains("together") { for file in 0..<8 { _ = try folder.write("large.d/\(file)", comment) } }
        if fault.words.contains("256") { for file in 0...256 { _ = try folder.write("many.d/\(file)", "#\n") } }
        let faults = Self.faults(folder), found = try #require(faults.first { $0.code == fault.code }, "\(faults)")
        #expect(found.line == fault.line && found.place.file == nil && found.text.contains(fault.words), "\(found)")
    }

    @Test func aPatternWithoutAFileIsAWarning() throws {
        let warnings = try Self.configuration(Self.folder(including: "[conf.d/*.yaml]")).checkFiles()
        #expect(warnings.map(\.line) == [29] && warnings.first?.text.contains("conf.d/*.yaml") == true, "\(warnings)")
    }

    @Test func whatItMayMeanIsAWarningWithItsFile() throws {
        let folder = try Self.folder(including: "a.yaml", ["a.yaml": "policies:\n  - {name: idle, requires: idp}\n"])
        #expect(unsafe chmod(folder.path + "/a.yaml", 0o646) == 0)
        let warnings = try Self.configuration(folder).checkFiles()
        #expect(
            warnings.map(\.description) == [
                "\(folder.path)/a.yaml:2: `policies[2]`: no route names the policy idle",
                "\(folder.path)/a.yaml: everyone on this machine may change the file",
            ])
    }
}

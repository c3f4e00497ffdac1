import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

struct RefusalTests: ServerTests {
    /// The ways to request a language.
    private static let languages: [(fields: [(String, String)], language: Language)] = [
        ([], .english), ([("X-L", "zh")], .chinese), ([("X-L", "en")], .english), ([("Accept-Language", "zh-CN,en;q=0.5")], .chinese),
    ]

    /// Each is refused with its code, its arguments and the catalogue's text in the requested language.
    @Test(arguments: Refusals.groups)
    func eachRefusalHasItsCodeAndText(group: RefusalGroup) async throws {
        try await RefusalStage.with(group.setting) { stage in
            for refusal in group.refusals {
                for (fields, language) in Self.languages {
                    let reply = try await refusal.provoke(stage).sent(to: stage.server, adding: fields)
                    Self.check(reply, refusal, language)
                }
                // After the limits of a minute, which also count by address.
                stage.server.clock.advance(by: 61)
            }
        }
    }

    /// The provoked refusals are exactly those in the OpenAPI document of a running server.
    @Test(.liveServer)
    func everyListedRefusalIsProvoked() async throws {
        let listed = try Self.refusals(listedIn: try await wire.send("GET", "/openapi.json", []).json)
        let provoked = Set(Refusals.groups.flatMap(\.refusals).map { "\($0.operation) \($0.status) \($0.code.rawValue)" })
        #expect(listed.count > 100)
        #expect(listed.subtracting(provoked).sorted() == [], "listed, and not provoked")
        #expect(provoked.subtracting(listed).sorted() == [], "provoked, and not listed")
    }

    private static func check(_ reply: WireReply, _ refusal: Refusal, _ language: Language) {
        var text = refusal.code.template(in: language)
        for (place, argument) in refusal.arguments.enumerated() { text = text.replacing("{\(place)}", with: argument) }
        #expect(!text.contains("{"), "\(refusal) has too few arguments")
        #expect(reply.status == refusal.status, "\(refusal)")
        #expect(reply.errorCode == refusal.code.rawValue, "\(refusal)")
        #expect(reply.errorText == text, "\(refusal)")
        #expect(reply.details["args"] as? [String] ?? [] == refusal.arguments, "\(refusal)")
        let pause = refusal.status == 503 ? "1" : refusal.code == .rateLimited ? refusal.arguments.first : nil
        #expect(reply.field("Retry-After") == pause, "\(refusal)")
    }

    /// Operation, status and code of each reply that has a code.
    private static func refusals(listedIn document: [String: Any]) throws -> Set<String> {
        let shared = try #require((document["components"] as? [String: Any])?["responses"] as? [String: [String: Any]])
        var listed = Set<String>()
        for methods in try #require(document["paths"] as? [String: [String: [String: Any]]]).values {
            for operation in methods.values {
                let name = try #require(operation["operationId"] as? String)
                for (status, response) in try #require(operation["responses"] as? [String: [String: Any]]) {
                    let reference = (response["$ref"] as? String)?.split(separator: "/").last.map(String.init)
                    let response = try reference.map { try #require(shared[$0]) } ?? response
                    for code in codes(of: response) { listed.insert("\(name) \(status) \(code)") }
                }
            }
        }
        return listed
    }

    private static func codes(of response: [String: Any]) -> [String] {
        let content = (response["content"] as? [String: [String: [String: Any]]])?["application/json"]?["schema"]
        let parts = content?["allOf"] as? [[String: Any]] ?? []
        return parts.compactMap { ($0["properties"] as? [String: [String: [String]]])?["error_code"]?["enum"] }.flatMap { $0 }
    }
}

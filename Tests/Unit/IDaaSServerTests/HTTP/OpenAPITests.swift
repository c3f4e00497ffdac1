import Foundation
import IDaaSServer
import IDaaSTestSupport
import Testing

struct OpenAPITests: ServerTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/openapi.json")

    /// With `ASSAY_WRITE_OPENAPI` set, the test writes the file instead, for a change of the document.
    @Test(.liveServer)
    func theRepositorysFileIsWhatAServerServes() async throws {
        let reply = try await wire.send("GET", "/openapi.json", [])
        #expect(reply.status == 200)
        #expect(reply.field("Content-Type") == "application/json;charset=utf-8")
        if ProcessInfo.processInfo.environment["ASSAY_WRITE_OPENAPI"] != nil {
            try Data(reply.body).write(to: Self.file)
        }
        #expect(reply.text == (try String(contentsOf: Self.file, encoding: .utf8)))
    }

    @Test
    func everyReferenceLeadsSomewhereAndEveryComponentIsReferredTo() throws {
        let text = OpenAPIDocument.json.text
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let components = try #require(document["components"] as? [String: Any])
        var unused = Set<String>()
        for section in ["parameters", "responses", "schemas"] {
            for name in try #require(components[section] as? [String: Any]).keys { unused.insert("#/components/\(section)/\(name)") }
        }
        let known = unused
        for match in text.matches(of: /"\$ref":"([^"]+)"/) {
            #expect(known.contains(String(match.1)), "\(match.1) leads nowhere")
            unused.remove(String(match.1))
        }
        #expect(unused.isEmpty)
    }

    @Test(.liveServer)
    func everyOperationIsServedWithItsMethodAndNoOtherMethodIs() async throws {
        for path in Set(OpenAPIDocument.operations.map(\.path)) {
            let described = Set(OpenAPIDocument.operations.filter { $0.path == path }.map { $0.method.uppercased() })
            let reply = try await wire.send("PATCH", path, [])
            #expect(reply.status == 405, "\(path)")
            let allowed = Set((reply.field("Allow") ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
            #expect(allowed.subtracting(["HEAD"]) == described, "\(path)")
        }
        let names = OpenAPIDocument.operations.map(\.name)
        #expect(Set(names).count == names.count)
    }
}

import Foundation
import JWTTestSupport
import Testing

/// The folders of JWTCore have one order: only a folder itself and later ones use what it declares.
struct FolderOrderTests {
    static let folders = [
        "Errors", "Time", "Sharing", "Bytes", "JSON", "Token", "Algorithms", "Header", "Engine", "Keys", "Claims", "Status", "Possession",
        "Introspection", "Cache", "Verification",
    ]

    private static let root = URL(fileURLWithPath: ConformanceFolder.repository).appendingPathComponent("Sources/JWTCore")

    private static func code(_ folder: String) throws -> String {
        let files = try FileManager.default.contentsOfDirectory(at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        return try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    }

    /// The identifiers in each folder's code, without comments and strings.
    private static func words(_ folder: String) throws -> Set<String> {
        let code = try code(folder)
        let bare = code.replacing(#/\/\/[^\n]*/#, with: "").replacing(#/"[^"\n]*"/#, with: "")
        return Set(bare.matches(of: #/\b[A-Z]\w+/#).map { String($0.output) })
    }

    /// The non-private types that each folder declares.
    private static func types(_ folder: String) throws -> Set<String> {
        let declaration = #/(?m)^(?:@\w+ )*(?:public |package )?(?:final )?(?:struct|class|enum|protocol) (\w+)/#
        return try Set(code(folder).matches(of: declaration).map { String($0.output.1) })
    }

    @Test
    func everyFolderHasItsPlaceInTheOrder() throws {
        let found = try FileManager.default.contentsOfDirectory(atPath: Self.root.path)
        #expect(Set(found) == Set(Self.folders + ["Docs.docc"]))
    }

    @Test(arguments: folders)
    func noFolderNamesATypeOfOneBehindIt(folder: String) throws {
        let place = try #require(Self.folders.firstIndex(of: folder)), words = try Self.words(folder)
        #expect(try !Self.types(folder).isEmpty)
        for later in Self.folders[(place + 1)...] {
            let named = try words.intersection(Self.types(later)).sorted()
            #expect(named == [], "\(folder) names what \(later) declares")
        }
    }
}

import Fixtures
import Foundation

/// An input of the vectors or of a fuzzer's corpus.
struct CostSample {
    let name: String
    let bytes: [UInt8]
    /// Otherwise a JWK Set.
    let isToken: Bool

    /// The tokens and JWK Sets of every vector file below `paths`, and every other file as a token and as a JWK Set.
    static func all(below paths: [String]) throws -> [CostSample] {
        try paths.flatMap(files).flatMap { path -> [CostSample] in
            let content = try Data(contentsOf: URL(fileURLWithPath: path))
            guard path.hasSuffix(".json"), let file = try JSONSerialization.jsonObject(with: content) as? [String: Any] else {
                let name = path.split(separator: "/").suffix(2).joined(separator: "/")
                return [true, false].map { CostSample(name: name, bytes: Array(content), isToken: $0) }
            }
            return samples(file["cases"], "token", isToken: true) + samples(file["documents"], "document", isToken: false)
        }
    }

    /// A JWK Set with as many keys as a set may have, each of the group that libcrypto checks most slowly for its length.
    static func largestSet() throws -> CostSample {
        let set = try Fixtures.keys("algorithm-faults", keyID: "p521-1", others: 255)
        return CostSample(name: "256 keys of P-521", bytes: Array(set), isToken: false)
    }

    /// The token with another signature. Without three parts it is as it was.
    var damaged: CostSample {
        var damaged = bytes
        let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
        guard dots.count == 2, dots[1] + 2 < bytes.count else { return self }
        let middle = (dots[1] + bytes.count) / 2
        damaged[middle] = damaged[middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return CostSample(name: name, bytes: damaged, isToken: true)
    }

    private static func samples(_ entries: Any?, _ member: String, isToken: Bool) -> [CostSample] {
        ((entries as? [[String: Any]]) ?? []).compactMap { entry in
            guard let name = entry["id"] as? String, let text = entry[member] as? String else { return nil }
            return CostSample(name: name, bytes: Array(text.utf8), isToken: isToken)
        }
    }

    private static func files(below path: String) -> [String] {
        guard let names = FileManager.default.enumerator(atPath: path) else { return [path] }
        let all = names.compactMap { $0 as? String }.map { "\(path)/\($0)" }
        return all.filter { (try? FileManager.default.attributesOfItem(atPath: $0))?[.type] as? FileAttributeType == .typeRegular }.sorted()
    }
}

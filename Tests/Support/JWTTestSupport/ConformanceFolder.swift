import Foundation

/// The folder of third-party vectors, which is not part of the repository: `ASSAY_CONFORMANCE`, or `../shared/conformance` beside it.
public enum ConformanceFolder {
    public static let path: String? = {
        let environment = ProcessInfo.processInfo.environment["ASSAY_CONFORMANCE"]
        let candidates = [environment, repository + "/../shared/conformance"].compactMap { $0 }
        return candidates.first { FileManager.default.fileExists(atPath: $0 + "/MANIFEST.tsv") }
    }()

    /// For `.enabled(if:)`: prints once that the vectors are absent.
    public static let isThere: Bool = {
        if path == nil { print("third-party vectors skipped: set ASSAY_CONFORMANCE to their folder") }
        return path != nil
    }()

    /// The bytes of a file in the folder; empty if it is missing, which no test accepts.
    public static func bytes(_ name: String) -> [UInt8] {
        guard let path, let data = FileManager.default.contents(atPath: "\(path)/\(name)") else { return [] }
        return Array(data)
    }

    /// A JSON file of the folder.
    public static func json(_ name: String) -> Any? { try? JSONSerialization.jsonObject(with: Data(bytes(name))) }

    /// The file names in a subfolder, sorted.
    public static func names(_ folder: String) -> [String] {
        guard let path else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []).sorted()
    }

    /// The root of the repository.
    public static let repository: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/")
    }()
}

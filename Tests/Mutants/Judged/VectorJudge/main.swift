// Judges by the vectors, as `assay conformance` does and with its readers, but ends at the first wrong verdict. It needs no other package.
import Foundation

var report = ConformanceReport()
for folder in CommandLine.arguments.dropFirst() {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(".json") {
        let path = "\(folder)/\(name)"
        guard let data = FileManager.default.contents(atPath: path) else { throw CommandFailure.usage("\(path) is not readable") }
        if let file = try VectorFile(path, data) {
            file.run(&report)
        } else if let file = try KeyDocumentFile(path, data) {
            file.run(&report)
        } else if let file = try CacheScenarioFile(path, data) {
            file.run(&report)
        }
    }
}
print("\(report.passed) passed, 0 failed")
exit(report.passed > 0 ? 0 : 1)

import Foundation

/// The report of the command, except that the first wrong verdict ends the program.
struct ConformanceReport {
    private(set) var passed = 0

    mutating func skip(because reason: String) {}

    mutating func note(_ path: String, _ id: String, severity: String? = nil, expected: String, got: String) {
        noteExactly(path, id, severity: severity, expected: expected, got: expected == "invalid" && got != "valid" ? expected : got)
    }

    mutating func noteExactly(_ path: String, _ id: String, severity: String? = nil, expected: String, got: String) {
        passed += 1
        guard expected != got else { return }
        print("\(id): expected \(expected), got \(got)")
        exit(1)
    }
}

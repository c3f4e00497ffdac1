import Foundation
import JWTCore

/// The error codes that the inputs of this run have reached. ASSAY_FUZZ_CODES names the file that they are written to at the end.
public enum ReachedCodes {
    nonisolated(unsafe) private static var names: Set<String> = []

    public static func note(_ name: String) { names.insert(name) }

    public static func note(_ error: VerificationError) { names.insert(error.code.name) }

    static func writeAtExit() {
        guard ProcessInfo.processInfo.environment["ASSAY_FUZZ_CODES"] != nil else { return }
        atexit { ReachedCodes.write() }
    }

    private static func write() {
        guard let path = ProcessInfo.processInfo.environment["ASSAY_FUZZ_CODES"] else { return }
        do {
            try names.sorted().map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            preconditionFailure("the codes cannot be written")
        }
    }
}

import CFuzzDriver
import Foundation

/// Runs libFuzzer with a test of one input.
public enum Fuzzer {
    nonisolated(unsafe) private static var test: ([UInt8]) -> Void = { _ in }

    /// Runs until libFuzzer ends the process. A test fails by a trap.
    public static func run(_ test: @escaping ([UInt8]) -> Void) {
        self.test = test
        ReachedCodes.writeAtExit()
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { start, count in
                Fuzzer.test(Array(UnsafeBufferPointer(start: start, count: count)))
                return 0
            })
    }

    /// Leaves signatures to libcrypto from now on: for inputs that bring new keys, whose tables take longer than the rest of the test.
    /// Called before anything else.
    public static func useLibcrypto() { setenv("ASSAY_ENGINE", "openssl", 1) }

    /// Makes what lives until the end. LeakSanitizer does not see the references in enums, whose spare bits say which case it is.
    public static func lasting<Value, Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) -> Value {
        fuzz_allow_leaks()
        defer { fuzz_forbid_leaks() }
        return try make()
    }
}

import CJWTKernels

/// The forms of the byte kernels that this processor runs. Without a choice only the fastest runs.
public enum KernelForms {
    private static let names: [String] = ["generic", "avx2", "avx512", "neon"].filter { name in cjwt_kernels_named(name) != nil }

    /// The value of `body`. Traps unless it is the same under every form.
    public static func compare<Value: Equatable>(_ body: () -> Value) -> Value {
        let first = run("generic", body)
        for name in names { precondition(run(name, body) == first, "two forms of a kernel differ") }
        return first
    }

    private static func run<Value>(_ name: String, _ body: () -> Value) -> Value {
        precondition(cjwt_kernels_force(name) == 1)
        defer { precondition(cjwt_kernels_force(nil) == 1) }
        return body()
    }
}

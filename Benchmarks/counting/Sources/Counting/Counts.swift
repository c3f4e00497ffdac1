import CCounts
import CInstructionCount
import Dispatch
import Foundation
import JWTCore

/// What one run of an operation takes.
public struct Counts {
    public var allocations = 0
    public var retains = 0
    public var releases = 0
    /// Of everything but libcrypto; nil where they are not stepped through.
    public var instructions: Int?
    public var libcryptoInstructions = 0

    /// By name, as thresholds call them. Instructions are those of one tier of the engine, and comparable within it only.
    public var named: [(name: String, count: Int)] {
        let always = [("allocations", allocations), ("retains", retains), ("releases", releases)]
        return always + (instructions.map { [(Self.instructionsName, $0)] } ?? [])
    }

    public static var instructionsName: String { "instructions.\(Engine.tier.name)" }

    /// Whether this CPU has what the thresholds were counted with: elsewhere other kernels read text and hash. That the CPU says so and not
    /// the engine is meant: an engine that steps down changes the counts, and is to be seen.
    public static let areInstructionsComparable: Bool = {
        let cpuinfo = FileManager.default.contents(atPath: "/proc/cpuinfo").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let flags = cpuinfo.split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ") ?? []
        return ["avx512_vbmi2", "avx512ifma", "sha_ni"].allSatisfy { flags.contains(Substring($0)) }
    }()

    /// Whether allocations, retains and releases can be counted in this build.
    public static var work: Bool { ccounts_work() == 1 }
}

extension Operation {
    /// Counts one run, once whatever a thread does only once is behind it. On a thread of its own, because what a thread remembers of the
    /// tokens before would make the counts depend on their order.
    public final func counts() -> Counts {
        // SAFETY: this thread waits for the only other one that has them.
        nonisolated(unsafe) let operation = self
        nonisolated(unsafe) var counts = Counts()
        let isCounted = DispatchSemaphore(value: 0)
        Thread {
            unsafe counts = operation.countsOfThisThread()
            isCounted.signal()
        }.start()
        isCounted.wait()
        return unsafe counts
    }

    private final func countsOfThisThread() -> Counts {
        for _ in 0..<16 { run() }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let tally = unsafe ccounts_of(Self.runContext, context).thread
        var counts = Counts(allocations: Int(tally.allocations), retains: Int(tally.retains), releases: Int(tally.releases))
        var steps = cinstruction_counts()
        if isStepped, Counts.areInstructionsComparable, unsafe cinstruction_count(&steps, Self.runContext, context) == 1 {
            counts.instructions = Int(steps.ours.instructions)
            counts.libcryptoInstructions = Int(steps.libcrypto.instructions)
        }
        return counts
    }

    // SAFETY: the operation outlives the C function that is handed it. A retain here would be counted.
    private static let runContext: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Operation>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run() }
    }
}

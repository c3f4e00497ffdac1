import CCounts
import CInstructionCount
import Dispatch
import Foundation
import JWTCore

/// The counts of one run of an operation.
public struct Counts {
    public var allocations = 0
    public var retains = 0
    public var releases = 0
    /// Instructions outside libcrypto; nil if instructions are not counted.
    public var instructions: Int?
    public var libcryptoInstructions = 0

    /// The counts by the names that thresholds use. Instructions belong to one tier of the engine and are comparable only within it.
    public var named: [(name: String, count: Int)] {
        let always = [("allocations", allocations), ("retains", retains), ("releases", releases)]
        return always + (instructions.map { [(Self.instructionsName, $0)] } ?? [])
    }

    public static var instructionsName: String { "instructions.\(Engine.tier.name)" }

    /// Whether this CPU has the features of the one that made the thresholds: on other CPUs, other kernels read text and hash. The CPU
    /// decides this, not the engine: if the engine falls back to a lower tier, the counts must show it.
    public static let areInstructionsComparable: Bool = {
        let cpuinfo = FileManager.default.contents(atPath: "/proc/cpuinfo").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let flags = cpuinfo.split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ") ?? []
        return ["avx512_vbmi2", "avx512ifma", "sha_ni"].allSatisfy { flags.contains(Substring($0)) }
    }()

    /// Whether allocations, retains and releases can be counted in this build.
    public static var work: Bool { ccounts_work() == 1 }
}

extension Operation {
    /// Counts one run, after the one-time work of a thread. It uses a new thread, because the state that a thread keeps from earlier tokens
    /// would make the counts depend on their order.
    public final func counts() -> Counts {
        // SAFETY: only one other thread uses these variables, and this thread waits for it.
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

    // SAFETY: the operation outlives the C function that receives it. A retain here would be counted.
    private static let runContext: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Operation>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.run() }
    }
}

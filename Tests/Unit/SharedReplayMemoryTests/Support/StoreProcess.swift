import Foundation
import JWTCore
import ReplayMemory
import SharedReplayMemory
import Testing

/// A real server of this test alone, in a folder of its own.
protocol StoreProcess: AnyObject {
    /// A memory of a gateway of its own.
    func memory(_ time: Duration) throws -> any ReplayMemory
    /// Starts the server again after ``kill()``.
    func restart() throws
    /// As a failure of power does it.
    func kill() throws
    /// Stops every process of the server, without an end of its connections.
    func freeze() throws
    func thaw() throws
    func stop()
}

extension ReplayMemory {
    /// A use as one word: its answer, or the code of its error.
    func answer(_ number: Int, until end: NumericDate = 2_000_000_000, now: NumericDate = 1_800_000_000) async -> String {
        do throws(ReplayMemoryError) {
            return try await use(ReplayIdentifier("test", [Array("\(number)".utf8)]), until: end, now: now).rawValue
        } catch {
            return error.code.rawValue
        }
    }

    /// Asks until the answer is another one than `unavailable`: a server that was away is found again.
    func answerOnceThere(_ number: Int) async -> String {
        for _ in 0..<200 {
            let answer = await answer(number)
            if answer != ReplayMemoryError.Code.unavailable.rawValue { return answer }
        }
        return "never there"
    }

    /// Eight ask all the time, each so often at most: whether one gets another answer than `unavailable`.
    func isAnswered(_ number: Int, asking times: Int) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<times where !Task.isCancelled {
                        if await answer(number) != ReplayMemoryError.Code.unavailable.rawValue { return true }
                        try? await Task.sleep(for: .milliseconds(1))
                    }
                    return false
                }
            }
            for await isAnswered in group where isAnswered {
                group.cancelAll()
                return true
            }
            return false
        }
    }
}

enum TestProgram {
    static func path(_ names: String...) -> String? {
        names.map { "/usr/bin/\($0)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program to its end.
    ///
    /// - Returns: its standard output.
    @discardableResult
    static func run(_ path: String, _ arguments: [String]) throws -> String {
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
        return text
    }

    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// A port of loopback for one program that listens with SO_REUSEADDR. Until this process ends no connection gets it, also while the program
    /// is away: a socket that does not listen stays bound to it.
    static func freePort() throws -> Int {
        var address = sockaddr_in(), size = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var one: Int32 = 1
        _ = unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw CocoaError(.featureUnsupported) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

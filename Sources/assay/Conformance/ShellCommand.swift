import CommandProgram
import JWTCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A command that a shell runs, with pipes to its standard input and from its standard output.
struct ShellCommand {
    private let process: pid_t
    /// Written to by this process.
    private let input: Int32
    /// Read by this process.
    private let output: Int32

    /// Starts the command.
    init(_ text: String) throws(CommandFailure) {
        let input = try Self.pipe(), output = try Self.pipe()
        defer {
            close(input.reading)
            close(output.writing)
        }
        guard let process = Self.start(["/bin/sh", "-c", text], input.reading, output.writing) else {
            close(input.writing)
            close(output.reading)
            throw .system("cannot start /bin/sh", errno)
        }
        (self.process, self.input, self.output) = (process, input.writing, output.reading)
    }

    /// What the command answers to `questions`. Another thread writes them: the command may answer before it has read everything, and the
    /// buffers of both pipes are small.
    ///
    /// - Throws: a failure with exit code 5 if there is no thread.
    func output(for questions: [[UInt8]]) throws(CommandFailure) -> [UInt8] {
        let isStarted = BackgroundThread.start { [input] in
            for question in questions where DescriptorBytes.write(question, to: input) != 0 { break }
            close(input)
        }
        defer { close(output) }
        guard isStarted else {
            close(input)
            throw .threadShortage
        }
        return DescriptorBytes.read(output, upTo: .max) ?? []
    }

    /// Waits for the end. The number of a signal that ended the command counts as its exit code.
    func exitCode() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f != 0 ? status & 0x7f : status >> 8 & 0xff
    }

    /// A pipe that no other child of this process inherits.
    private static func pipe() throws(CommandFailure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard systemPipe(&ends) == 0 else { throw .system("cannot make a pipe", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func start(_ words: [String], _ input: Int32, _ output: Int32) -> pid_t? {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?, attributes: posix_spawnattr_t?
        #else
        var actions = unsafe posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // This program ignores SIGPIPE, and a child would too.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var texts = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
        var process: pid_t = 0
        errno = unsafe posix_spawn(&process, words[0], &actions, &attributes, &texts, environ)
        return errno == 0 ? process : nil
    }
}

// Inside the type its own function hides that of the system.
private func systemPipe(_ ends: inout [Int32]) -> Int32 { unsafe pipe(&ends) }

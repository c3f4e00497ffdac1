internal import JWTCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Files that other programs read.
package enum WholeFile {
    /// Writes `text` to a new file beside `path`, and renames it. A failure leaves what was there.
    ///
    /// - Throws: a failure of the system, with the path.
    package static func replace(_ path: String, with text: String) throws(CommandFailure) {
        let next = "\(path).new"
        let descriptor = unsafe open(next, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("cannot make \(next)", errno) }
        do throws(CommandFailure) {
            var number = DescriptorBytes.write(text.utf8, to: descriptor)
            if number == 0, fsync(descriptor) != 0 { number = errno }
            if close(descriptor) != 0, number == 0 { number = errno }
            guard number == 0 else { throw .system("cannot write \(next)", number) }
            guard unsafe rename(next, path) == 0 else { throw .system("cannot replace \(path)", errno) }
        } catch {
            unsafe unlink(next)
            throw error
        }
    }
}

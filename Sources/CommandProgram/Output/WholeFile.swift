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
            let number = DescriptorBytes.write(text.utf8, to: descriptor)
            let isStored = number == 0 && fsync(descriptor) == 0
            guard close(descriptor) == 0, isStored else { throw .system("cannot write \(next)", number == 0 ? errno : number) }
            guard unsafe rename(next, path) == 0 else { throw .system("cannot replace \(path)", errno) }
        } catch {
            unsafe unlink(next)
            throw error
        }
    }
}

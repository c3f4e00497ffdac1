internal import Foundation

/// Files with secrets: only their owner may have access.
enum SecretFile {
    /// The text of a file, without surrounding white space.
    ///
    /// - Parameter setting: names the file in errors.
    /// - Throws: `ConfigurationError` for a file that cannot be read, is larger than 64 KiB, or can be read or written by other users.
    static func text(at path: String, setting: String) throws(ConfigurationError) -> String {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ConfigurationError("\(setting): \(path) cannot be read") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try checkMode(of: descriptor, path, setting)
        guard let data = try? file.read(upToCount: longest + 1), data.count <= longest else {
            throw ConfigurationError("\(setting): \(path) cannot be read, or is larger than \(longest) bytes")
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The same check for a file that other code reads.
    static func checkMode(of path: String, setting: String) throws(ConfigurationError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ConfigurationError("\(setting): \(path) cannot be read") }
        defer { close(descriptor) }
        try checkMode(of: descriptor, path, setting)
    }

    private static func checkMode(of descriptor: Int32, _ path: String, _ setting: String) throws(ConfigurationError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError("\(setting): \(path) is not a regular file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw ConfigurationError(
                "\(setting): \(path) has mode \(String(status.st_mode & 0o777, radix: 8)); others than its owner may have no access, "
                    + "as after chmod 600")
        }
    }

    private static let longest = 65_536
}

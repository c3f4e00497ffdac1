#if canImport(Darwin)
internal import Foundation
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The version of the operating system, in three numbers: on Linux that of the kernel.
enum SystemVersion {
    static let text = numbers.map { "\($0)" }.joined(separator: ".")

    #if canImport(Darwin)
    private static var numbers: [Int] {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return [version.majorVersion, version.minorVersion, version.patchVersion]
    }
    #else
    private static var numbers: [Int] {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return [0, 0, 0] }
        let release = unsafe withUnsafeBytes(of: &names.release) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let numbers = release.prefix { $0.isNumber || $0 == "." }.split(separator: ".").prefix(3).map { Int($0) ?? 0 }
        return numbers + [Int](repeating: 0, count: 3 - numbers.count)
    }
    #endif
}

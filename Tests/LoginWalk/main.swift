internal import Foundation

// login-walk DOMAIN CLIENT ASSAY [OPTION…]: walks through SMS login at a server in development, whose token is in ASSAY_DEV_TOKEN; ASSAY is
// the command that administers it, with these options.
setvbuf(stdout, nil, _IOLBF, 0)
let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 3, let token = ProcessInfo.processInfo.environment["ASSAY_DEV_TOKEN"] else {
    FileHandle.standardError.write(Data("usage: ASSAY_DEV_TOKEN=… login-walk DOMAIN CLIENT ASSAY [OPTION…]\n".utf8))
    exit(2)
}
let start = arguments.startIndex
do {
    let walk = try Walk(
        domain: arguments[start], client: arguments[start + 1], developmentToken: token, administration: Array(arguments[(start + 2)...]))
    try await walk.run()
} catch {
    FileHandle.standardError.write(Data("login-walk: \(error)\n".utf8))
    exit(1)
}

#if HTTP
internal import Foundation
internal import IDaaSFlows
internal import IDaaSHTTP

// login-walk DOMAIN CLIENT ASSAY [OPTION…]: walks through SMS login at a server in development, whose token is in ASSAY_DEV_TOKEN; ASSAY is
// the command that administers it, with these options.
let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 3, let token = ProcessInfo.processInfo.environment["ASSAY_DEV_TOKEN"] else {
    FileHandle.standardError.write(Data("usage: ASSAY_DEV_TOKEN=… login-walk DOMAIN CLIENT ASSAY [OPTION…]\n".utf8))
    exit(2)
}
let start = arguments.startIndex
do {
    var configuration = try FlowConfiguration(domain: arguments[start], clientID: arguments[start + 1])
    configuration.language = .english
    let walk = Walk(
        configuration, try .http(for: configuration, store: MemorySessionStore()), developmentToken: token,
        administration: Array(arguments[(start + 2)...]))
    try await walk.run()
} catch {
    FileHandle.standardError.write(Data("login-walk: \(error)\n".utf8))
    exit(1)
}
#endif

internal import Foundation
internal import IDaaSFlows
internal import IDaaSWire
internal import LoginSupport
internal import Program

// login-walk DOMAIN CLIENT ASSAY [OPTION…]: walks through the four logins at a server in development, whose token is in ASSAY_DEV_TOKEN.
// ASSAY is its administration command, used with these options. Writes the id_token of the login by SMS to the file ASSAY_ID_TOKEN_FILE, if
// that is set.
let arguments = ProgramArguments.orExit()[...]
guard arguments.count >= 3, let token = ProcessInfo.processInfo.environment["ASSAY_DEV_TOKEN"] else {
    FileHandle.standardError.write(Data("usage: ASSAY_DEV_TOKEN=… login-walk DOMAIN CLIENT ASSAY [OPTION…]\n".utf8))
    exit(2)
}
let start = arguments.startIndex
let folder = FileManager.default.temporaryDirectory.appending(path: "login-walk-\(UUID().uuidString)")
do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = try FlowConfiguration(domain: arguments[start], clientID: arguments[start + 1])
    configuration.language = .english
    var environment = try FlowEnvironment.http(for: configuration, store: MemorySessionStore())
    environment.biometricKeys = FileBiometricKeyStore(path: folder.appending(path: "keys").path, verifier: PresentOwner())
    let walk = Walk(
        configuration, environment, developmentToken: token,
        administration: AdministrationCommand(command: arguments[start + 2], options: Array(arguments[(start + 3)...])))
    let idToken = try await walk.run()
    if let path = ProcessInfo.processInfo.environment["ASSAY_ID_TOKEN_FILE"] {
        guard FileManager.default.createFile(atPath: path, contents: Data(idToken.utf8), attributes: [.posixPermissions: 0o600]) else {
            throw Wrong("\(path) cannot be written")
        }
    }
} catch {
    FileHandle.standardError.write(Data("login-walk: \(error)\n".utf8))
    exit(1)
}

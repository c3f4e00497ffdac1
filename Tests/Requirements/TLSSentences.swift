import Dispatch
import HTTPGuard
import IDaaSFlows
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import JWKSCache
import JWKSTestSupport
import JWTTestSupport
import LoginSupport
import Testing

struct TLSSentences {
    /// Runs `body` with a server whose certificate is self-signed, and the path of that certificate.
    private static func withServer(_ body: (LiveServer, String) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out certificate.pem"
        let names = "-subj /CN=localhost -days 2 -addext subjectAltName=IP:127.0.0.1"
        await Turn.children.take()
        let made = Shell.run("cd \(Shell.quoted(folder.path)) && \(command) \(names) 2>openssl.log")
        Turn.children.leave()
        #expect(made == 0)
        try await LiveServer.running {
            $0.tls.certificate = folder.path + "/certificate.pem"
            $0.tls.key = folder.path + "/key.pem"
        } _: { server in
            #expect(server.ready.url.hasPrefix("https://"))
            try await body(server, folder.path + "/certificate.pem")
        }
    }

    /// The number of requests that arrived, of any kind.
    private static func requests(_ server: LiveServer) -> Int { server.log.lines.count { $0.contains(#""message":"request""#) } }

    /// 51: A program sends no request to a server with an untrusted certificate, and works normally once it trusts the certificate.
    @Test
    func aServerWithoutATrustedCertificateGetsNoRequest() async throws {
        try await Self.withServer { server, certificate in
            var configuration = try FlowConfiguration(domain: server.ready.url, clientID: LiveServer.client)
            configuration.timeout = .seconds(120)
            var client = GuardedClient.Configuration.flows(configuration)
            // A busy machine takes seconds to read the system's roots.
            client.limits.connect = .seconds(120)
            let flows = try Flows.http(configuration, client: client, store: MemorySessionStore())
            for failure in [
                await flows.areaCodes.list().failure, await flows.sms.logIn(mobile: "+86-13800000000", code: "123456").failure,
                await flows.sms.solveSlider(mobile: "+86-13800000000", presenter: SolvingPresenter()).failure,
            ] {
                guard case .transport(let failure) = failure?.reason else {
                    Issue.record("the call does not fail in its transport")
                    return
                }
                #expect(failure.reason == .tls)
            }
            #expect(!(await flows.identity.keys.refresh()))
            #expect(Self.requests(server) == 0)
            client.trustRoots = .only(.file(certificate))
            #expect(
                try await Flows.http(configuration, client: client, store: MemorySessionStore()).areaCodes.list().get().preferredCountry
                    == "CN")
            #expect(Self.requests(server) == 1)
        }
    }

    @Test
    func noDocumentedSwitchTurnsCertificateVerificationOff() async throws {
        try await Self.withServer { server, _ in
            // The documented names have one configuration per process.
            await Turn.legacy.take()
            defer { Turn.legacy.leave() }
            BCIDACommonManager.sharedInstance().initWithDomain(server.ready.url).initWithClientID(LiveServer.client)
                .initWithSSLCerVerification(false).use(
                    slider: SolvingPresenter(), queue: DispatchQueue(label: "callbacks"), store: MemorySessionStore())
            let code = await withCheckedContinuation { continuation in
                BCIDAInternationalPhoneCodeManager.getInternaltionalAreaCodeWithCompletionHandler { code, _ in
                    continuation.resume(returning: code)
                }
            }
            let login = await withCheckedContinuation { continuation in
                BCLoginSMSManager.sharedInstance().loginsBySMSWithMobile("+86-13800000000", andWithVerifyCode: "123456") { code, _ in
                    continuation.resume(returning: code)
                }
            }
            #expect(code == "1" && login == "1")
            #expect(Self.requests(server) == 0)
        }
    }
}

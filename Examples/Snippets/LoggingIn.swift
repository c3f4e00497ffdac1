// The snippets of the login flows' documentation, which quotes them line by line.

#if HTTP
import IDaaSFlows
import IDaaSWire

func logIn(environment: FlowEnvironment, page: some SliderPresenter, code: String) async throws -> UserInfo {
    let flows = Flows(try FlowConfiguration(domain: "https://tenant.example", clientID: "client-1"), environment)
    let pending = try await flows.sms.requestCode(mobile: "+86-13800000000", slider: page).get()
    let session = try await flows.sms.logIn(mobile: pending.mobile, code: code).get()
    let user = try await flows.identity.userInfo(of: session.idToken).get()
    return user
}

func loggedIn(path: String, page: some SliderPresenter, code: String) async throws -> UserInfo {
    let flows = try Flows.http(
        FlowConfiguration(domain: "https://tenant.example", clientID: "client-1"),
        store: FileSessionStore(path: path))  // readable by its owner only; processes share it through a lock file

    let sent = await flows.sms.requestCode(mobile: "+86-13800000000", slider: page)  // page has one method: it shows two pictures
    let session = try await flows.sms.logIn(mobile: "+86-13800000000", code: code).get()
    let user = try await flows.identity.userInfo(of: session.idToken).get()
    _ = try sent.get()
    return user
}

func logInThroughWeChat(
    flows: Flows, appID: String, url: String, weChat: some WeChatAuthorizer, bindingPage: some BindPhonePresenter,
    slider: some SliderPresenter
) async throws -> WeChatLoginOutcome {
    let router = WeChatCallbackRouter(try WeChatApplication(id: appID, universalLink: "https://app.example/"))
    // At every URL with which the program is opened, by URL scheme or Universal Link:
    _ = router.handle(url: url)
    // At the button:
    let outcome = await flows.weChat.logIn(via: router, weChat, page: bindingPage, slider: slider)
    return outcome
}

func logInWithOneClick(
    flows: Flows, sdk: some CarrierSDK, page: OneClickPage, presenter: some OneClickPresenter, logInBySMS: () async -> Void
) async {
    let carrier = CarrierLogin(sdk)
    guard case .ready = carrier.checkGateway() else { return await logInBySMS() }
    _ = await carrier.prefetch()
    let outcome = await flows.oneClick.logIn(via: carrier, page, on: presenter)
    if outcome.fallback == .sms { await logInBySMS() }
}

func confirmOnThePhone(
    environment: FlowEnvironment, configuration: FlowConfiguration, path: String, owner: some UserVerifier, userID: String, digits: String,
    show: (String, String?) -> Void
) async -> DeviceBindOutcome {
    var environment = environment
    environment.biometricKeys = FileBiometricKeyStore(path: path, verifier: owner)  // on a phone: keys of the secure element
    let flows = Flows(configuration, environment)

    let bound = await flows.biometrics.bind(userID: userID)  // once, within ten minutes after a login
    if case .pending(let request) = await flows.biometrics.pending() {
        show(request.clientName, request.region)  // the server's record, not the PC's word
        let outcome = await flows.biometrics.answer(request, .approve, matchCode: digits)
        show(outcome.legacyCode, outcome.failure?.text(in: .english))
    }
    return bound
}

func currentSession(
    flows: Flows, use: (String) -> Void, useOffline: (Session) -> Void, logIn: () -> Void, show: (String, Bool) -> Void
) async {
    switch await flows.sessions.current() {
    case .active(let session), .unsaved(let session, _): use(session.idToken)  // unsaved: storing it is tried again
    case .offline(let session, _): useOffline(session)  // the server cannot be reached; the session is kept
    case .expired, .revoked, .signedOut: logIn()
    case .failed(let error): show(error.text(in: .english), error.isRetryable)
    }
}

func flowsOverHTTP(path: String) throws -> Flows {
    let flows = try Flows.http(
        FlowConfiguration(domain: "https://tenant.example", clientID: "client-1"), store: FileSessionStore(path: path))
    return flows
}

func legacy() {
    BCIDACommonManager.sharedInstance().initWithDomain("https://tenant.example").initWithClientID("client-1")
        .initWithSSLCerVerification(true).setLogEnabled(true)
}
#endif

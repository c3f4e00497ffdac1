/// Shows the page of one-click login, for an SDK that does not draw it itself.
///
/// When its task is cancelled it must return soon. The answer is ignored then.
public protocol OneClickPresenter: Sendable {
    /// Shows the page as it is now, and returns what the user does.
    func action(on screen: OneClickScreen) async -> OneClickAction
}

/// What the page shows.
public struct OneClickScreen: Sendable {
    public let page: OneClickPage
    /// `138****0000`. The whole number is not on this device before the login.
    public let number: String
    /// The carrier's agreement, then the program's.
    public let agreements: [OneClickPage.Agreement]
    public var isConsented: Bool
    /// The button was pressed without consent: the page points at the check box.
    public var lacksConsent = false

    public init(page: OneClickPage, number: String, agreements: [OneClickPage.Agreement]) {
        self.page = page
        self.number = number
        self.agreements = agreements
        isConsented = page.isConsented
    }
}

/// What the user does on the page.
public enum OneClickAction: Hashable, Sendable {
    /// Sets or clears the check box.
    case consent(Bool)
    case logIn
    /// Opens an agreement, by its position.
    case readAgreement(Int)
    case switchMethod
    case back
}

/// The paths of the login page, which the server serves itself.
package enum PagePath {
    /// The page. Its query has `client_id`, and `request` if an authorization request sent the browser here. Once logged in, the page's
    /// script posts `request` to the end of that request, and goes to the address in the answer.
    package static let login = "/login"
    package static let script = "/login/login.js"
    package static let style = "/login/login.css"
}

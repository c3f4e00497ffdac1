/// The members of the protocol's JSON documents, by their documented spellings.
package enum WireMember {
    // Refusals
    package static let errorCode = "error_code"
    package static let errorText = "error_msg"
    package static let details = "details"
    package static let arguments = "args"
    package static let remaining = "remaining"
    package static let retryAfter = "retry_after"

    // System
    package static let timestamp = "timestamp"
    package static let publicKey = "public_key"

    // The slider, with AJ-Captcha's names
    package static let token = "token"
    package static let background = "originalImageBase64"
    package static let piece = "jigsawImageBase64"
    package static let width = "width"
    package static let height = "height"
    package static let blockWidth = "block_width"
    package static let secretKey = "secretKey"
    package static let point = "point_json"
    package static let sender = "sender"
    package static let track = "track"
    package static let captchaToken = "captcha_token"

    // SMS and login
    package static let mobile = "mobile"
    package static let type = "type"
    package static let code = "verify_code"
    package static let nonce = "nonce"
    package static let interval = "interval"
    package static let status = "status"
    package static let stateToken = "state_token"
    /// What comes next, as JSON in a string: ``NextStep``. In biometric replies, the result.
    package static let data = "data"
    // WeChat and one-click
    package static let authorizationCode = "code"
    package static let state = "state"
    package static let accessToken = "access_token"
    // Password
    package static let userName = "user_name"
    package static let password = "password"
    // Biometric second factor: the phone
    package static let envelopeCode = "code"
    package static let message = "message"
    package static let isBound = "bound"
    package static let keyID = "key_id"
    /// When the key was bound, in milliseconds since 1970 as text.
    package static let bound = "bound_at"
    package static let action = "action"
    package static let challenge = "challenge"
    package static let lifetime = "expires_in"
    package static let algorithm = "alg"
    package static let signature = "signature"
    package static let signatureVersion = "sig_version"
    package static let userVerification = "uv"
    package static let random = "random"
    package static let clientID = "clientId"
    package static let clientName = "clientName"
    /// The network that the login comes from: the first 24 bits of an IPv4 address, or the first 48 of an IPv6 address.
    package static let region = "ip_region"
    package static let needsMatchCode = "match_required"
    package static let decision = "decision"
    package static let matchCode = "match_code"
    // Biometric second factor: the PC
    package static let bindingMessage = "binding_message"
    package static let authenticationRequest = "auth_req_id"
    /// One of ``PollError``.
    package static let error = "error"

    // Sessions
    package static let sessionToken = "session_token"
    /// Seconds for which the document's other members are valid.
    package static let expire = "expire"
    package static let idToken = "id_token"
    package static let idTokenLifetime = "id_token_expires_in"
    package static let everywhere = "all"
    package static let sessions = "sessions"
    package static let id = "id"
    package static let isCurrent = "current"
    package static let deviceName = "device_name"
    package static let authenticated = "created_at"
    package static let used = "last_used_at"
    package static let expires = "expires_at"
}

package assay

// #include "bridge.h"
import "C"

// A Code says why a token, a request or a document was refused. Its number and its name are those of Assay's other interfaces, and never
// change. A Code is an error, so errors.Is(err, assay.Expired) works.
type Code uint32

// The codes that programs ask for most. Every other one has a name too: see Code.String.
const (
	InvalidArgument      Code = C.ASSAY_INVALID_ARGUMENT
	MalformedToken       Code = C.ASSAY_MALFORMED_TOKEN
	AlgorithmNotAllowed  Code = C.ASSAY_ALGORITHM_NOT_ALLOWED
	UnsupportedAlgorithm Code = C.ASSAY_UNSUPPORTED_ALGORITHM
	UnknownKey           Code = C.ASSAY_UNKNOWN_KEY
	KeysUnavailable      Code = C.ASSAY_KEYS_UNAVAILABLE
	SignatureInvalid     Code = C.ASSAY_SIGNATURE_INVALID
	MissingClaim         Code = C.ASSAY_MISSING_CLAIM
	InvalidClaim         Code = C.ASSAY_INVALID_CLAIM
	Expired              Code = C.ASSAY_EXPIRED
	NotYetValid          Code = C.ASSAY_NOT_YET_VALID
	IssuerMismatch       Code = C.ASSAY_ISSUER_MISMATCH
	AudienceMismatch     Code = C.ASSAY_AUDIENCE_MISMATCH
	NonceMismatch        Code = C.ASSAY_NONCE_MISMATCH
	Revoked              Code = C.ASSAY_REVOKED
	InsufficientScope    Code = C.ASSAY_INSUFFICIENT_SCOPE
	MissingToken         Code = C.ASSAY_MISSING_TOKEN
	InvalidSettings      Code = C.ASSAY_INVALID_SETTINGS

	ok               Code = C.ASSAY_OK
	notDue           Code = C.ASSAY_NOT_DUE
	awaitingKeys     Code = C.ASSAY_AWAITING_KEYS
	malformedRequest Code = C.ASSAY_MALFORMED_REQUEST
)

// String returns the stable name, such as "expired".
func (c Code) String() string { return C.GoString(C.assay_code_name(C.assay_code(c))) }

// Error is String, with the name of the package.
func (c Code) Error() string { return "assay: " + c.String() }

// HTTPStatus returns the status of a reply to a request with such a token: 401, 403 for InsufficientScope, 503 for KeysUnavailable.
func (c Code) HTTPStatus() int { return int(C.assay_code_http_status(C.assay_code(c))) }

// An Error is the refusal of a token. Its text holds no byte of the token.
type Error struct {
	Code Code
	// Offset is the byte of the token that was refused; -1 if the refusal is about none.
	Offset int
	// Claim is the name of the claim that was missing, malformed or unequal, such as "exp"; empty if the refusal has none.
	Claim string
	// Challenge is the value of WWW-Authenticate (RFC 6750 section 3) of the reply; empty where it has none.
	Challenge   string
	description string
}

func (e *Error) Error() string { return "assay: " + e.description }

// Is tells whether the target is the code of this refusal.
func (e *Error) Is(target error) bool {
	code, isCode := target.(Code)
	return isCode && code == e.Code
}

// HTTPStatus returns the status of a reply to a request with this token.
func (e *Error) HTTPStatus() int { return e.Code.HTTPStatus() }

// refused is an error about an object that cannot be made.
func refused(code Code, sentence string) *Error {
	return &Error{Code: code, Offset: -1, description: code.String() + ": " + sentence}
}

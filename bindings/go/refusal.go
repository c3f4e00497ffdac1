package assay

import (
	"net/http"
	"strconv"
)

// A Refusal is the answer to a request that may not pass.
type Refusal struct {
	Code Code
	// Status is 400, 401, 403 or 503, or 302 with Location.
	Status int
	// Challenge is the value of WWW-Authenticate; empty for none.
	Challenge string
	// ProofNonce is the value of DPoP-Nonce (RFC 9449 section 8); empty for none.
	ProofNonce string
	// Location is where the policy sends a browser; empty for none.
	Location string
	// RetryAfter is the number of seconds for Retry-After of a 503; -1 for none.
	RetryAfter int
	// Reason is one sentence for a log. It holds no byte of the token.
	Reason string
}

// WithRefusals answers refused requests by a function, for a log or a body of one's own. It ends with Refusal.Write, or answers with the same
// status and fields.
func WithRefusals(answer func(http.ResponseWriter, *http.Request, Refusal)) GatewayOption {
	return func(o *gatewayOptions) { o.refuse = answer }
}

func (v *verdict) refusal() Refusal {
	r := Refusal{
		Code: v.code, Status: v.status, Challenge: v.challenge, ProofNonce: v.proofNonce, Location: v.location, RetryAfter: v.retryAfter, Reason: v.reason,
	}
	if r.Location != "" {
		r.Status, r.Challenge = http.StatusFound, ""
	}
	return r
}

// Write answers with the status and the fields of the refusal. A refusal without a status is a 500.
func (r Refusal) Write(writer http.ResponseWriter) {
	header := writer.Header()
	header.Set("Cache-Control", "no-store")
	if r.Location != "" {
		header.Set("Location", r.Location)
		header.Set("Vary", "Accept, Sec-Fetch-Mode")
	}
	if r.Challenge != "" {
		header.Set("WWW-Authenticate", r.Challenge)
	}
	if r.ProofNonce != "" {
		header.Set("DPoP-Nonce", r.ProofNonce)
	}
	if r.RetryAfter >= 0 {
		header.Set("Retry-After", strconv.Itoa(r.RetryAfter))
	}
	if r.Status < 100 || r.Status > 999 {
		r.Status = http.StatusInternalServerError
	}
	http.Error(writer, http.StatusText(r.Status), r.Status)
}

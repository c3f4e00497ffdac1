package assay

// #include "bridge.h"
import "C"

import (
	"runtime"
	"strings"
	"time"
)

// A Policy says what a token must fulfil. IDToken and AccessToken make the usual ones; set further fields as needed.
//
// A list that is empty asks for nothing. A token without the claim of a list that is not empty is refused.
type Policy struct {
	// Issuers: `iss` is one of these. Audiences: `aud` contains one of these.
	Issuers, Audiences []string
	// TrustedAudiences may stand in `aud` too, where TrustedAudiencesOnly is set.
	TrustedAudiences []string
	// AuthorizedParty: `azp` is this, if the token has it.
	AuthorizedParty string
	// Algorithms: `alg` is one of these. Without them, every one but HMAC.
	Algorithms []string
	// Types: `typ` is one of these, "" for absent. Without them, what the preset says.
	Types []string
	// RequiredClaims must be there.
	RequiredClaims []string
	// ContextClasses: `acr` is one of these. AuthenticationMethods: `amr` contains all of these.
	ContextClasses, AuthenticationMethods []string
	// RevokedTokenIDs: `jti` is none of these.
	RevokedTokenIDs []string
	// Subject: `sub` is this.
	Subject string
	// Scopes: `scope` or `scp` grants all of these.
	Scopes []string
	// Leeway is how far clocks may differ; nil: a minute. Whole seconds, as the next two.
	Leeway *time.Duration
	// MaximumAge is the longest time since `iat`, MaximumAuthenticationAge since `auth_time`; nil: any.
	MaximumAge, MaximumAuthenticationAge *time.Duration
	// ExpirationOptional: a token without `exp` passes.
	ExpirationOptional bool
	// TrustedAudiencesOnly asks for what OpenID Connect Core section 3.1.3.7 says of `aud` and `azp`.
	TrustedAudiencesOnly bool

	// Nonce: `nonce` is this. AccessToken and Code: `at_hash` and `c_hash` are theirs. Nil: not checked. For one login rather use
	// Verifier.VerifyLogin.
	Nonce, AccessToken, Code *string

	preset preset
}

type preset int

const (
	anyToken preset = iota
	idToken
	accessToken
)

// IDToken makes a policy for an id_token of an issuer for a client (OpenID Connect Core section 3.1.3.7). Verify a login with
// Verifier.VerifyLogin, which also checks its nonce.
func IDToken(issuer, clientID string) Policy {
	return Policy{Issuers: []string{issuer}, Audiences: []string{clientID}, preset: idToken}
}

// AccessToken makes a policy for an access token of an issuer for a resource server (RFC 9068 section 4), which grants these scopes.
func AccessToken(issuer, audience string, scopes ...string) Policy {
	return Policy{Issuers: []string{issuer}, Audiences: []string{audience}, Scopes: scopes, preset: accessToken}
}

// Duration returns a pointer to a duration, for the fields of Policy.
func Duration(duration time.Duration) *time.Duration { return &duration }

// A rules is a policy in C. It must be freed.
type rules struct {
	c       *C.assay_policy
	failure Code
}

func (p *Policy) rules() (*rules, error) {
	r := &rules{failure: ok}
	code := p.begin(r)
	if code != ok {
		return nil, refusedPolicy(code)
	}
	p.addLists(r)
	p.addTexts(r)
	p.addNumbers(r)
	if r.failure != ok {
		r.free()
		return nil, refusedPolicy(r.failure)
	}
	return r, nil
}

func refusedPolicy(code Code) error {
	return refused(code, "the policy is refused")
}

// begin makes the policy of the preset, which has the first issuer and the first audience already.
func (p *Policy) begin(r *rules) Code {
	if p.preset == anyToken {
		return Code(C.assay_policy_new(&r.c))
	}
	if len(p.Issuers) == 0 || len(p.Audiences) == 0 {
		return InvalidArgument
	}
	issuer, audience := p.Issuers[0], p.Audiences[0]
	defer runtime.KeepAlive(p)
	if p.preset == idToken {
		return Code(C.assay_policy_new_id_token(&r.c, pointer(issuer), C.size_t(len(issuer)), pointer(audience), C.size_t(len(audience))))
	}
	return Code(C.assay_policy_new_access_token(&r.c, pointer(issuer), C.size_t(len(issuer)), pointer(audience), C.size_t(len(audience))))
}

func (p *Policy) addLists(r *rules) {
	issuers, audiences := p.Issuers, p.Audiences
	if p.preset != anyToken {
		issuers, audiences = issuers[1:], audiences[1:]
	}
	r.add(C.ASSAY_RULE_ISSUER, issuers...)
	r.add(C.ASSAY_RULE_AUDIENCE, audiences...)
	r.add(C.ASSAY_RULE_TRUSTED_AUDIENCE, p.TrustedAudiences...)
	r.add(C.ASSAY_RULE_ALGORITHM, p.Algorithms...)
	r.add(C.ASSAY_RULE_TYPE, p.Types...)
	r.add(C.ASSAY_RULE_REQUIRED_CLAIM, p.RequiredClaims...)
	r.add(C.ASSAY_RULE_CONTEXT_CLASS, p.ContextClasses...)
	r.add(C.ASSAY_RULE_AUTHENTICATION_METHOD, p.AuthenticationMethods...)
	r.add(C.ASSAY_RULE_REVOKED_TOKEN_ID, p.RevokedTokenIDs...)
	r.add(C.ASSAY_RULE_SCOPE, p.Scopes...)
}

func (p *Policy) addTexts(r *rules) {
	if p.AuthorizedParty != "" {
		r.add(C.ASSAY_RULE_AUTHORIZED_PARTY, p.AuthorizedParty)
	}
	if p.Subject != "" {
		r.add(C.ASSAY_RULE_SUBJECT, p.Subject)
	}
	for rule, text := range map[C.uint32_t]*string{
		C.ASSAY_RULE_NONCE: p.Nonce, C.ASSAY_RULE_ACCESS_TOKEN: p.AccessToken, C.ASSAY_RULE_AUTHORIZATION_CODE: p.Code,
	} {
		if text != nil {
			r.add(rule, *text)
		}
	}
}

func (p *Policy) addNumbers(r *rules) {
	r.setSeconds(C.ASSAY_RULE_LEEWAY, p.Leeway)
	r.setSeconds(C.ASSAY_RULE_MAXIMUM_AGE, p.MaximumAge)
	r.setSeconds(C.ASSAY_RULE_MAXIMUM_AUTHENTICATION_AGE, p.MaximumAuthenticationAge)
	if p.ExpirationOptional {
		r.set(C.ASSAY_RULE_EXPIRATION_REQUIRED, 0)
	}
	if p.TrustedAudiencesOnly {
		r.set(C.ASSAY_RULE_TRUSTED_AUDIENCES_ONLY, 1)
	}
}

func (r *rules) free() { C.assay_policy_free(r.c) }

func (r *rules) add(rule C.uint32_t, texts ...string) {
	for _, text := range texts {
		r.keep(Code(C.assay_policy_add(r.c, rule, pointer(text), C.size_t(len(text)))))
		runtime.KeepAlive(text)
	}
}

func (r *rules) set(rule C.uint32_t, value int64) {
	r.keep(Code(C.assay_policy_set(r.c, rule, C.int64_t(value))))
}

func (r *rules) setSeconds(rule C.uint32_t, duration *time.Duration) {
	switch {
	case duration == nil:
	case *duration%time.Second != 0:
		r.keep(InvalidArgument)
	default:
		r.set(rule, int64(*duration/time.Second))
	}
}

func (r *rules) keep(code Code) {
	if r.failure == ok {
		r.failure = code
	}
}

// scope is what a challenge names.
func (p *Policy) scope() string { return strings.Join(p.Scopes, " ") }

# frozen_string_literal: true

# ruby-jwt 2: a JWK Set, an allow-list, issuer, audience, leeway, required claims.
require 'jwt'
require_relative 'frame'

OFFERED = %w[HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 P-256 P-384 P-521].freeze

def options(question)
  policy = question.policy
  chosen = {
    algorithms: question.algorithms, jwks: JSON.parse(JSON.generate(question.keys), symbolize_names: true),
    leeway: policy.fetch('leeway', 60), verify_iat: true, required_claims: question.required
  }
  chosen.update(iss: policy['issuer'], verify_iss: true) if policy.key?('issuer')
  chosen.update(aud: policy['audience'], verify_aud: true) if policy.key?('audience')
  chosen
end

serve(OFFERED, BEYOND_JWT + %w[payload no-kid]) do |question|
  raise Unsupported, 'verifies claims only' unless question.checks_claims?

  JWT.decode(question.token, nil, true, options(question))
  true
end

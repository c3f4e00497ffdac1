# frozen_string_literal: true

# json-jwt: the signature under a key of a JSON::JWK::Set, with an allow-list. The caller checks all claims.
require 'json/jwt'
require_relative 'frame'

OFFERED = %w[HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 ES256K P-256 P-384 P-521 secp256k1].freeze
CLAIMS = %w[claims exp nbf iat issuer audience required required-exp leeway].freeze

serve(OFFERED, BEYOND_JWT + CLAIMS + %w[payload no-kid]) do |question|
  raise Unsupported, 'reads claims only' unless question.checks_claims?

  keys = question.keys['keys'].filter_map { |key| JSON::JWK.new(key) if key.is_a?(Hash) && key['kty'] }
  JSON::JWT.decode(question.token, JSON::JWK::Set.new(keys), question.algorithms.map(&:to_sym))
  true
end

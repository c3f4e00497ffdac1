# frozen_string_literal: true

# What the adapters in Ruby share: the protocol.
require 'json'

ASYMMETRIC = %w[RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 ES256K EdDSA Ed25519 Ed448 ML-DSA-44 ML-DSA-65 ML-DSA-87].freeze
KNOWN = (%w[HS256 HS384 HS512 P-256 P-384 P-521 secp256k1] + ASYMMETRIC).freeze
BEYOND_JWT = %w[nonce access_token code max_age maximum_age acr amr azp revoked_jti types b64].freeze
REQUIRED = { 'id_token' => %w[iss sub aud exp iat], 'access_token' => %w[iss exp aud sub client_id iat jti] }.freeze

Unsupported = Class.new(StandardError)

# A question of the protocol.
class Case
  attr_reader :id, :token, :keys, :policy, :algorithms

  def initialize(document, offered)
    @id, @token, @keys, @policy = document.values_at('id', 'token', 'keys', 'policy')
    @algorithms = (policy['algorithms'] || ASYMMETRIC) & offered
  end

  def checks_claims? = policy.fetch('claims', true)

  def required
    names = REQUIRED.fetch(policy['preset'], []) + policy.fetch('required', [])
    names += ['exp'] if policy.fetch('require_expiration', true)
    names.uniq
  end
end

def verdict(question)
  return ['invalid', 'no keys'] if question.keys.nil?
  return ['unsupported', 'none of the allowed algorithms is offered'] if question.algorithms.empty?

  [yield(question) ? 'valid' : 'invalid', '']
rescue Unsupported => e
  ['unsupported', e.message]
rescue StandardError => e
  # Whatever a library raises, the token is not accepted.
  ['invalid', "#{e.class}: #{e.message}".scrub[0, 300]]
end

# `offered` has algorithms and curves; `lacks` has names of Docs/Scoreboard.md.
def serve(offered, lacks, &accepts)
  missing = (lacks + (KNOWN - offered)).uniq
  $stdout.sync = true
  $stdin.each_line do |line|
    question = Case.new(JSON.parse(line, max_nesting: false), offered)
    said, reason = verdict(question, &accepts)
    puts JSON.generate('id' => question.id, 'verdict' => said, 'lacks' => missing, 'reason' => reason)
  end
end

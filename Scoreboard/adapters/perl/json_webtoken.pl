#!/usr/bin/perl
# JSON::WebToken: an allow-list, and one key in PEM or a secret. The caller checks all claims.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Frame;
use JSON::WebToken;
use MIME::Base64 qw(decode_base64url);

sub material { my ($key) = @_; return $key->{kty} eq 'oct' ? decode_base64url($key->{k}) : rsa($key)->get_public_key_x509_string }

sub accepts {
    my ($question, @algorithms) = @_;
    return 'unsupported' unless checks_claims($question);
    my $refusal = "no key has this kid\n";
    for my $key (candidates($question)) {
        return 1 if eval { JSON::WebToken->decode($question->{token}, material($key), 1, \@algorithms); 1 };
        $refusal = $@;
    }
    die $refusal;
}

serve(\&accepts, [qw(HS256 HS384 HS512 RS256 RS384 RS512)], @Frame::CLAIM_RULES, qw(keys payload b64));

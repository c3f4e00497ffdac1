#!/usr/bin/perl
# Crypt::JWT: a JWK Set, an allow-list, issuer, audience, leeway, exp, nbf, iat.
use strict;
use warnings;
use Crypt::JWT qw(decode_jwt);
use JSON::PP;

my @asymmetric = qw(RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 ES256K EdDSA);
my %offered = map { $_ => 1 } qw(HS256 HS384 HS512), @asymmetric;
my @lacks = qw(nonce access_token code max_age maximum_age acr amr azp revoked_jti types required b64 no-kid
    Ed25519 Ed448 ML-DSA-44 ML-DSA-65 ML-DSA-87);
my $json = JSON::PP->new->utf8->allow_nonref->max_depth(2048);

sub listed { my ($value) = @_; return !defined $value ? () : ref $value ? @$value : ($value) }

# An audience is a text or a list of texts; the library hands over what the token has.
sub among {
    my @wanted = @_;
    return sub {
        my ($claim) = @_;
        my %found = map { (defined $_ && !ref $_ ? $_ : "") => 1 } ref $claim eq 'ARRAY' ? @$claim : ($claim);
        return scalar grep { $found{$_} } @wanted;
    };
}

sub arguments {
    my ($question, @algorithms) = @_;
    my $policy = $question->{policy};
    my %arguments = (token => $question->{token}, kid_keys => $question->{keys}, accepted_alg => \@algorithms);
    return (%arguments, ignore_claims => 1, decode_payload => 0) if exists $policy->{claims} && !$policy->{claims};
    $arguments{leeway} = $policy->{leeway} // 60;
    $arguments{verify_exp} = 1 if $policy->{require_expiration} // 1;
    $arguments{verify_iat} = undef;
    if (my @issuers = listed($policy->{issuer})) {
        $arguments{verify_iss} = sub { my ($claim) = @_; return !ref $claim && scalar grep { $_ eq $claim } @issuers };
    }
    if (my @audiences = listed($policy->{audience})) { $arguments{verify_aud} = among(@audiences) }
    return %arguments;
}

sub verdict {
    my ($question) = @_;
    return ('invalid', 'no keys') unless defined $question->{keys};
    my @algorithms = grep { $offered{$_} } @{ $question->{policy}{algorithms} // \@asymmetric };
    return ('unsupported', 'none of the allowed algorithms is offered') unless @algorithms;
    my $decoded = eval { decode_jwt(arguments($question, @algorithms)); 1 };
    return $decoded ? ('valid', '') : ('invalid', substr($@, 0, 300));
}

$| = 1;
while (my $line = <STDIN>) {
    my $question = $json->decode($line);
    my ($said, $reason) = verdict($question);
    print $json->encode({ id => $question->{id}, verdict => $said, lacks => \@lacks, reason => $reason }), "\n";
}

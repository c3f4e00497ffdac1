#!/usr/bin/perl
# Crypt::JWT: a JWK Set, an allow-list, issuer, audience, leeway, exp, nbf, iat.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Frame;
use Crypt::JWT qw(decode_jwt);

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
    return (%arguments, ignore_claims => 1, decode_payload => 0) unless checks_claims($question);
    $arguments{leeway} = $policy->{leeway} // 60;
    $arguments{verify_exp} = 1 if $policy->{require_expiration} // 1;
    $arguments{verify_iat} = undef;
    if (my @issuers = listed($policy->{issuer})) {
        $arguments{verify_iss} = sub { my ($claim) = @_; return !ref $claim && scalar grep { $_ eq $claim } @issuers };
    }
    if (my @audiences = listed($policy->{audience})) { $arguments{verify_aud} = among(@audiences) }
    return %arguments;
}

sub opens {
    my ($question, $key) = @_;
    my $policy = $question->{policy};
    my $secret = { map { $_ => $key->{$_} } grep { $_ ne 'alg' } keys %$key };
    return decode_jwt(token => $question->{encrypted}, key => $secret, accepted_alg => $policy->{key_management},
        accepted_enc => $policy->{encryptions}, decode_payload => 0);
}

serve(sub { decode_jwt(arguments(@_)); 1 },
    [qw(HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 ES256K EdDSA)],
    qw(nonce access_token code max_age maximum_age acr amr azp revoked_jti types required b64 no-kid),
    { opens => \&opens, lacks => [qw(cty no-zip)] });

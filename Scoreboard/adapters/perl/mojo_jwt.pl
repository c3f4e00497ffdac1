#!/usr/bin/perl
# Mojo::JWT: a JWK Set, exp and nbf if they are there. It takes no list of algorithms: this code checks the header, where it offers to.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Frame;
use Mojo::JWT;

sub is_usable {
    my ($key) = @_;
    return 0 unless ref $key eq 'HASH' && defined $key->{kid};
    return ($key->{kty} // '') eq 'oct' ? defined $key->{k} : ($key->{kty} // '') eq 'RSA' && eval { rsa($key); 1 };
}

sub accepts {
    my ($question, @algorithms) = @_;
    return 'unsupported' unless checks_claims($question);
    my $peek = sub { my ($jwt) = @_; die "not allowed\n" unless grep { $_ eq $jwt->algorithm } @algorithms };
    Mojo::JWT->new->add_jwkset([grep { is_usable($_) } @{ $question->{keys}{keys} }])->decode($question->{token}, $peek);
    return 1;
}

my @lacks = grep { !/^(?:claims|exp|nbf)$/ } @Frame::CLAIM_RULES;
serve(\&accepts, [qw(HS256 HS384 HS512 RS256 RS384 RS512)], @lacks, qw(leeway payload b64 no-kid));

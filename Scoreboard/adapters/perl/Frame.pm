# What the adapters in Perl share: the protocol, and the choice of a key for libraries that take one key and no JWK Set.
package Frame;
use strict;
use warnings;
use Encode qw(decode);
use Exporter 'import';
use JSON::PP;
use MIME::Base64 qw(decode_base64url);

our @EXPORT = qw(serve listed checks_claims candidates rsa header);
our @CLAIM_RULES = qw(claims exp nbf iat issuer audience required required-exp nonce access_token code max_age maximum_age acr amr azp
    revoked_jti types);
my @asymmetric = qw(RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 ES256K EdDSA Ed25519 Ed448 ML-DSA-44 ML-DSA-65 ML-DSA-87);
my @known = (qw(HS256 HS384 HS512), @asymmetric);
my $json = JSON::PP->new->utf8->allow_nonref->max_depth(2048);

sub listed { my ($value) = @_; return !defined $value ? () : ref $value ? @$value : ($value) }

sub checks_claims { my ($question) = @_; return $question->{policy}{claims} // 1 }

# The header before its verification, by which a caller chooses a key.
sub header {
    my ($question) = @_;
    my $header = $json->decode(decode_base64url((split /\./, $question->{token})[0]));
    die "the header is no object\n" unless ref $header eq 'HASH' && defined $header->{alg} && !ref $header->{alg};
    return $header;
}

# The keys that a careful caller would try: the kid of the token, for signatures, for its algorithm.
sub candidates {
    my ($question) = @_;
    my $header = header($question);
    my $kind = { HS => 'oct', RS => 'RSA' }->{ substr $header->{alg}, 0, 2 } // '';
    return grep {
        my $operations = ref $_ eq 'HASH' ? $_->{key_ops} // ['verify'] : undef;
        ref $operations eq 'ARRAY' && (grep { $_ eq 'verify' } @$operations) && ($_->{kty} // '') eq $kind
            && (!exists $header->{kid} || ($_->{kid} // '') eq $header->{kid}) && ($_->{alg} // $header->{alg}) eq $header->{alg}
            && ($_->{use} // 'sig') eq 'sig'
    } @{ $question->{keys}{keys} };
}

# The public key of a JWK, by the library with which these libraries verify.
sub rsa {
    my ($key) = @_;
    require Crypt::OpenSSL::Bignum;
    require Crypt::OpenSSL::RSA;
    my ($modulus, $exponent) = map { Crypt::OpenSSL::Bignum->new_from_bin(decode_base64url($key->{$_})) } qw(n e);
    return Crypt::OpenSSL::RSA->new_key_from_parameters($modulus, $exponent);
}

# `accepts` gets the question and the allowed algorithms that the library offers. It dies where the library refuses.
sub verdict {
    my ($question, $accepts, $offered) = @_;
    return ('invalid', 'no keys') unless defined $question->{keys};
    my @algorithms = grep { $offered->{$_} } @{ $question->{policy}{algorithms} // \@asymmetric };
    return ('unsupported', 'none of the allowed algorithms is offered') unless @algorithms;
    my $said = eval { $accepts->($question, @algorithms) };
    return $said ? ($said eq 'unsupported' ? $said : 'valid', '') : ('invalid', substr($@, 0, 300));
}

# The private keys that a careful caller would try: of the token's kid, for its algorithm.
sub recipients {
    my ($question) = @_;
    my $header = header({ token => $question->{encrypted} });
    return grep {
        my $bound = $_->{alg};
        (!exists $header->{kid} || !exists $_->{kid} || $_->{kid} eq $header->{kid})
            && ($header->{alg} eq 'dir' ? $_->{kty} eq 'oct' && $bound eq $header->{enc}
            : ($bound // $header->{alg}) eq $header->{alg} && ($header->{alg} =~ /^RSA/ ? $_->{kty} eq 'RSA' : $_->{kty} =~ /^(EC|OKP)$/))
    } @{ $question->{decryption_keys}{keys} };
}

# The answer about an encrypted token, with the token in it judged. `opens` gets the question and a key, and dies where the library refuses.
sub opened {
    my ($question, $accepts, $offered, $opens) = @_;
    return ('unsupported', 'knows no such tokens') unless $opens && $question->{kind} eq 'encrypted';
    for my $key (eval { recipients($question) }) {
        my $content = eval { $opens->($question, $key) };
        next unless defined $content;
        return ('valid', '', $content) if exists $question->{policy}{nested} && !$question->{policy}{nested};
        my $inner = { %$question, token => $content, policy => { map { $_ => $question->{policy}{$_} } qw(issuer audience) } };
        my ($said, $reason) = verdict($inner, $accepts, $offered);
        return $said eq 'valid' ? ($said, '', $content) : ('invalid', "the token inside: $reason");
    }
    return ('invalid', substr($@ || 'no key fits the token', 0, 300));
}

# Answers until the input ends. `lacks` are names of Docs/Scoreboard.md. `%$opening` has `opens`, for encrypted tokens, and what it `lacks`.
sub serve {
    my ($accepts, $algorithms, @lacks) = @_;
    my $opening = ref $lacks[-1] eq 'HASH' ? pop @lacks : {};
    my %offered = map { $_ => 1 } @$algorithms;
    push @lacks, grep { !$offered{$_} } @known;
    $| = 1;
    while (my $line = <STDIN>) {
        my $question = $json->decode($line);
        if (defined $question->{kind}) {
            my ($said, $reason, $content) = opened($question, $accepts, \%offered, $opening->{opens});
            my %answer = (id => $question->{id}, verdict => $said, lacks => [@lacks, @{ $opening->{lacks} // [] }], reason => $reason);
            $answer{content} = decode('UTF-8', $content) if defined $content && length $content <= 65536;
            print $json->encode(\%answer), "\n";
            next;
        }
        my ($said, $reason) = verdict($question, $accepts, \%offered);
        print $json->encode({ id => $question->{id}, verdict => $said, lacks => \@lacks, reason => $reason }), "\n";
    }
}

1;

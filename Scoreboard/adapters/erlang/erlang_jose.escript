#!/usr/bin/env escript
%% erlang-jose with jiffy: a JWK, an allow-list. The caller checks all claims.

-mode(compile).

main(_) ->
    {ok, _} = application:ensure_all_started(jose),
    ok = io:setopts(standard_io, [binary, {encoding, latin1}]),
    answer(file:read_line(standard_io)).

answer(eof) -> ok;
answer({ok, Line}) ->
    Question = #{<<"id">> := Id} = jiffy:decode(Line, [return_maps]),
    {Said, Reason} = verdict(Question),
    Lacks = [atom_to_binary(Name) || Name <- lacks()],
    ok = file:write(standard_io, [jiffy:encode(#{id => Id, verdict => Said, lacks => Lacks, reason => Reason}, [force_utf8]), $\n]),
    answer(file:read_line(standard_io)).

verdict(#{<<"keys">> := null}) -> {invalid, <<"no keys">>};
verdict(Question) ->
    case allowed(maps:get(<<"policy">>, Question)) of
        [] -> {unsupported, <<"none of the allowed algorithms is offered">>};
        Allowed ->
            try lists:any(fun(Key) -> verifies(Question, Allowed, Key) end, candidates(Question, Allowed)) of
                true -> {valid, <<>>};
                false -> {invalid, <<"no key verifies">>}
            catch _:Refusal -> {invalid, iolist_to_binary(io_lib:format("~0P", [Refusal, 20]))}
            end
    end.

%% One key that is broken does not stand in the way of the others (RFC 7517 section 5).
verifies(#{<<"token">> := Token, <<"policy">> := Policy}, Allowed, Key) ->
    try verify(maps:get(<<"claims">>, Policy, true), jose_jwk:from_map(Key), Allowed, Token) of
        {Verified, _, _} -> Verified =:= true;
        _ -> false
    catch _:_ -> false
    end.

verify(false, Key, Allowed, Token) -> jose_jws:verify_strict(Key, Allowed, Token);
verify(_, Key, Allowed, Token) -> jose_jwt:verify_strict(Key, Allowed, Token).

%% The keys that a careful caller would try: the kid of the token, for signatures, for its algorithm.
candidates(#{<<"token">> := Token, <<"keys">> := #{<<"keys">> := Keys}}, Allowed) ->
    Header = jiffy:decode(jose_base64url:'decode!'(hd(binary:split(Token, <<".">>))), [return_maps]),
    Algorithm = maps:get(<<"alg">>, Header),
    [Key || lists:member(Algorithm, Allowed), Key <- Keys, is_map(Key), fits(Key, Header, Algorithm)].

fits(Key, Header, Algorithm) ->
    Operations = maps:get(<<"key_ops">>, Key, [<<"verify">>]),
    is_list(Operations) andalso lists:member(<<"verify">>, Operations)
        andalso (not is_map_key(<<"kid">>, Header) orelse maps:get(<<"kid">>, Key, none) =:= maps:get(<<"kid">>, Header))
        andalso maps:get(<<"kty">>, Key, none) =:= kind(Algorithm)
        andalso is_for(maps:get(<<"alg">>, Key, Algorithm), Algorithm, maps:get(<<"crv">>, Key, none))
        andalso maps:get(<<"use">>, Key, <<"sig">>) =:= <<"sig">>.

%% EdDSA stands for the algorithm of each curve (RFC 9864).
is_for(Algorithm, Algorithm, _) -> true;
is_for(<<"EdDSA">>, Curve, Curve) -> true;
is_for(Curve, <<"EdDSA">>, Curve) -> true;
is_for(_, _, _) -> false.

kind(<<"HS", _/binary>>) -> <<"oct">>;
kind(<<"RS", _/binary>>) -> <<"RSA">>;
kind(<<"PS", _/binary>>) -> <<"RSA">>;
kind(<<"ES", _/binary>>) -> <<"EC">>;
kind(<<"Ed", _/binary>>) -> <<"OKP">>.

allowed(Policy) ->
    Offered = [atom_to_binary(Name) || Name <- offered()],
    [Name || Name <- maps:get(<<"algorithms">>, Policy, Offered -- [<<"HS256">>, <<"HS384">>, <<"HS512">>]), lists:member(Name, Offered)].

offered() ->
    ['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'ES256K', 'EdDSA',
     'Ed25519', 'Ed448'].

lacks() ->
    [claims, exp, nbf, iat, issuer, audience, required, 'required-exp', nonce, access_token, code, max_age, maximum_age, acr, amr, azp,
     revoked_jti, types, keys, b64, 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'].

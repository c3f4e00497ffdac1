package assay

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"assay.local/assay/assaytest"
)

func TestMembersAreFoundByTheirExactNames(t *testing.T) {
	object := ` { "a" : 1 ,"b":{"a":"}\"","c":[1,{"d":"]"}]},"c":"x\"y\\","\u0064":[],"e":"","f":null , "g":-1.5e3}`
	for name, expected := range map[string]string{
		"a": "1", "b": `{"a":"}\"","c":[1,{"d":"]"}]}`, "c": `"x\"y\\"`, "d": "[]", "e": `""`, "f": "null", "g": "-1.5e3", "A": "", "": "", `\u0064`: "",
	} {
		if got := member(object, name); got != expected {
			t.Errorf("%q: %q", name, got)
		}
	}
}

// No text makes the search end in another way, or not at all.
func TestNoTextStopsTheSearch(t *testing.T) {
	for _, text := range []string{"", "{", "{}", `{"`, `{"a`, `{"a\`, `{"a"`, `{"a":`, `{"a":"`, `{"a":[`, `{"a":}`, `{"a":,}`, "{,,,", "[1]", "1", `{"a":1`, `{"b":\`} {
		if got := member(text, "a"); got != "" && got != "1" && got != "[" && got != `"` {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestDatesAreWholeSeconds(t *testing.T) {
	for text, expected := range map[string]int64{
		"0": 0, "1700000000": 1_700_000_000, "1700000000.999999999999999999": 1_700_000_000, "-1": -1, "-1.5": -2, "-1.0": -1, "-0.5": -1, "1.7e9": 1_700_000_000,
		"1.5E0": 1, "-15e-1": -2, "253402300799": 253_402_300_799,
	} {
		if got, has := date(text); !has || got != expected {
			t.Error(text, got, has)
		}
	}
	for _, text := range []string{"", `"1"`, "null", "1e400", "1e13", "{}", "99999999999999999999"} {
		if got, has := date(text); has {
			t.Error(text, got)
		}
	}
}

// What Go reads of a token is what C has verified.
func TestClaimsAreThoseOfTheToken(t *testing.T) {
	key := assaytest.NewKey("ES256", "k\"\u00e9")
	sample := sampleClaims()
	sample["sub"], sample["jti"], sample["auth_time"] = "a\\\"\u2028\U0001F600", "", json.Number("1700000000.75")
	claims, err := verifierOf(t, plain, key).Verify(key.Sign(sample, map[string]any{"kid": "k\"\u00e9"}))
	if err != nil {
		t.Fatal(err)
	}
	if claims.Subject() != sample["sub"] || claims.TokenID() != "" || claims.KeyID() != "k\"\u00e9" || claims.Algorithm() != "ES256" {
		t.Error(claims.Subject(), claims.TokenID(), claims.KeyID(), claims.Algorithm())
	}
	if at, has := claims.AuthenticationTime(); !has || at.Unix() != 1_700_000_000 || at.Nanosecond() != 0 {
		t.Error(at)
	}
	if _, has := claims.String("jti"); !has || claims.Has("nonce") {
		t.Error("an empty claim is one, and an absent one is none")
	}
}

// The search finds what encoding/json finds, in every object whose names are unique.
func FuzzMember(f *testing.F) {
	f.Add([]byte(`{"a":1,"b":{"a":[{}]},"\u0063":"\\"}`), "a")
	f.Add([]byte(" {\"a\" :\n\"}\" , \"b\":-1e5}"), "b")
	f.Fuzz(func(t *testing.T, object []byte, name string) {
		found := member(string(object), name)
		var members map[string]json.RawMessage
		if !utf8.Valid(object) || json.Unmarshal(object, &members) != nil || members == nil || !areUnique(object, len(members)) {
			return
		}
		for known, value := range members {
			if got := member(string(object), known); got != string(value) {
				t.Fatalf("%q: %q, not %q", known, got, value)
			}
			var plain string
			if json.Unmarshal(value, &plain) == nil && value[0] == '"' && unquoted(string(value)) != plain {
				t.Fatalf("%q is %q", value, unquoted(string(value)))
			}
		}
		if found != string(members[name]) {
			t.Fatalf("%q: %q", name, found)
		}
	})
}

// areUnique tells whether an object has so many members.
func areUnique(object []byte, count int) bool {
	decoder := json.NewDecoder(strings.NewReader(string(object)))
	depth, names, isName := 0, 0, false
	for {
		token, err := decoder.Token()
		if err != nil {
			return names == count
		}
		delimiter, isDelimiter := token.(json.Delim)
		switch {
		case isDelimiter && (delimiter == '{' || delimiter == '['):
			depth++
			isName = depth == 1
			continue
		case isDelimiter:
			depth--
		case depth == 1 && isName:
			names++
			isName = false
			continue
		}
		isName = depth == 1
	}
}

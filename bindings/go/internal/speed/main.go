// What a verification from Go costs above one from C: both verify the same tokens in turns, in one process. Prints a row for each
// algorithm, with medians of processor time: speed [ROUNDS]
package main

import (
	"fmt"
	"log"
	"os"
	"runtime"
	"sort"
	"strconv"
	"time"

	"assay.local/assay"
	"assay.local/assay/assaytest"
)

type setting struct {
	algorithm, issuer, audience string
	cache                       int
}

// turn is how many tokens are verified one after another. No two are the same: a processor learns its way through one.
const turn = 500

func main() {
	rounds := 21
	if len(os.Args) > 1 {
		number, err := strconv.Atoi(os.Args[1])
		if err != nil || number < 1 {
			log.Fatal("usage: speed [ROUNDS]")
		}
		rounds = number
	}
	runtime.GOMAXPROCS(1)
	fmt.Println("| algorithm | C, µs | Go, µs | Go above C, µs |\n| --- | --- | --- | --- |")
	for _, algorithm := range []string{"RS256", "ES256", "EdDSA", "HS256"} {
		compare(setting{algorithm: algorithm, issuer: "https://issuer.example", audience: "api"}, rounds)
	}
	compare(setting{algorithm: "ES256", issuer: "https://issuer.example", audience: "api", cache: 1 << 20}, rounds)
}

func compare(s setting, rounds int) {
	key := assaytest.NewKey(s.algorithm, "key-1")
	tokens := make([]string, turn)
	for index := range tokens {
		tokens[index] = key.Sign(sample(s, index), nil)
	}
	inC, inGo := newLoop(assaytest.KeySet(key), s, tokens), newVerifier(assaytest.KeySet(key), s)
	verify := func() {
		for _, token := range tokens {
			if _, err := inGo.Verify(token); err != nil {
				log.Fatal(err)
			}
		}
	}
	inC.run()
	verify()
	var ofC, ofGo, above []float64
	for round := 0; round < rounds; round++ {
		c, g := timed(inC.run), timed(verify)
		ofC, ofGo, above = append(ofC, c), append(ofGo, g), append(above, g-c)
	}
	name := s.algorithm
	if s.cache > 0 {
		name += ", cached"
	}
	fmt.Printf("| %s | %.2f | %.2f | %.2f |\n", name, median(ofC), median(ofGo), median(above))
}

func sample(s setting, index int) map[string]any {
	now := time.Now().Unix()
	return map[string]any{
		"iss": s.issuer, "aud": s.audience, "sub": fmt.Sprint("user-", index), "iat": now, "exp": now + 3600, "scope": "read write",
		"client_id": "shop",
	}
}

func newVerifier(document []byte, s setting) *assay.Verifier {
	keys, err := assay.NewKeys(document)
	if err != nil {
		log.Fatal(err)
	}
	keys.Prepare()
	policy := assay.Policy{Algorithms: []string{s.algorithm}, Issuers: []string{s.issuer}, Audiences: []string{s.audience}}
	verifier, err := assay.NewVerifier(policy, keys, assay.WithCache(s.cache, 0))
	if err != nil {
		log.Fatal(err)
	}
	return verifier
}

// timed returns the microseconds of one verification of a turn.
func timed(verify func()) float64 {
	before := processor()
	verify()
	return (processor() - before) / turn / 1e3
}

func median(values []float64) float64 {
	sort.Float64s(values)
	return values[len(values)/2]
}

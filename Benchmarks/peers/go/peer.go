// PROGRAM FOLDER ALGORITHM SECONDS: prints one line of JSON. ../README.md describes the folder and the output.
// Built together with the file of one library, which supplies newVerifier.
package main

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const tokensPerLookAtTheClock = 100

var begin = time.Now()

// The values that all tokens of the run share. The key is one of Go's public keys; under HS256 it is the secret's bytes.
type setting struct {
	algorithm, issuer, audience string
	key                         interface{}
}

func read(path ...string) []byte {
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		log.Fatal(err)
	}
	return data
}

func lines(path ...string) []string { return strings.Fields(string(read(path...))) }

func readKey(folder, algorithm string) interface{} {
	if algorithm == "HS256" {
		return bytes.TrimSpace(read(folder, algorithm, "secret"))
	}
	block, _ := pem.Decode(read(folder, algorithm, "key.pem"))
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		log.Fatal(err)
	}
	return key
}

func verdict(accepts func(string) bool, tokens []string) string {
	for _, token := range tokens {
		if accepts(token) {
			return "accepted"
		}
	}
	return "refused"
}

// now is the time in seconds by the clock that PEERS_CLOCK chooses; that of the processor counts Go's collector too.
func now() float64 {
	if os.Getenv("PEERS_CLOCK") != "processor" {
		return time.Since(begin).Seconds()
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func tokensPerSecond(accepts func(string) bool, tokens []string, seconds float64) float64 {
	verify := func(token string) {
		if !accepts(token) {
			log.Fatal("refuses a good token")
		}
	}
	// The first pass is not timed: it warms caches and checks each token.
	for _, token := range tokens {
		verify(token)
	}
	start, done := now(), 0
	for now()-start < seconds {
		for i := 0; i < tokensPerLookAtTheClock; i++ {
			verify(tokens[done%len(tokens)])
			done++
		}
	}
	return float64(done) / (now() - start)
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: PROGRAM FOLDER ALGORITHM SECONDS")
	}
	runtime.GOMAXPROCS(1)
	folder, algorithm := os.Args[1], os.Args[2]
	seconds, err := strconv.ParseFloat(os.Args[3], 64)
	if err != nil {
		log.Fatal(err)
	}
	accepts := newVerifier(setting{algorithm, lines(folder, "issuer")[0], lines(folder, "audience")[0], readKey(folder, algorithm)})
	result := map[string]interface{}{}
	for _, name := range []string{"tampered", "expired", "other-issuer", "other-audience"} {
		result[name] = verdict(accepts, lines(folder, algorithm, name))
	}
	if result["tampered"] == "refused" {
		result["tokens_per_second"] = tokensPerSecond(accepts, lines(folder, algorithm, "tokens"), seconds)
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		log.Fatal(err)
	}
}

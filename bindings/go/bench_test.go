package assay

import (
	"testing"
	"time"

	"assay.local/assay/assaytest"
)

// BenchmarkVerify has one row for each algorithm, and one for a cached token. `make bench-go` shows verifications beside those of C.
func BenchmarkVerify(b *testing.B) {
	for _, algorithm := range []string{"RS256", "ES256", "EdDSA", "HS256"} {
		b.Run(algorithm, func(b *testing.B) { benchmark(b, algorithm) })
	}
	b.Run("cached", func(b *testing.B) { benchmark(b, "ES256", WithCache(1<<20, time.Minute)) })
}

func benchmark(b *testing.B, algorithm string, with ...Option) {
	key := assaytest.NewKey(algorithm, "k")
	policy := plain
	policy.Algorithms = []string{algorithm}
	keys, err := NewKeys(assaytest.KeySet(key))
	if err != nil {
		b.Fatal(err)
	}
	keys.Prepare()
	v, err := NewVerifier(policy, keys, with...)
	if err != nil {
		b.Fatal(err)
	}
	token := key.Sign(sampleClaims(), nil)
	b.ReportAllocs()
	b.ResetTimer()
	for index := 0; index < b.N; index++ {
		if _, err := v.Verify(token); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSubject(b *testing.B) {
	key := assaytest.NewKey("HS256", "k")
	policy := plain
	policy.Algorithms = []string{"HS256"}
	claims, err := verifierOf(b, policy, key).Verify(key.Sign(sampleClaims(), nil))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for index := 0; index < b.N; index++ {
		if claims.Subject() == "" {
			b.Fatal("no subject")
		}
	}
}

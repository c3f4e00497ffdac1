package assay

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay.local/assay/assaytest"
)

// resident returns the memory of the process in bytes.
func resident(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// ASSAY_GO_CALLS is ten million in the long tests.
func TestManyCallsLeaveMemoryAsItWas(t *testing.T) {
	calls, err := strconv.Atoi(os.Getenv("ASSAY_GO_CALLS"))
	if err != nil {
		calls = 50_000
	}
	key := assaytest.NewKey("HS256", "k")
	policy := plain
	policy.Algorithms = []string{"HS256"}
	v := verifierOf(t, policy, key)
	sample := sampleClaims()
	// Ten million calls last for minutes.
	sample["exp"] = time.Now().Add(24 * time.Hour).Unix()
	token := key.Sign(sample, nil)
	round := func(calls int) int {
		for index := 0; index < calls; index++ {
			if _, err := v.Verify(token); err != nil {
				t.Fatal(err)
			}
			if _, err := v.Verify(token[1:]); err == nil {
				t.Fatal("a cut token passes")
			}
			if index%100 == 0 {
				made := verifierOf(t, policy, key)
				if _, err := made.VerifyBatch([]string{token, "", token}); err != nil {
					t.Fatal(err)
				}
				made.Close()
			}
		}
		// Memory that is free in Go's heap is still resident: a busy machine collects late.
		debug.FreeOSMemory()
		return resident(t)
	}
	before, after := round(calls/5), round(calls)
	t.Logf("%d KiB before %d calls, %d KiB after them", before>>10, calls, after>>10)
	if after > before+before/4+(8<<20) {
		t.Error("the memory grows")
	}
}

package assay_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"assay.local/assay"
	"assay.local/assay/internal/vectors"
)

// The vectors of the repository: the same verdict and the same code as every other interface, single and in batches.
const folder = "../../vectors"

// code is the name of the verdict.
func code(err error) string {
	var refusal *assay.Error
	if errors.As(err, &refusal) {
		return refusal.Code.String()
	}
	if err != nil {
		return err.Error()
	}
	return "valid"
}

func TestVectorsGiveTheSameVerdictAndCode(t *testing.T) {
	paths, _ := filepath.Glob(folder + "/*.json")
	count := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file vectors.File
		if json.Unmarshal(text, &file) != nil || file.Kind != "tokens" {
			continue
		}
		v, made := file.Verifier()
		if filepath.Base(path) == "mldsa.json" && !vectors.Offers("ML-DSA-44") {
			t.Logf("this libcrypto has no ML-DSA: %d cases are skipped", len(file.Cases))
			continue
		}
		var tokens []string
		for _, one := range file.Cases {
			err := made
			if made == nil {
				err = file.Verify(v, one.Token)
			}
			if made == nil && !file.IsAboutSignatures() {
				tokens = append(tokens, one.Token)
			}
			compare(t, one.ID, one.Expect, err)
			count++
		}
		if len(tokens) == 0 {
			continue
		}
		verdicts, err := v.VerifyBatch(tokens)
		if err != nil {
			t.Fatal(path, err)
		}
		for index, verdict := range verdicts {
			compare(t, file.Cases[index].ID+" in a batch", file.Cases[index].Expect, verdict.Err)
		}
	}
	if count < 7_000 {
		t.Errorf("%d cases are too few: is %s there?", count, folder)
	}
}

func compare(t *testing.T, id, expected string, err error) {
	t.Helper()
	if got := code(err); got != expected && (expected != "invalid" || got == "valid") {
		t.Errorf("%s: %s, and not %s", id, got, expected)
	}
}

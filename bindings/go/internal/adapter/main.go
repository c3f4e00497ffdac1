// The adapter of the scoreboard: reads questions of one token a line, and writes verdicts.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	"assay.local/assay/internal/vectors"
)

type question struct {
	vectors.File
	ID    string `json:"id"`
	Token string `json:"token"`
}

func verdict(q *question) (said, reason string) {
	verifier, err := q.Verifier()
	if err == nil {
		defer verifier.Close()
		err = q.Verify(verifier, q.Token)
	}
	if err == nil {
		return "valid", ""
	}
	return "invalid", err.Error()
}

// lacks are the algorithms that this libcrypto does not have.
func lacks() []string {
	missing := []string{}
	for _, name := range []string{"ML-DSA-44", "ML-DSA-65", "ML-DSA-87"} {
		if !vectors.Offers(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

func main() {
	missing := lacks()
	lines := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			log.Fatal(err)
		}
		said, reason := verdict(&q)
		_ = output.Encode(map[string]any{"id": q.ID, "verdict": said, "lacks": missing, "reason": reason})
	}
}

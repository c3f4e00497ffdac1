package main

import (
	"context"
	"fmt"
	"log"

	"assay.local/assay"
	"assay.local/assay/assaytest"
)

func main() {
	// Plays the issuer. A real one: assay.NewRemoteKeys("https://idp.example", assay.Fetching{}).
	issuer := assaytest.NewIssuer()
	defer issuer.Close()
	keys, err := assay.NewRemoteKeys(issuer.URL, assay.Fetching{Loopback: true})
	if err != nil {
		log.Fatal(err)
	}
	verifier, err := assay.NewVerifier(assay.Policy{Issuers: []string{issuer.URL}, Audiences: []string{"api"}}, keys)
	if err != nil {
		log.Fatal(err)
	}
	// Verify waits for nothing. Before the first keys are there it gives an error with status 503.
	if err := keys.Wait(context.Background()); err != nil {
		log.Fatal(err)
	}
	claims, err := verifier.Verify(issuer.Token("api", nil))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("valid:", claims.Subject())
	_, err = verifier.Verify(issuer.Token("another", nil))
	fmt.Println("refused:", err)
}

package main

import (
	"fmt"
	"log"
	"net/http"
	"os"

	"assay.local/assay"
)

// Account is what the token says about the caller.
type Account struct {
	ID string `json:"sub"`
}

// Greet is called for admitted requests alone.
func Greet(writer http.ResponseWriter, request *http.Request) {
	var account Account
	if known, err := assay.FromContext(request.Context()).Claims("idp", &account); err == nil && known {
		fmt.Fprintf(writer, "Hello %s", account.ID)
	}
}

func main() {
	settings, err := os.ReadFile("settings.json")
	if err != nil {
		log.Fatal(err)
	}
	gateway, err := assay.NewGateway(settings)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", gateway.Handler(http.HandlerFunc(Greet))))
}

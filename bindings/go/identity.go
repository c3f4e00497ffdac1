package assay

import (
	"context"
	"encoding/json"
)

// An Identity is what a gateway found out about an admitted request. Only a Gateway makes one. A nil Identity has no claims.
type Identity struct {
	// Providers are the names of those whose tokens were accepted. A request without a token, where the policy allows it, has none.
	Providers []string
	metadata  []metadata
}

type metadata struct{ provider, key, json string }

// Claims decodes the payload of the accepted token of a provider into a pointer, as encoding/json does. Its settings name the key:
// `payloadMetadata`. Without a token it is false. A provider with `headerMetadata` alone has the header there.
func (i *Identity) Claims(provider string, into any) (bool, error) {
	if i == nil {
		return false, nil
	}
	for _, m := range i.metadata {
		if m.provider == provider {
			return true, json.Unmarshal([]byte(m.json), into)
		}
	}
	return false, nil
}

// Metadata returns what settings keep of an accepted token: its payload (`payloadMetadata`) or header (`headerMetadata`) by its key, as JSON.
func (i *Identity) Metadata(provider, key string) (string, bool) {
	if i == nil {
		return "", false
	}
	for _, m := range i.metadata {
		if m.provider == provider && m.key == key {
			return m.json, true
		}
	}
	return "", false
}

type contextKey struct{}

// FromContext returns the identity of a request that a Gateway's Handler has let pass; nil for every other.
func FromContext(ctx context.Context) *Identity {
	if ctx == nil {
		return nil
	}
	identity, _ := ctx.Value(contextKey{}).(*Identity)
	return identity
}

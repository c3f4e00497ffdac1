#include "provider.h"

#include <stdlib.h>
#include <string.h>

static const char *const OWN[] = {"clearRouteCache", "spaceDelimitedClaims", NULL};
static const char *const OWN_OF_FETCHED[] = {"cluster", "clusters", "timeoutSeconds", NULL};

/* Each further authority has its cluster: an issuer's metadata may name keys elsewhere, and nothing else is asked. */
static void read_clusters(ae_clusters *out, const ae_settings *in, const char *absent) {
    out->name = ae_copy(ae_text_setting(in, "cluster", absent));
    out->timeout = (uint64_t)ae_integer_setting(in, "timeoutSeconds", 1, 60, 3) * 1000;
    ae_settings clusters = ae_section(in, "clusters", NULL);
    const char *authority;
    json_t *cluster;
    json_object_foreach(clusters.object, authority, cluster) {
        if (!json_is_string(cluster)) {
            ae_refuse(in, "clusters", "the name of a cluster is expected for each authority");
        }
    }
    out->by_authority = json_incref(clusters.object);
}

static void free_clusters(ae_clusters *clusters) {
    json_decref(clusters->by_authority);
    free(clusters->name);
}

static void refuse_cluster(const ae_settings *keys, const char *kind) {
    bool has_failover = ae_has(keys, "failover") && !ae_has(keys, "cluster");
    if (!has_failover && (ae_has(keys, "cluster") || ae_has(keys, "clusters") || ae_has(keys, "timeoutSeconds"))) {
        ae_refuse(keys, NULL, "`%s` is not fetched, so no cluster and no time limit applies", kind);
    }
}

static void read_keys(ae_provider *out, const ae_settings *in) {
    ae_settings keys = ae_section(in, "keys", NULL);
    const char *kind = ae_has(&keys, "inline") ? "inline" : ae_has(&keys, "file") ? "file" : NULL;
    const char *url = ae_plain_text(keys.object, ae_has(&keys, "spiffeBundle") ? "spiffeBundle" : "url");
    out->source = ae_copy(url[0] ? url : out->issuer);
    out->file = ae_copy(ae_plain_text(keys.object, "file"));
    out->needs_driver = !ae_has(&keys, "inline");
    if (kind) {
        refuse_cluster(&keys, kind);
    }
    if (!kind || ae_has(&keys, "failover")) {
        read_clusters(&out->keys, &keys, kind ? "" : NULL);
    }
    ae_take_out(&keys, OWN_OF_FETCHED);
    if (keys.object && json_object_size(keys.object) == 0) {
        /* To libassay no `keys` are those of the issuer's metadata. */
        ae_take_out(in, (const char *const[]){"keys", NULL});
    }
}

/* Without clusters of their own, lists come through those of keys. */
static void read_lists(ae_provider *out, const ae_settings *in) {
    ae_settings lists = ae_section(in, "statusLists", NULL);
    out->has_lists = lists.object != NULL;
    if (out->has_lists) {
        read_clusters(&out->lists, &lists, "");
        out->needs_driver = true;
        ae_take_out(&lists, OWN_OF_FETCHED);
    }
}

/* A list, or one text in place of a list of one. */
static void read_spaced_claims(ae_provider *out, const ae_settings *in) {
    json_t *value = ae_value(in, "spaceDelimitedClaims");
    out->spaced_claims = json_is_string(value) ? json_pack("[O]", value) : json_incref(value);
    size_t count = json_array_size(out->spaced_claims), texts = 0;
    while (texts < count && json_is_string(json_array_get(out->spaced_claims, texts))) {
        texts++;
    }
    if (value && (!count || texts < count)) {
        ae_refuse(in, "spaceDelimitedClaims", "a list of texts is expected");
    } else if (value && !out->payload_metadata[0]) {
        ae_refuse(in, "spaceDelimitedClaims", "is of no use without `payloadMetadata`");
    }
}

void ae_provider_read(ae_provider *out, const ae_settings *in) {
    out->name = ae_copy(ae_plain_text(in->object, "name"));
    out->issuer = ae_copy(ae_plain_text(in->object, "issuer"));
    out->payload_metadata = ae_copy(ae_plain_text(in->object, "payloadMetadata"));
    out->clears_route = ae_flag_setting(in, "clearRouteCache");
    read_spaced_claims(out, in);
    read_keys(out, in);
    read_lists(out, in);
    ae_take_out(in, OWN);
}

void ae_provider_free(ae_provider *provider) {
    free_clusters(&provider->keys);
    free_clusters(&provider->lists);
    json_decref(provider->spaced_claims);
    free(provider->name);
    free(provider->issuer);
    free(provider->source);
    free(provider->file);
    free(provider->noted);
    free(provider->payload_metadata);
}

static const char TENANT[] = "{tenant}";

bool ae_provider_has_tenants(const ae_provider *provider) {
    return strstr(provider->issuer, TENANT) != NULL;
}

bool ae_provider_trusts(const ae_provider *provider, const char *issuer) {
    const char *mark = strstr(provider->issuer, TENANT);
    if (!mark) {
        return strcmp(provider->issuer, issuer) == 0;
    }
    size_t before = (size_t)(mark - provider->issuer), length = strlen(issuer);
    const char *rest = mark + sizeof TENANT - 1;
    size_t behind = strlen(rest);
    return length > before + behind && strncmp(issuer, provider->issuer, before) == 0 && strcmp(issuer + length - behind, rest) == 0
        && !memchr(issuer + before, '/', length - before - behind);
}

bool ae_provider_shares(const ae_provider *one, const ae_provider *other) {
    bool are_fetched = one->keys.name && other->keys.name;
    return are_fetched && strcmp(one->source, other->source) == 0 && strcmp(one->issuer, other->issuer) == 0;
}

/* NULL without one. */
static const char *cluster_of_authority(const ae_clusters *clusters, assay_text wanted) {
    const char *authority;
    json_t *cluster;
    json_object_foreach(clusters->by_authority, authority, cluster) {
        if (ae_equal(wanted, ae_text(authority))) {
            return json_string_value(cluster);
        }
    }
    return NULL;
}

const char *ae_provider_cluster(const ae_provider *provider, const ae_url *url) {
    ae_url source;
    if (!provider->keys.name || !ae_url_read(&source, provider->source) || (source.is_https && !url->is_https)) {
        return NULL;
    }
    if (ae_equal(url->authority, source.authority) && provider->keys.name[0]) {
        return provider->keys.name;
    }
    return cluster_of_authority(&provider->keys, url->authority);
}

const char *ae_provider_list_cluster(const ae_provider *provider, const ae_url *url) {
    if (!provider->has_lists) {
        return NULL;
    }
    const char *own = cluster_of_authority(&provider->lists, url->authority);
    if (own || provider->lists.name[0]) {
        return own ? own : provider->lists.name;
    }
    return ae_provider_cluster(provider, url);
}

/* resources.c: protected resources (RFC 9728): the directive that describes one, and the location that serves their metadata. */

#include "assay_module.h"

/* The content of a location: the metadata of the resource that has it at this host and path. nginx has chosen the server by the same host, and
 * perhaps another one as its default: libassay looks at what the client asked for. */
static ngx_int_t ngx_http_assay_find_document(ngx_http_request_t *r, ngx_str_t *out)
{
    ngx_http_assay_main_conf_t *conf = ngx_http_get_module_main_conf(r, ngx_http_assay_module);
    ngx_http_assay_gateway_t **gateways = conf->gateways.elts;
    ngx_str_t none = ngx_null_string, host = r->headers_in.host == NULL ? none : r->headers_in.host->value;
    for (ngx_uint_t i = 0; i < conf->gateways.nelts; i++) {
        const char *authority = (const char *) host.data, *target = (const char *) r->unparsed_uri.data;
        const assay_gateway *core = gateways[i]->core;
        size_t len = assay_gateway_resource_metadata(NULL, 0, core, authority, host.len, target, r->unparsed_uri.len);
        if (len == 0) {
            continue;
        }
        out->data = ngx_pnalloc(r->pool, len + 1);
        if (out->data == NULL) {
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }
        out->len = assay_gateway_resource_metadata((char *) out->data, len + 1, core, authority, host.len, target, r->unparsed_uri.len);
        return NGX_OK;
    }
    return NGX_HTTP_NOT_FOUND;
}

/* Pages in browsers may read it, and nobody has to ask first with a field that they set. */
static ngx_int_t ngx_http_assay_add_document_fields(ngx_http_request_t *r)
{
    static ngx_str_t age = ngx_string("max-age=300"), all = ngx_string("*");
    return ngx_http_assay_add_answer_field(r, "Cache-Control", age) != NULL
            && ngx_http_assay_add_answer_field(r, "Access-Control-Allow-Origin", all) != NULL
        ? NGX_OK
        : NGX_ERROR;
}

static ngx_int_t ngx_http_assay_send_document(ngx_http_request_t *r, ngx_str_t document)
{
    ngx_buf_t *buffer = ngx_calloc_buf(r->pool);
    ngx_chain_t out = {buffer, NULL};
    if (buffer == NULL || ngx_http_assay_add_document_fields(r) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }
    ngx_str_set(&r->headers_out.content_type, "application/json");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_length_n = (off_t) document.len;
    ngx_int_t result = ngx_http_send_header(r);
    if (result == NGX_ERROR || result > NGX_OK || r->header_only) {
        return result;
    }
    buffer->pos = document.data;
    buffer->last = document.data + document.len;
    buffer->memory = 1;
    buffer->last_buf = r == r->main;
    buffer->last_in_chain = 1;
    return ngx_http_output_filter(r, &out);
}

/* The answer to a browser that asks whether a page may send a field of its own, as pages with the MCP SDK do. */
static ngx_int_t ngx_http_assay_permit_fields(ngx_http_request_t *r)
{
    static ngx_str_t methods = ngx_string("GET, HEAD"), all = ngx_string("*");
    if (ngx_http_assay_add_document_fields(r) != NGX_OK
        || ngx_http_assay_add_answer_field(r, "Access-Control-Allow-Methods", methods) == NULL
        || ngx_http_assay_add_answer_field(r, "Access-Control-Allow-Headers", all) == NULL)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }
    r->headers_out.status = NGX_HTTP_NO_CONTENT;
    r->header_only = 1;
    r->headers_out.content_length_n = 0;
    return ngx_http_send_header(r);
}

/* A client that may not do this learns what it may do (RFC 9110 section 15.5.6). */
static ngx_int_t ngx_http_assay_refuse_method(ngx_http_request_t *r)
{
    static ngx_str_t methods = ngx_string("GET, HEAD, OPTIONS");
    return ngx_http_assay_add_answer_field(r, "Allow", methods) != NULL ? NGX_HTTP_NOT_ALLOWED : NGX_HTTP_INTERNAL_SERVER_ERROR;
}

static ngx_int_t ngx_http_assay_serve_metadata(ngx_http_request_t *r)
{
    ngx_str_t document;
    ngx_int_t result = ngx_http_discard_request_body(r);
    if (result == NGX_OK) {
        result = ngx_http_assay_find_document(r, &document);
    }
    if (result != NGX_OK) {
        return result;
    }
    if (r->method == NGX_HTTP_OPTIONS) {
        return ngx_http_assay_permit_fields(r);
    }
    return r->method & (NGX_HTTP_GET | NGX_HTTP_HEAD) ? ngx_http_assay_send_document(r, document) : ngx_http_assay_refuse_method(r);
}

/* assay_serve_resource_metadata; A client that asks has no token yet, so the location is open, whatever it inherits. */
char *ngx_http_assay_serve_resources(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_core_loc_conf_t *location = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    ngx_http_assay_loc_conf_t *mine = conf;
    (void) cmd;
    mine->serves_metadata = 1;
    location->handler = ngx_http_assay_serve_metadata;
    return NGX_CONF_OK;
}

/* Sets one member of a resource or of its `signedMetadata`. Whether its value is possible, libassay says. */
static char *ngx_http_assay_read_resource(ngx_conf_t *cf, json_t *resource, ngx_str_t word)
{
    static const struct {
        const char *parameter, *section, *member;
        ngx_uint_t is_list;
    } members[] = {
        {"server=", NULL, "authorizationServers", 1}, {"scope=", NULL, "scopes", 1}, {"keys=", NULL, "keysURL", 0},
        {"name=", NULL, "displayName", 0}, {"documentation=", NULL, "documentationURL", 0}, {"policy=", NULL, "policyURL", 0},
        {"terms=", NULL, "termsURL", 0}, {"details=", NULL, "authorizationDetailsTypes", 1},
        {"signing_key=", "signedMetadata", "keyFile", 0}, {"signing_algorithm=", "signedMetadata", "algorithm", 0},
        {"signing_key_id=", "signedMetadata", "keyID", 0}, {"signing_issuer=", "signedMetadata", "issuer", 0}
    };
    for (ngx_uint_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        ngx_str_t text;
        if (!ngx_http_assay_is_parameter(&text, word, members[i].parameter)) {
            continue;
        }
        /* Paths count from nginx's folder. */
        if (ngx_strcmp(members[i].member, "keyFile") == 0 && ngx_conf_full_name(cf->cycle, &text, 1) != NGX_OK) {
            return NGX_CONF_ERROR;
        }
        json_t *object = resource;
        if (members[i].section != NULL) {
            object = json_object_get(resource, members[i].section);
            if (object == NULL) {
                object = json_object();
                json_object_set_new(resource, members[i].section, object);
            }
        }
        return ngx_http_assay_set_or_append(object, members[i].member, ngx_http_assay_json(text), members[i].is_list);
    }
    return "has a parameter that it does not know";
}

/* assay_protected_resource URL [PARAMETER=VALUE]… | off; The value `null` stands for `off`, so that the resource of the level above is not
 * inherited. */
char *ngx_http_assay_protected_resource(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t *words = cf->args->elts;
    ngx_uint_t is_off = cf->args->nelts == 2 && ngx_strcmp(words[1].data, "off") == 0;
    json_t *resource = is_off ? json_null() : json_pack("{s:o}", "resource", ngx_http_assay_json(words[1]));
    char *failure = resource == NULL ? "has a text that is not UTF-8" : NGX_CONF_OK;
    for (ngx_uint_t i = 2; i < cf->args->nelts && failure == NGX_CONF_OK; i++) {
        failure = ngx_http_assay_read_resource(cf, resource, words[i]);
    }
    if (failure != NGX_CONF_OK) {
        json_decref(resource);
        return failure;
    }
    return ngx_http_assay_set_member(cf, cmd, conf, resource);
}

/* The resources that the policies of a gateway have, each once, in `out`: NGX_ERROR without memory, or after a message where two levels
 * describe one in two ways. */
ngx_int_t ngx_http_assay_collect_resources(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway, json_t *out)
{
    ngx_http_assay_policy_t **policies = gateway->policies.elts;
    for (ngx_uint_t i = 0; i < gateway->policies.nelts; i++) {
        json_t *resource = json_object_get(policies[i]->rules, "resource"), *known, *same = NULL;
        size_t index;
        if (!json_is_object(resource)) {
            continue;
        }
        json_array_foreach(out, index, known) {
            if (json_equal(json_object_get(known, "resource"), json_object_get(resource, "resource"))) {
                same = known;
            }
        }
        if (same != NULL && !json_equal(same, resource)) {
            ngx_log_error(NGX_LOG_EMERG, cf->log, 0, "\"assay_protected_resource\" directive: describes %s otherwise than another level, in %s",
                          json_string_value(json_object_get(resource, "resource")),
                          json_string_value(json_object_get(policies[i]->places, "assay_protected_resource")));
            return NGX_ERROR;
        }
        if (same == NULL && json_array_append(out, resource) != 0) {
            return NGX_ERROR;
        }
    }
    return NGX_OK;
}

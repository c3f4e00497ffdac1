/* fields.c: the fields of the request that the upstream gets. A client cannot set a field that a claim fills: its own fields of that name
 * are taken out of the request, in every spelling that a server may read as that name. */

#include "assay_module.h"

/* CGI and its successors replace every character but letters and digits, and cannot tell the results apart: x_user.id is X-User-Id. */
static u_char ngx_http_assay_plain_letter(u_char letter)
{
    if (letter >= 'A' && letter <= 'Z') {
        return letter | 0x20;
    }
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ? letter : '-';
}

static ngx_uint_t ngx_http_assay_is_same_name(ngx_str_t plain_name, ngx_str_t name)
{
    if (plain_name.len != name.len) {
        return 0;
    }
    for (size_t i = 0; i < name.len; i++) {
        if (ngx_http_assay_plain_letter(name.data[i]) != plain_name.data[i]) {
            return 0;
        }
    }
    return 1;
}

/* Adds a name in lower case to those of the server that `cf` stands in. */
ngx_int_t ngx_http_assay_protect_name(ngx_conf_t *cf, ngx_str_t name)
{
    ngx_http_assay_srv_conf_t *server = ngx_http_conf_get_module_srv_conf(cf, ngx_http_assay_module);
    ngx_str_t *names = server->names->elts, *added;
    for (ngx_uint_t i = 0; i < server->names->nelts; i++) {
        if (ngx_http_assay_is_same_name(names[i], name)) {
            return NGX_OK;
        }
    }
    added = ngx_array_push(server->names);
    if (added == NULL) {
        return NGX_ERROR;
    }
    *added = name;
    return NGX_OK;
}

static ngx_uint_t ngx_http_assay_is_protected(ngx_array_t *names, ngx_str_t name)
{
    ngx_str_t *known = names->elts;
    for (ngx_uint_t i = 0; i < names->nelts; i++) {
        if (ngx_http_assay_is_same_name(known[i], name)) {
            return 1;
        }
    }
    return 0;
}

/* The number of fields that stay. */
static ngx_uint_t ngx_http_assay_count_others(ngx_list_t *list, ngx_array_t *names, ngx_uint_t *all)
{
    ngx_uint_t others = 0;
    for (ngx_list_part_t *part = &list->part; part != NULL; part = part->next) {
        ngx_table_elt_t *field = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            others += !ngx_http_assay_is_protected(names, field[i].key);
        }
        *all += part->nelts;
    }
    return others;
}

static void ngx_http_assay_copy_others(ngx_list_t *to, ngx_list_t *from, ngx_array_t *names)
{
    for (ngx_list_part_t *part = &from->part; part != NULL; part = part->next) {
        ngx_table_elt_t *field = part->elts;
        for (ngx_uint_t i = 0; i < part->nelts; i++) {
            if (!ngx_http_assay_is_protected(names, field[i].key)) {
                *(ngx_table_elt_t *) ngx_list_push(to) = field[i];
            }
        }
    }
}

static void ngx_http_assay_push_field(ngx_list_t *list, const ngx_http_assay_field_t *field)
{
    ngx_table_elt_t *added = ngx_list_push(list);
    ngx_memzero(added, sizeof(*added));
    added->hash = field->header->hash;
    added->key = field->header->name;
    added->lowcase_key = field->header->plain_name.data;
    added->value = field->value;
}

/* A field without a value for each of these headers. */
ngx_int_t ngx_http_assay_empty_fields(ngx_array_t *out, ngx_http_request_t *r, ngx_array_t *headers)
{
    ngx_http_assay_header_t *header = headers == NULL ? NULL : headers->elts;
    out->nelts = 0;
    if (headers == NULL) {
        return NGX_OK;
    }
    if (ngx_array_init(out, r->pool, headers->nelts, sizeof(ngx_http_assay_field_t)) != NGX_OK) {
        return NGX_ERROR;
    }
    for (ngx_uint_t i = 0; i < headers->nelts; i++) {
        ngx_http_assay_field_t *field = ngx_array_push(out);
        field->header = &header[i];
        ngx_str_null(&field->value);
    }
    return NGX_OK;
}

/* Takes the fields called `names` out of the request, and puts in others. The list is made anew: the old one, to which nginx's own pointers
 * lead (`headers_in.host` and others), stays as it is in the pool, and a subrequest shares it with its parent. */
ngx_int_t ngx_http_assay_replace_fields(ngx_http_request_t *r, ngx_array_t *names, ngx_http_assay_field_t *fields, ngx_uint_t count)
{
    ngx_list_t list, *mine = &r->headers_in.headers;
    ngx_uint_t all = 0, others = ngx_http_assay_count_others(mine, names, &all);
    if (count == 0 && others == all) {
        return NGX_OK;
    }
    /* One part holds everything, so that no later push fails. */
    if (ngx_list_init(&list, r->pool, others + count + 1, sizeof(ngx_table_elt_t)) != NGX_OK) {
        return NGX_ERROR;
    }
    ngx_http_assay_copy_others(&list, mine, names);
    for (ngx_uint_t i = 0; i < count; i++) {
        ngx_http_assay_push_field(&list, &fields[i]);
    }
    *mine = list;
    mine->last = &mine->part;
    return NGX_OK;
}

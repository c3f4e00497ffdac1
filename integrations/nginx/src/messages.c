/* messages.c: logs the messages of libassay about settings. Each names a directive in place of a setting, and the directive's file and line. */

#include "assay_module.h"

/* A line of libassay names a setting: `providers[1].claims[2].header` is a member of the second element of a member. */
typedef struct {
    size_t offset;                      /* of the object in a level */
    ngx_uint_t number;                  /* of the provider or the policy, from 1 on */
    const char *member;                 /* without its end; empty: the line is about the whole */
    size_t len;
    ngx_uint_t element;                 /* of a list, from 1 on; 0: it is none */
} ngx_http_assay_setting_t;

static ngx_http_assay_setting_t ngx_http_assay_setting_of(const char *line)
{
    static const char providers[] = "`providers[", policies[] = "`policies[";
    ngx_http_assay_setting_t setting = {.offset = offsetof(ngx_http_assay_loc_conf_t, provider), .number = 1, .member = ""};
    const char *at = strstr(line, providers), *policy = strstr(line, policies);
    /* Resources are those of directives among the policies. */
    if (policy == NULL && strstr(line, "`resources[") != NULL) {
        setting.offset = offsetof(ngx_http_assay_loc_conf_t, rules);
        setting.member = "resource";
        setting.len = 8;
        return setting;
    }
    if (policy != NULL) {
        at = policy;
        setting.offset = offsetof(ngx_http_assay_loc_conf_t, rules);
        setting.number = strtoul(policy + sizeof(policies) - 1, NULL, 10);
    }
    at = at == NULL ? NULL : strstr(at, "].");
    if (at != NULL) {
        setting.member = at + 2;
        setting.len = strcspn(setting.member, ".[`");
        setting.element = setting.member[setting.len] == '[' ? strtoul(setting.member + setting.len + 1, NULL, 10) : 0;
    }
    return setting;
}

/* Where the directive stands; NULL: in no level. */
static const char *ngx_http_assay_place_of_directive(const ngx_command_t *cmd, const json_t *places, ngx_uint_t element)
{
    char key[ASSAY_LONGEST_NAME];
    snprintf(key, sizeof(key), "%s[%u]", cmd->name.data, (unsigned) element);
    const char *place = json_string_value(json_object_get(places, key));
    return place != NULL ? place : json_string_value(json_object_get(places, (const char *) cmd->name.data));
}

/* What stands behind the first blank, and behind the name of the setting. */
static const char *ngx_http_assay_words_of(const char *line, ngx_uint_t is_named)
{
    const char *words = strchr(line, ' '), *end = words == NULL ? NULL : strstr(words, "`: ");
    return is_named && end != NULL ? end + 3 : words == NULL ? line : words + 1;
}

/* The directive for a setting that a sentence names. */
static const ngx_command_t *ngx_http_assay_named(const char *name, size_t len, const json_t *places)
{
    const ngx_command_t *cmd = ngx_http_assay_command_for(offsetof(ngx_http_assay_loc_conf_t, provider), name, len, places);
    return cmd != NULL ? cmd : ngx_http_assay_command_for(offsetof(ngx_http_assay_loc_conf_t, rules), name, len, places);
}

/* The words with directives in place of the settings in backquotes; the words as they are without memory. */
static const char *ngx_http_assay_in_directives(ngx_pool_t *pool, const char *words, const json_t *places)
{
    char *made = ngx_pcalloc(pool, ngx_strlen(words) * 4 + 1), *out = made;
    while (made != NULL && *words != '\0') {
        size_t len = *words == '`' ? strcspn(words + 1, "`") : 0;
        const ngx_command_t *cmd = len == 0 ? NULL : ngx_http_assay_named(words + 1, len, places);
        if (cmd == NULL || words[len + 1] != '`') {
            *out++ = *words++;
        } else {
            out = (char *) ngx_sprintf((u_char *) out, "\"%V\"", &cmd->name);
            words += len + 2;
        }
    }
    return made == NULL ? words : made;
}

static void ngx_http_assay_report_line(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway, const char *line)
{
    ngx_http_assay_policy_t **policies = gateway->policies.elts;
    ngx_http_assay_setting_t setting = ngx_http_assay_setting_of(line);
    ngx_uint_t is_policy = setting.number >= 1 && setting.number <= gateway->policies.nelts;
    const ngx_http_assay_policy_t *policy = policies[is_policy ? setting.number - 1 : 0];
    const ngx_command_t *cmd = ngx_http_assay_command_for(setting.offset, setting.member, setting.len, policy->places);
    const char *place = cmd == NULL ? NULL : ngx_http_assay_place_of_directive(cmd, policy->places, setting.element);
    ngx_uint_t level = line[0] == 'w' ? NGX_LOG_WARN : NGX_LOG_EMERG;
    const char *words = ngx_http_assay_in_directives(cf->pool, ngx_http_assay_words_of(line, cmd != NULL), policy->places);
    ngx_log_error(level, cf->log, 0, "\"%s\" directive: %s in %s", cmd == NULL ? "assay" : (const char *) cmd->name.data, words,
                  place == NULL ? ngx_http_assay_place_of(policy) : place);
}

ngx_uint_t ngx_http_assay_report_settings(ngx_conf_t *cf, const ngx_http_assay_gateway_t *gateway, const char *settings)
{
    size_t len = ngx_strlen(settings), size = assay_gateway_check(NULL, 0, settings, len) + 1;
    char *text = ngx_palloc(cf->pool, size), *rest = text, *line;
    ngx_uint_t has_fault = 0;
    if (text == NULL) {
        return 0;
    }
    assay_gateway_check(text, size, settings, len);
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (line[0] != '\0') {
            ngx_http_assay_report_line(cf, gateway, line);
            has_fault |= line[0] == 'e';
        }
    }
    return has_fault;
}

void ngx_http_assay_report_idle(ngx_conf_t *cf)
{
    const ngx_http_assay_main_conf_t *conf = ngx_http_conf_get_module_main_conf(cf, ngx_http_assay_module);
    ngx_http_assay_loc_conf_t **levels = conf->levels.elts;
    for (ngx_uint_t i = 0; i < conf->levels.nelts; i++) {
        if (!levels[i]->is_used) {
            size_t len = strcspn(levels[i]->first, "[");
            ngx_log_error(NGX_LOG_WARN, cf->log, 0, "\"%*s\" directive: has no effect, because no \"assay on\" is in force here, in %s", len,
                          levels[i]->first, json_string_value(json_object_get(levels[i]->places, levels[i]->first)));
        }
    }
}

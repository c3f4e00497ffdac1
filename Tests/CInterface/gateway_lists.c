/* Status lists of a gateway, which the host fetches as it fetches keys. */

#include "gateway.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define LISTED(members) "{\"providers\": [{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"audiences\": [\"client-1\"]," \
    " \"statusLists\": {" members "}}], \"policies\": [{\"name\": \"all\", \"requires\": \"main\"}], \"policy\": \"all\"}"
#define OTHER_POLICIES "{\"providers\": [{\"name\": \"main\", \"issuer\": \"" ISSUER "\", \"audiences\": [\"client-1\"]," \
    " \"statusLists\": {}}], \"policies\": [{\"name\": \"other\", \"requires\": \"main\"}], \"policy\": \"other\"}"

static assay_decision *decision;
static char text[65536];

/* The code for a token, of a host that decides again after each fetch, or of one that answers at once. */
static assay_code judge(const assay_gateway *gateway, const char *token, int may_wait) {
    char value[8192];
    assay_field field;
    snprintf(value, sizeof value, "Bearer %s", token);
    assay_request request = request_with(&field, "/a", "Authorization", value);
    request.may_wait = (uint32_t)may_wait;
    return assay_gateway_decide(decision, gateway, &request, NOW);
}

static assay_gateway *new_listed(const char *settings) {
    assay_gateway *gateway = new_gateway(settings);
    supply_keys(gateway, JWKS);
    return gateway;
}

/* The request for a list that is due now or later. */
static assay_fetch *list_request(assay_gateway *gateway) {
    assay_fetch *fetch = NULL;
    for (int i = 0; i < 2000 && fetch == NULL; i++) {
        if (assay_gateway_request(&fetch, gateway) != ASSAY_OK) {
            advance(assay_gateway_next_due(gateway) + 1);
        } else if (strcmp(assay_fetch_url(fetch), LIST_URL) != 0) {
            assay_fetch_free(fetch);
            fetch = NULL;
        }
    }
    CHECK(fetch != NULL);
    return fetch;
}

static assay_code answer_list(assay_gateway *gateway, const char *body, size_t len) {
    assay_fetch *fetch = list_request(gateway);
    assay_code code = assay_gateway_install(gateway, fetch, 200, NULL, 0, body, len);
    assay_fetch_free(fetch);
    return code;
}

static int status_says(const assay_gateway *gateway, const char *member) {
    assay_gateway_status(text, sizeof text, gateway);
    return strstr(text, member) != NULL;
}

static const struct {
    const char *token;
    assay_code code;
    uint32_t status;
} tokens[] = {
    {TOKEN_LISTED, ASSAY_OK, 200},
    {TOKEN_REVOKED, ASSAY_REVOKED, 401},
    {TOKEN_SUSPENDED, ASSAY_SUSPENDED, 401},
    {TOKEN_OF_APPLICATION, ASSAY_SUSPENDED, 401},
    {TOKEN_BEYOND, ASSAY_INVALID_STATUS, 401},
    {TOKEN_ELSEWHERE, ASSAY_INVALID_STATUS, 401},
    {TOKEN, ASSAY_OK, 200},
};

static void judge_all(const assay_gateway *gateway) {
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        CHECK_EQUAL(judge(gateway, tokens[i].token, 1), tokens[i].code);
        CHECK_EQUAL(assay_decision_status(decision), tokens[i].status);
    }
}

/* A token orders its list once; until it is there the token waits, or is refused. */
static void fetching(void) {
    assay_gateway *gateway = new_listed(LISTED(""));
    int wakes_before = wakes;
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_AWAITING_KEYS);
    CHECK_EQUAL(wakes, wakes_before + 1);
    CHECK_EQUAL(assay_gateway_next_due(gateway), 0);
    assay_fetch *fetch = NULL, *none = NULL;
    CHECK_EQUAL(assay_gateway_request(&fetch, gateway), ASSAY_OK);
    CHECK(strcmp(assay_fetch_url(fetch), LIST_URL) == 0 && strcmp(assay_fetch_issuer(fetch), ISSUER) == 0);
    CHECK(field(fetch, "Accept") != NULL && strcmp(field(fetch, "Accept"), "application/statuslist+jwt") == 0);
    CHECK_EQUAL(assay_gateway_request(&none, gateway), ASSAY_NOT_DUE);
    CHECK_EQUAL(judge(gateway, TOKEN_REVOKED, 1), ASSAY_AWAITING_KEYS);
    CHECK_EQUAL(judge(gateway, TOKEN_REVOKED, 0), ASSAY_STATUS_UNAVAILABLE);
    CHECK_EQUAL(assay_decision_status(decision), 503);
    CHECK(assay_decision_retry_after(decision) >= 0);
    CHECK_EQUAL(wakes, wakes_before + 1);
    CHECK_EQUAL(assay_gateway_install(gateway, fetch, 200, NULL, 0, TEXT(LIST)), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_install(gateway, fetch, 200, NULL, 0, TEXT(LIST)), ASSAY_FETCH_ENDED);
    assay_fetch_free(fetch);
    judge_all(gateway);
    CHECK(status_says(gateway, "\"uri\":\"" LIST_URL "\"") && status_says(gateway, "\"finding\":\"suspended\""));
    assay_gateway_metrics(text, sizeof text, gateway);
    CHECK(strstr(text, "assay_gateway_status_lists{provider=\"main\"} 1\n") != NULL);
    CHECK(strstr(text, "assay_gateway_token_statuses_total{admitted=\"false\",finding=\"invalid\",provider=\"main\"} ") != NULL);
    CHECK_EQUAL(answer_list(gateway, TEXT(LIST_LATER)), ASSAY_OK);
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_REVOKED);
    CHECK_EQUAL(judge(gateway, TOKEN_SUSPENDED, 1), ASSAY_OK);
    /* Older than the one before. */
    CHECK_EQUAL(answer_list(gateway, TEXT(LIST)), ASSAY_FETCH_FAILED);
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_REVOKED);
    assay_gateway_free(gateway);
}

/* While nothing can bring the list, nobody waits for it. */
static void failures(void) {
    assay_gateway *gateway = new_listed(LISTED(""));
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_AWAITING_KEYS);
    assay_fetch *fetch = list_request(gateway);
    CHECK_EQUAL(assay_gateway_fail(gateway, fetch, ASSAY_FAILURE_CONNECTION), ASSAY_FETCH_FAILED);
    assay_fetch_free(fetch);
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_STATUS_UNAVAILABLE);
    CHECK(status_says(gateway, "\"lastFailure\":\"fetch_connection\""));
    advance(60 * SECOND);
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_AWAITING_KEYS);
    /* More than a document with keys may have, and then more than a list may have. */
    static const size_t sizes[] = {300000, 4000000};
    static const char *const codes[] = {"\"lastFailure\":\"malformed_token\"", "\"lastFailure\":\"fetch_too_large\""};
    char *large = calloc(1, sizes[1]);
    memset(large, 'a', sizes[1]);
    for (size_t i = 0; i < 2; i++) {
        CHECK_EQUAL(answer_list(gateway, large, sizes[i]), ASSAY_FETCH_FAILED);
        CHECK(status_says(gateway, codes[i]));
        advance(60 * SECOND);
        CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_AWAITING_KEYS);
    }
    free(large);
    CHECK_EQUAL(answer_list(gateway, TEXT(LIST)), ASSAY_OK);
    judge_all(gateway);
    assay_gateway_free(gateway);
}

/* A list that is signed with a newer key makes the keys due, and is due itself when they have come. */
static void newer_key(void) {
    assay_gateway *gateway = new_listed(LISTED(""));
    advance(30 * SECOND);
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_AWAITING_KEYS);
    CHECK_EQUAL(supply(gateway, LIST_URL, LIST_SECOND), ASSAY_FETCH_FAILED);
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_AWAITING_KEYS);
    CHECK_EQUAL(supply(gateway, ISSUER "/keys", JWKS_BOTH), ASSAY_OK);
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_AWAITING_KEYS);
    CHECK_EQUAL(supply(gateway, LIST_URL, LIST_SECOND), ASSAY_OK);
    judge_all(gateway);
    assay_gateway_free(gateway);
}

/* Lists stay where their terms, issuers and keys are the same. */
static void replacing(void) {
    assay_gateway *gateway = new_listed(LISTED(""));
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_AWAITING_KEYS);
    CHECK_EQUAL(supply(gateway, LIST_URL, LIST), ASSAY_OK);
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(OTHER_POLICIES)), ASSAY_OK);
    judge_all(gateway);
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(LISTED("\"absentSeconds\": 60"))), ASSAY_OK);
    /* Other terms, another list: it was never fetched, and the grace admits. */
    CHECK_EQUAL(judge(gateway, TOKEN_REVOKED, 1), ASSAY_OK);
    CHECK_EQUAL(supply(gateway, LIST_URL, LIST), ASSAY_OK);
    judge_all(gateway);
    CHECK(assay_gateway_check(text, sizeof text, TEXT(LISTED("\"origins\": [\"http://idp.example\"]"))) > 0);
    CHECK_EQUAL(assay_gateway_replace(gateway, TEXT(LISTED("\"origins\": [\"http://idp.example\"]"))), ASSAY_INVALID_SETTINGS);
    judge_all(gateway);
    assay_gateway_free(gateway);
}

/* Parent and child go on with the list, and with the request that was under way. */
static void forks(void) {
    assay_gateway *gateway = new_listed(LISTED(""));
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_AWAITING_KEYS);
    assay_fetch *fetch = list_request(gateway);
    pid_t child = fork();
    CHECK_EQUAL(assay_gateway_install(gateway, fetch, 200, NULL, 0, TEXT(LIST)), ASSAY_OK);
    judge_all(gateway);
    CHECK_EQUAL(answer_list(gateway, TEXT(LIST_LATER)), ASSAY_OK);
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_REVOKED);
    if (child == 0) { _exit(failed > 0); }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    assay_fetch_free(fetch);
    assay_gateway_free(gateway);
}

/* A decision that waits for a list does not keep the gateway. */
static void release(void) {
    assay_gateway *gateway = new_listed(LISTED(""));
    CHECK_EQUAL(judge(gateway, TOKEN_LISTED, 1), ASSAY_AWAITING_KEYS);
    int before = releases;
    assay_gateway_free(gateway);
    CHECK_EQUAL(releases, before + 1);
}

int main(void) {
    CHECK_EQUAL(assay_decision_new(&decision), ASSAY_OK);
    fetching();
    failures();
    newer_key();
    replacing();
    forks();
    release();
    assay_decision_free(decision);
    CHECK_EQUAL(releases, 6);
    return report();
}

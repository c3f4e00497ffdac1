/* Places of tokens in a request: after a scheme in Authorization, in a field of its own, in a cookie, in a parameter of the query. */
#ifndef ASSAY_ENVOY_PLACE_H
#define ASSAY_ENVOY_PLACE_H

#include "request.h"
#include "settings.h"

enum { AE_AUTHORIZATION, AE_HEADER, AE_COOKIE, AE_QUERY };

typedef struct ae_place {
    int kind;
    char *name;   /* the scheme and a field's name in lower case */
    char *prefix; /* of a field's value; "" for none */
} ae_place;

enum { AE_NONE, AE_ONE, AE_SEVERAL };

/* What a place of a request holds. Several: more than one token, or one that another reader may find elsewhere. */
typedef struct ae_presented {
    int kind;
    assay_text token;
} ae_presented;

/* Reads an element of `tokenFrom`. */
ae_place ae_place_read(const ae_settings *element);
void ae_place_free(ae_place *place);
bool ae_place_equal(const ae_place *a, const ae_place *b);
/* Whether a request cannot have a token in both. */
bool ae_place_excludes(const ae_place *a, const ae_place *b);
/* Whether one token would be found in both. */
bool ae_place_repeats(const ae_place *a, const ae_place *b);

ae_presented ae_present(const ae_place *place, const ae_request *request);

/* The parts of a Cookie field: its whole text, its name and its value. False at the end. */
typedef struct ae_cookie {
    assay_text text, name, value;
} ae_cookie;

bool ae_next_cookie(ae_cookie *out, assay_text *rest);
/* Whether a parameter has this name, however it is encoded. */
bool ae_is_parameter(assay_text part, const char *name);

#endif

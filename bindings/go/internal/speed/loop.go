package main

// #cgo pkg-config: assay
// #include <assay.h>
// #include <stdlib.h>
// #include <time.h>
//
// // Verifies tokens one after another, and returns how many were refused.
// static size_t verify(const assay_verifier *verifier, const assay_text *tokens, size_t count) {
//     void *memory = malloc(4096);
//     assay_result *result = assay_result_init(memory, 4096);
//     size_t refused = 0;
//     for (size_t index = 0; index < count; index++)
//         refused += assay_verify(result, verifier, tokens[index].bytes, tokens[index].len, ASSAY_NOW) != ASSAY_OK;
//     free(memory);
//     return refused;
// }
//
// static double processor(void) {
//     struct timespec time;
//     clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
//     return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
// }
import "C"

import (
	"log"
	"unsafe"
)

// A loop verifies in C alone.
type loop struct {
	verifier *C.assay_verifier
	tokens   *C.assay_text
	count    int
}

// processor returns the time that this process has used, in nanoseconds: other programs do not count, but Go's collector does.
func processor() float64 { return float64(C.processor()) }

func newLoop(document []byte, s setting, tokens []string) *loop {
	var keys *C.assay_keys
	check(C.assay_keys_new(&keys, (*C.char)(unsafe.Pointer(&document[0])), C.size_t(len(document))))
	C.assay_keys_prepare(keys)
	var policy *C.assay_policy
	check(C.assay_policy_new(&policy))
	for rule, text := range map[C.uint32_t]string{
		C.ASSAY_RULE_ISSUER: s.issuer, C.ASSAY_RULE_AUDIENCE: s.audience, C.ASSAY_RULE_ALGORITHM: s.algorithm,
	} {
		copied := C.CString(text)
		check(C.assay_policy_add(policy, rule, copied, C.size_t(len(text))))
		C.free(unsafe.Pointer(copied))
	}
	options := C.assay_verifier_options{size: C.sizeof_assay_verifier_options, cache_bytes: C.uint64_t(s.cache)}
	issuers := (*C.assay_issuer)(C.calloc(1, C.sizeof_assay_issuer))
	defer C.free(unsafe.Pointer(issuers))
	*issuers = C.assay_issuer{policy: policy, keys: keys}
	l := &loop{tokens: (*C.assay_text)(C.calloc(C.size_t(len(tokens)), C.sizeof_assay_text)), count: len(tokens)}
	texts := unsafe.Slice(l.tokens, len(tokens))
	for index, token := range tokens {
		texts[index] = C.assay_text{bytes: C.CString(token), len: C.size_t(len(token))}
	}
	check(C.assay_verifier_new(&l.verifier, issuers, 1, &options))
	return l
}

func (l *loop) run() {
	if C.verify(l.verifier, l.tokens, C.size_t(l.count)) != 0 {
		log.Fatal("C refuses a token")
	}
}

func check(code C.assay_code) {
	if code != C.ASSAY_OK {
		log.Fatal(C.GoString(C.assay_code_name(code)))
	}
}

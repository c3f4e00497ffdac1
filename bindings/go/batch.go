package assay

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"runtime"
	"unsafe"
)

// A Verdict is that on one token of a batch.
type Verdict struct {
	// Claims of a valid token.
	Claims *Claims
	// Err is an *Error for a refused one.
	Err error
}

// batchSize is how many tokens one call of C takes: enough for its lanes, and few enough that memory stays small.
const batchSize = 64

// VerifyBatch verifies many tokens, each with its own verdict, in their order. It is faster than Verify where the CPU judges several
// signatures at once.
func (v *Verifier) VerifyBatch(tokens []string) ([]Verdict, error) {
	j, err := v.open()
	if err != nil {
		return nil, err
	}
	verdicts := make([]Verdict, 0, len(tokens))
	for start := 0; start < len(tokens); start += batchSize {
		end := start + batchSize
		if end > len(tokens) {
			end = len(tokens)
		}
		part, err := v.verifyPart(j, tokens[start:end])
		if err != nil {
			return nil, err
		}
		verdicts = append(verdicts, part...)
	}
	runtime.KeepAlive(j)
	return verdicts, nil
}

func (v *Verifier) verifyPart(j *judge, tokens []string) ([]Verdict, error) {
	size := 0
	for _, token := range tokens {
		size += len(token)
	}
	texts := newArena(size)
	defer texts.free()
	memory := C.malloc(C.size_t(len(tokens)) * C.size_t(unsafe.Sizeof(uintptr(0))*2))
	defer C.free(memory)
	held := make([]*slot, len(tokens))
	taken := unsafe.Slice((**C.assay_go_slot)(memory), len(tokens))
	lengths := unsafe.Slice((*C.size_t)(unsafe.Add(memory, len(tokens)*int(unsafe.Sizeof(uintptr(0))))), len(tokens))
	for index, token := range tokens {
		held[index] = slots.Get().(*slot)
		defer slots.Put(held[index])
		taken[index] = held[index].c
		lengths[index] = texts.text(token).len
	}
	code := Code(C.assay_go_verify_batch(&taken[0], j.c, (*C.char)(texts.memory), &lengths[0], C.size_t(len(tokens)), v.now()))
	if code != ok {
		return nil, refused(code, "the batch is refused")
	}
	verdicts := make([]Verdict, len(tokens))
	for index := range tokens {
		verdicts[index].Claims, verdicts[index].Err = v.verdict(held[index].c)
	}
	return verdicts, nil
}

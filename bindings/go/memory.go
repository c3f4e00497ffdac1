package assay

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"runtime"
	"sync"
	"unsafe"
)

// pointer returns the bytes of a text for a call of C, which does not keep them.
func pointer(text string) *C.char {
	if len(text) == 0 {
		return nil
	}
	return (*C.char)(*(*unsafe.Pointer)(unsafe.Pointer(&text)))
}

// bytes shows a text of C until C changes it.
func bytes(text C.assay_text) []byte {
	if text.len == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(text.bytes)), int(text.len))
}

func goString(text C.assay_text) string { return string(bytes(text)) }

// written returns what a function writes that says how long its text is.
func written(write func(out *C.char, size C.size_t) C.size_t) string {
	var fixed [512]byte
	length := int(write((*C.char)(unsafe.Pointer(&fixed[0])), C.size_t(len(fixed))))
	if length < len(fixed) {
		return string(fixed[:length])
	}
	// What is written may grow between two calls, as a status does.
	for {
		buffer := make([]byte, length+1)
		again := int(write((*C.char)(unsafe.Pointer(&buffer[0])), C.size_t(len(buffer))))
		if again <= length {
			return string(buffer[:again])
		}
		length = again
	}
}

// A slot is the memory of one verification. The pool has those that nobody uses.
type slot struct{ c *C.assay_go_slot }

var slots = sync.Pool{New: func() any {
	c := C.assay_go_slot_new()
	if c == nil {
		panic("assay: out of memory")
	}
	s := &slot{c}
	runtime.SetFinalizer(s, func(s *slot) { C.assay_go_slot_free(s.c) })
	return s
}}

// An arena is memory of C with texts of Go in it, for structures that point to them: Go must not pass a pointer to a pointer of its own.
type arena struct {
	memory   unsafe.Pointer
	size     int
	used     int
	capacity []byte
}

// newArena must be freed.
func newArena(size int) *arena {
	if size == 0 {
		size = 1
	}
	memory := C.malloc(C.size_t(size))
	return &arena{memory: memory, size: size, capacity: unsafe.Slice((*byte)(memory), size)}
}

func (a *arena) free() { C.free(a.memory) }

func (a *arena) text(text string) C.assay_text {
	place := a.used
	a.used += copy(a.capacity[place:], text)
	return C.assay_text{bytes: (*C.char)(unsafe.Add(a.memory, place)), len: C.size_t(len(text))}
}

// A pair is a name and a value.
type pair struct{ name, value string }

// fields copies pairs into memory of C, which the caller frees.
func fields(pairs []pair) (first *C.assay_field, free func()) {
	if len(pairs) == 0 {
		return nil, func() {}
	}
	size := 0
	for _, p := range pairs {
		size += len(p.name) + len(p.value)
	}
	texts := newArena(size)
	memory := C.malloc(C.size_t(len(pairs)) * C.size_t(unsafe.Sizeof(C.assay_field{})))
	all := unsafe.Slice((*C.assay_field)(memory), len(pairs))
	for index, p := range pairs {
		all[index] = C.assay_field{name: texts.text(p.name), value: texts.text(p.value)}
	}
	return &all[0], func() {
		C.free(memory)
		texts.free()
	}
}

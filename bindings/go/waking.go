package assay

// #include <stdint.h>
// #include <stdlib.h>
// #include "bridge.h"
// void assay_go_wake(void *context);
// void assay_go_release(void *context);
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// A waking lets C wake a loop: a verification has met an unknown key id. Its context is memory of C that holds a handle, because a handle is
// no address.
type waking struct {
	due     chan struct{}
	context unsafe.Pointer
}

func newWaking() *waking {
	w := &waking{due: make(chan struct{}, 1), context: C.malloc(C.sizeof_uintptr_t)}
	*(*cgo.Handle)(w.context) = cgo.NewHandle(w.due)
	return w
}

// forget is for a context that C did not take.
func (w *waking) forget() { assay_go_release(w.context) }

// functions returns what C calls: `wake`, and `release` once when nothing uses the context any more.
func (w *waking) functions() (wake, release *[0]byte, context unsafe.Pointer) {
	return (*[0]byte)(C.assay_go_wake), (*[0]byte)(C.assay_go_release), w.context
}

func (w *waking) up() { signal(w.due) }

func signal(due chan struct{}) {
	select {
	case due <- struct{}{}:
	default:
	}
}

//export assay_go_wake
func assay_go_wake(context unsafe.Pointer) {
	signal((*(*cgo.Handle)(context)).Value().(chan struct{}))
}

//export assay_go_release
func assay_go_release(context unsafe.Pointer) {
	(*(*cgo.Handle)(context)).Delete()
	C.free(context)
}

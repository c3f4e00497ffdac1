// Package assay verifies JSON Web Tokens with libassay, and puts its gateway decisions before an http.Handler.
//
// A Verifier judges tokens by a Policy, with Keys that are fixed or fetched. It belongs to no goroutine: any number may use one at once.
// A refusal is an *Error with a stable Code; errors.Is(err, assay.Expired) asks for one.
//
// Close gives up an object at once: later calls return ErrClosed. Calls under way end as they would have. The garbage collector closes what
// nobody closed.
package assay

/*
#cgo pkg-config: assay
#include "bridge.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
)

// ErrClosed is what a call gets whose verifier, keys or gateway is closed, nil, or a structure that this package did not make.
var ErrClosed = errors.New("assay: the object is closed")

// opened returns what Close takes away.
func opened[T any](held *atomic.Pointer[T]) (*T, error) {
	if object := held.Load(); object != nil {
		return object, nil
	}
	return nil, ErrClosed
}

// Version returns the version of the loaded libassay, such as "0.1.0".
func Version() string { return C.GoString(C.assay_version()) }

// The library may be newer than the header that this package was compiled with, and not older: it would lack functions.
func init() {
	if err := checkVersion(Version(), C.ASSAY_VERSION_MAJOR, C.ASSAY_VERSION_MINOR, C.ASSAY_VERSION_PATCH); err != nil {
		panic(err)
	}
}

func checkVersion(loaded string, compiled ...int) error {
	parts := strings.Split(loaded, ".")
	for place, needed := range compiled {
		have := -1
		if place < len(parts) {
			if number, err := strconv.Atoi(parts[place]); err == nil {
				have = number
			}
		}
		if have > needed && place > 0 {
			return nil
		}
		if have != needed {
			return fmt.Errorf("assay: libassay %s is loaded, and this program was compiled for %v", loaded, compiled)
		}
	}
	return nil
}

package assay

// #include "bridge.h"
import "C"

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// mostBytes is what an answer with keys may have, and mostListBytes one with a status list.
const (
	mostBytes     = 262_144
	mostListBytes = 1_887_916
	listType      = "application/statuslist+jwt"
)

// A source says which request is due, and takes what came of it. One goroutine drives it.
type source interface {
	nextDue() int64
	request(out **C.assay_fetch) Code
	install(fetch *C.assay_fetch, answer *answer) Code
	fail(fetch *C.assay_fetch, failure C.uint32_t) Code
}

type answer struct {
	status int
	fields []pair
	body   string
}

// A fetching is the goroutine of a source.
type fetching struct {
	wake   *waking
	cancel context.CancelFunc

	mutex  sync.Mutex
	change chan struct{}
}

func startFetching(from source, wake *waking, how Fetching) *fetching {
	ctx, cancel := context.WithCancel(context.Background())
	f := &fetching{wake: wake, cancel: cancel, change: make(chan struct{})}
	go f.run(ctx, from, newRequests(how))
	return f
}

func (f *fetching) stop() { f.cancel() }

// changed returns a channel that is closed when the next answer is installed.
func (f *fetching) changed() <-chan struct{} {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.change
}

func (f *fetching) announce() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	close(f.change)
	f.change = make(chan struct{})
}

func (f *fetching) run(ctx context.Context, from source, client *requests) {
	for ctx.Err() == nil {
		var fetch *C.assay_fetch
		if from.request(&fetch) == ok {
			f.answer(ctx, from, client, fetch)
			continue
		}
		f.rest(ctx, from.nextDue())
	}
}

// rest waits until something is due. A source never says less than a millisecond for long.
func (f *fetching) rest(ctx context.Context, milliseconds int64) {
	due := (<-chan time.Time)(nil)
	if milliseconds >= 0 {
		timer := time.NewTimer(time.Duration(milliseconds+1) * time.Millisecond)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-due:
	case <-f.wake.due:
	case <-ctx.Done():
	}
}

func (f *fetching) answer(ctx context.Context, from source, client *requests, fetch *C.assay_fetch) {
	defer C.assay_fetch_free(fetch)
	response, failure := client.response(ctx, C.GoString(C.assay_fetch_url(fetch)), asked(fetch))
	code := ok
	if response == nil {
		code = from.fail(fetch, failure)
	} else {
		code = from.install(fetch, response)
	}
	if code != C.ASSAY_FETCH_CONTINUES {
		f.announce()
	}
}

// asked returns the header fields of a fetch.
func asked(fetch *C.assay_fetch) http.Header {
	header := http.Header{}
	for index := C.size_t(0); ; index++ {
		var name, value *C.char
		if Code(C.assay_fetch_field(&name, &value, fetch, index)) != ok {
			return header
		}
		header.Set(C.GoString(name), C.GoString(value))
	}
}

// read reads a body that may have so many bytes, and one more where it has too many.
func read(body io.Reader, most int64) ([]byte, error) {
	return io.ReadAll(io.LimitReader(body, most+1))
}

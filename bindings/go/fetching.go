package assay

// #include "bridge.h"
import "C"

import (
	"context"
	"io"
	"net/http"
	"runtime"
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

// A fetching holds the goroutine of a source: it ends when nobody holds this any more. All copies of a structure hold the same one.
type fetching struct{ *loop }

// A loop is the goroutine of a source.
type loop struct {
	wake   *waking
	cancel context.CancelFunc
	// ended is closed when the goroutine is to end.
	ended <-chan struct{}

	mutex  sync.Mutex
	change chan struct{}
}

func startFetching(from source, wake *waking, how Fetching) *fetching {
	ctx, cancel := context.WithCancel(context.Background())
	f := &fetching{&loop{wake: wake, cancel: cancel, ended: ctx.Done(), change: make(chan struct{})}}
	go f.loop.run(ctx, from, newRequests(how))
	runtime.SetFinalizer(f, (*fetching).stop)
	return f
}

func (f *fetching) stop() {
	if f != nil {
		f.cancel()
	}
}

// changed returns a channel that is closed when the next answer is installed.
func (l *loop) changed() <-chan struct{} {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.change
}

func (l *loop) announce() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	close(l.change)
	l.change = make(chan struct{})
}

func (l *loop) run(ctx context.Context, from source, client *requests) {
	defer client.close()
	for ctx.Err() == nil {
		var fetch *C.assay_fetch
		if from.request(&fetch) == ok {
			l.answer(ctx, from, client, fetch)
			continue
		}
		l.rest(ctx, from.nextDue())
	}
}

// rest waits until something is due. A source never says less than a millisecond for long.
func (l *loop) rest(ctx context.Context, milliseconds int64) {
	due := (<-chan time.Time)(nil)
	if milliseconds >= 0 {
		timer := time.NewTimer(time.Duration(milliseconds+1) * time.Millisecond)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-due:
	case <-l.wake.due:
	case <-ctx.Done():
	}
}

func (l *loop) answer(ctx context.Context, from source, client *requests, fetch *C.assay_fetch) {
	defer C.assay_fetch_free(fetch)
	response, failure := client.response(ctx, C.GoString(C.assay_fetch_url(fetch)), asked(fetch))
	code := ok
	if response == nil {
		code = from.fail(fetch, failure)
	} else {
		code = from.install(fetch, response)
	}
	if code != C.ASSAY_FETCH_CONTINUES {
		l.announce()
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

// The error queue that libcrypto keeps for each thread, as a program beside ours uses it.

#ifndef ASSAY_CERRORQUEUE_H
#define ASSAY_CERRORQUEUE_H

/// Empties the calling thread's queue.
void cerror_queue_clear(void);

/// Empties the queue and puts one error into it.
void cerror_queue_begin(void);

/// One if the queue has the error of cerror_queue_begin and no other. Empties the queue.
int cerror_queue_is_as_begun(void);

#endif

// CValkey: a connection to a server that speaks RESP (Valkey, Redis), with TLS by OpenSSL and a deadline for everything. hiredis writes the
// commands and reads the replies; Debian 12's has no TLS, and its own connections know no deadline for a whole command.
//
// One thread uses a connection at a time. It should block SIGPIPE.

#ifndef ASSAY_CVALKEY_H
#define ASSAY_CVALKEY_H

#include <stddef.h>
#include <stdint.h>

#include <hiredis/hiredis.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cvalkey_connection cvalkey_connection;
/// How the server is recognised. Connections may share one.
typedef struct cvalkey_tls cvalkey_tls;

/// The length of a message, with its end.
enum { CVALKEY_MESSAGE = 160, CVALKEY_MOST_REPLY = 1 << 16 };

/// cvalkey_tls_make trusts the certificates in `ca_file`, or the system's where it is NULL. TLS 1.2 is the least. Returns NULL, with a
/// message, for a file that cannot be read.
cvalkey_tls *cvalkey_tls_make(const char *ca_file, char message[CVALKEY_MESSAGE]);
void cvalkey_tls_free(cvalkey_tls *tls);

/// The clock of deadlines: milliseconds of CLOCK_MONOTONIC.
int64_t cvalkey_now(void);

/// cvalkey_connect tries every address of `host` until the deadline. The look-up of a name itself has the resolver's own time-outs. Returns
/// NULL, with a message, when none takes the connection or the server is not the one that `tls` expects at `host`.
cvalkey_connection *cvalkey_connect(const char *host, const char *port, const cvalkey_tls *tls, int64_t deadline,
                                    char message[CVALKEY_MESSAGE]);

/// cvalkey_command sends one command and returns its reply, which freeReplyObject frees. NULL, with a message: the connection is of no use
/// any more, and whether the server has run the command is unknown.
redisReply *cvalkey_command(cvalkey_connection *connection, int count, const char *const *words, const size_t *lengths, int64_t deadline,
                            char message[CVALKEY_MESSAGE]);

/// One when the server has ended an idle connection, or sent what nobody asked for. Never waits.
int cvalkey_is_over(const cvalkey_connection *connection);

void cvalkey_close(cvalkey_connection *connection);

#ifdef __cplusplus
}
#endif

#endif

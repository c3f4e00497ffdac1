/* key_set_slot.pml: a slot of key sets, over memory.pml. A writer installs sets, renews one and drops it; readers verify with what is
 * there.
 *
 * After each line with an at sign stands what models that statement; verify.py compares it with the source. read_copy_update.pml shows when
 * a replaced lease is freed.
 *
 *     READERS  threads that verify
 *
 * Properties:
 *
 *     complete  a reader sees a lease only when it is complete
 *     older     a verdict stored under a generation is never one of an older set: a reader loads the generation, then the set
 *     ended     no reader is lent a set after the end that was published with it
 *     dropped   a reader that learned of a drop, from the generation or otherwise, is lent no set that was dropped
 *
 * Left out: the lock of the writers (there is one writer), what a set holds.
 */

#define WRITER 0
#define THREADS (1 + READERS)
#define current_lease 0
#define generation 1
#define told 2
#define LOCATIONS 3
#define DEPTH 12

#include "memory.pml"

/* The leases: set 1 until time 1, set 1 renewed until time 3, nothing, set 2 until time 2. Lease 0 is nil. */
#define LEASES 4
byte set_of[LEASES];
byte end_of[LEASES];
byte written_at[LEASES];
byte accepted_in[LEASES];

/*@ Sources/JWKSCache/RemoteKeySet/KeySetSlot.swift replace */
inline replace(next, number) {
    /*@ unsafe current.store(keys.map { unsafe Self.lease(of: $0, endsAt: end.nanoseconds) }, ordering: .releasing) */
    store(current_lease, next, RELEASE); /* replaced */
    /*@ defer { number.store(generation, ordering: .releasing) } */
    store(generation, number, RELEASE) /* numbered */
}

inline write_lease(which, item, end) {
    d_step { set_of[which] = item; end_of[which] = end; access(written_at[which]) }
}

proctype Writer(byte me) {
    write_lease(1, 1, 1);
    replace(1, 1);
    write_lease(2, 1, 3);
    replace(2, 1);
    /*@ Sources/JWKSCache/RemoteKeySet/RemoteKeySet+Fetching.swift transact:
        slot.replace(shared.core.keys, endsAt: state.freshness?.endsAt ?? .zero, generation: state.generation) */
    replace(0, 2);
    /*@ Sources/JWKSCache/RemoteKeySet/RemoteKeySet+Fetching.swift transact: events.forEach(emit) */
    store(told, 1, RELEASE); /* the observer is told */
    write_lease(3, 2, 2);
    replace(3, 3)
}

/*@ Sources/JWKSCache/RemoteKeySet/KeySetSlot.swift lease */
inline borrow() {
    /*@ guard let lease = unsafe current.load(ordering: .acquiring), unsafe now < lease.pointee.endsAt else { return nil } */
    load(mine, current_lease, ACQUIRE); /* the lease */
    if
    :: mine != 0 ->
        assert(follows(WRITER, written_at[mine])); /* complete */
        if
        :: now_ < end_of[mine] -> lent = set_of[mine]
        :: else -> lent = 0
        fi
    :: else -> lent = 0
    fi
}

proctype Reader(byte me) {
    byte mine, lent, number, knows, now_;
    select(now_ : 0 .. 3);
    load(knows, told, ACQUIRE);
    /*@ Sources/JWKSCache/RemoteKeySet/KeySetSlot.swift generation: number.load(ordering: .acquiring) */
    load(number, generation, ACQUIRE); /* the number */
    borrow();
    d_step {
        if
        :: lent != 0 ->
            assert(accepted_in[mine] >= number || lent == 1 && number == 1); /* older */
            assert(now_ < end_of[mine] && set_of[mine] == lent); /* ended */
            assert(!(lent == 1 && (knows || number >= 2))) /* dropped */
        :: else
        fi;
        mine = 0; lent = 0; number = 0; knows = 0; now_ = 0
    }
}

init {
    atomic {
        byte number = 1;
        accepted_in[1] = 1;
        accepted_in[2] = 1;
        accepted_in[3] = 3;
        run Writer(WRITER);
        do
        :: number <= READERS -> run Reader(number); number++
        :: else -> number = 0; break
        od
    }
}

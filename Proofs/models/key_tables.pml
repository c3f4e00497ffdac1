/* key_tables.pml: tables of keys, which a builder makes, replaces, evicts and frees while verifications read them, and a fork at any
 * moment.
 *
 * After each line with an at sign stands what models that statement; verify.py compares it with the source. Steps interleave in one order
 * (sequential consistency): read_copy_update.pml covers the memory orders, and all else here is under locks. A grace period is the set of
 * the readers that it waits for.
 *
 *     BUDGET    tables that fit: more than there are keys, or fewer
 *     LOADS     keys that the user loads; the child of a fork loads one more
 *     VERIFIERS 1: another thread verifies with the same keys
 *     FORKS     1: one thread forks at any moment, and either process may be the one that is observed
 *
 * The parts: a user, who loads keys, verifies with them and releases one; another verifier; the builder; the thread that forks. Properties:
 *
 *     freed     no verification uses a freed table; no table is freed twice
 *     lost      when all is quiet, every loaded key has a table, and a full one if it asked, in the parent and in the child
 *     counted   when all is quiet, every table belongs to one key, none waits to be freed, and the bytes in use are counted
 *     endless   no thread waits for ever or gives back a lock that is not taken, in the parent or in the child
 *
 * Left out: kernels that refuse a key, memory that is exhausted, the clock of evictions (any key with a table may be evicted).
 */

#define KEYS (LOADS + FORKS)
#define TABLES (3 * KEYS + 1)
#define NONE 255
#define USER 0
#define VERIFIER 1
#define FORKER 2
#define DUE 2

/* The locks. */
bool building, choice, state_lock;

/* Keys, each with its slot. A verification that uses a key keeps the key set with it: `borrowed`. */
typedef Key { bool is_loaded; bool is_released; byte borrowed; byte table; bool is_wished; bool wanted_full; byte uses; bool has_place };
Key key[KEYS];

/* Tables. */
bool is_made[TABLES], is_freed[TABLES], is_full[TABLES];
byte tables_made;
byte bytes;

/* Requests, departed slots, and the tables that wait for the end of their grace period. */
chan requests = [KEYS] of { byte };
bool has_departed[KEYS];
typedef Retired { byte table; byte readers };
Retired retired[TABLES];
byte retired_count;

byte readers_in_section;
bool has_builder, is_signalled;
bool in_child;
byte finished;

/*@ Sources/Locks/Locked.swift withLock: unsafe pthread_mutex_lock(mutex) */
inline take(mutex) { atomic { !mutex -> mutex = true } }
inline give(mutex) { assert(mutex); /* endless */ mutex = false }

inline free_table(gone) {
    assert(!is_freed[gone]); /* freed */
    is_freed[gone] = true
}

/* Under the lock of the state. What no thread without the lock can tell apart is one step. */

/*@ Sources/JWTCore/Engine/KeyTables+Evict.swift retire */
inline retire(old) {
    if
    :: old != NONE ->
        /*@ state.bytes -= table.header.byteCount */
        bytes--;
        /*@ state.retired.append((crcu_grace_begin(), table)) */
        d_step {
            retired[retired_count].table = old;
            retired[retired_count].readers = readers_in_section;
            retired_count++
        }
    :: else
    fi
}

/*@ Sources/JWTCore/Engine/KeyTables.swift withState: departed.takeEach { Self.remove($0, &state) } */
/*@ Sources/JWTCore/Engine/KeyTables+Evict.swift remove */
inline remove_departed() {
    d_step {
        for (each : 0 .. KEYS - 1) {
            if
            :: has_departed[each] ->
                has_departed[each] = false;
                key[each].has_place = false;
                /*@ slot.freeTable() */
                if
                :: key[each].table != NONE -> bytes--; free_table(key[each].table); key[each].table = NONE
                :: else
                fi
            :: else
            fi
        }
        each = 0
    }
}

/* Evicts any key with a table but the spared one. Fails if there is none. */
/*@ Sources/JWTCore/Engine/KeyTables+Evict.swift evict: retire(slot.replaceTable(nil), &state) */
inline evict(spared, succeeded) {
    atomic {
        select(each : 0 .. KEYS - 1);
        if
        :: each != spared && key[each].has_place && key[each].table != NONE ->
            old = key[each].table;
            key[each].table = NONE;
            key[each].wanted_full = false;
            succeeded = true
        :: else -> succeeded = false
        fi;
        each = 0
    }
    if
    :: succeeded -> retire(old); old = 0
    :: else
    fi
}

/*@ Sources/JWTCore/Engine/KeyTables+Evict.swift reclaim: guard crcu_grace_is_over(entry.grace) == 1 else { return false } */
/*@ Sources/JWTCore/Engine/KeyTables+Evict.swift reclaim: unsafe entry.table.free() */
inline reclaim() {
    atomic {
        !state_lock ->
        d_step {
            old = 0;
            for (each : 0 .. TABLES - 1) {
                if
                :: each < retired_count && retired[each].readers == 0 -> free_table(retired[each].table)
                :: each < retired_count && retired[each].readers != 0 ->
                    retired[old].table = retired[each].table;
                    retired[old].readers = retired[each].readers;
                    old++
                :: else
                fi
            }
            retired_count = old;
            for (each : 0 .. TABLES - 1) {
                if
                :: each >= retired_count -> retired[each].table = 0; retired[each].readers = 0
                :: else
                fi
            }
            old = 0; each = 0
        }
    }
}

/* Builder */

/*@ Sources/JWTCore/Engine/KeyTables.swift next */
inline next() {
    atomic {
        !state_lock ->
        remove_departed();
        slot = NONE;
        wants_full = false;
        if
        /*@ if !state.requests.isEmpty { return state.requests.removeFirst() } */
        :: nempty(requests) -> requests ? slot
        /*@ return state.slots.first { $0.takeRequest() }.map { Request(slot: $0, size: .full, mayEvict: true) } */
        :: empty(requests) ->
            d_step {
                for (each : 0 .. KEYS - 1) {
                    if
                    :: slot == NONE && key[each].has_place && key[each].is_wished ->
                        key[each].is_wished = false; slot = each; wants_full = true
                    :: else
                    fi
                }
                each = 0
            }
        fi
    }
}

/*@ Sources/JWTCore/Engine/KeyTables.swift reserve: while state.bytes - slot.tableBytes + bytes > state.budget { */
/*@ Sources/JWTCore/Engine/KeyTables.swift reserve: guard request.mayEvict, Self.evict(&state, sparing: slot) else { return false } */
inline reserve() {
    take(state_lock);
    remove_departed();
    may_build = (key[slot].has_place
        && (key[slot].table == NONE || (wants_full && !is_full[key[slot].table])));
    do
    :: may_build && bytes - (key[slot].table != NONE) + 1 > BUDGET ->
        if
        :: wants_full -> evict(slot, may_build)
        :: else -> may_build = false
        fi
    :: else -> break
    od;
    if
    /*@ state.bytes += bytes */
    :: may_build -> bytes++
    :: else
    fi;
    give(state_lock)
}

/*@ Sources/JWTCore/Engine/KeyTables.swift publish */
inline publish() {
    take(state_lock);
    remove_departed();
    if
    /*@ guard slot.place != nil else { */
    /*@ return unsafe table.free() */
    :: !key[slot].has_place -> bytes--; free_table(table)
    :: else ->
        /*@ Self.retire(slot.replaceTable(table), &state) */
        atomic { old = key[slot].table; key[slot].table = table; key[slot].uses = 0 }
        retire(old);
        old = 0
    fi;
    give(state_lock)
}

/*@ Sources/JWTCore/Engine/KeyTables.swift fulfilNext: building.withLock { _ in */
/*@ Sources/JWTCore/Engine/KeyTables.swift fulfil: guard let family = slot.material.family else { return } */
inline fulfil_next() {
    take(building);
    next();
    if
    :: slot != NONE -> take(choice); give(choice); reclaim(); reserve()
    :: else -> may_build = false
    fi;
    if
    :: may_build ->
        d_step {
            assert(tables_made < TABLES);
            table = tables_made; tables_made++; is_made[table] = true; is_full[table] = wants_full
        }
        publish();
        reclaim()
    :: else
    fi;
    may_build = false; wants_full = false; table = 0;
    give(building)
}

/*@ Sources/JWTCore/Engine/KeyTables.swift buildForever */
inline build_forever() {
    do
    :: fulfil_next();
        if
        :: slot == NONE ->
            reclaim();
            slot = 0;
            /*@ wakeup.wait() */
            /*@ wakeup.wait(nanoseconds: pause) */
            /* A wait with an end: only the look after which something is free is a step. */
end_waiting:
            atomic {
                if
                :: is_signalled -> is_signalled = false
                :: retired_count > 0 && retired[0].readers == 0
                :: retired_count > 1 && retired[1].readers == 0
                fi
            }
        :: else -> slot = 0
        fi
    od
}

proctype Builder() provided (!in_child) {
    byte slot, table, old, each;
    bool wants_full, may_build;
    build_forever()
}

proctype BuilderOfChild() {
    byte slot, table, old, each;
    bool wants_full, may_build;
    build_forever()
}

/*@ Sources/JWTCore/Engine/KeyTables.swift callBuilder */
inline call_builder() {
    /*@ if !hasBuilder.exchange(true, ordering: .acquiringAndReleasing), !BackgroundThread.start({ self.buildForever() }) { */
    atomic {
        if
        :: !has_builder ->
            has_builder = true;
            if
            :: in_child -> run BuilderOfChild()
            :: else -> run Builder()
            fi
        :: else
        fi
    }
    /*@ wakeup.signal() */
    is_signalled = true
}

/* Users of keys */

/*@ Sources/JWTCore/Engine/KeyTables.swift loaded */
inline load_key(which) {
    atomic {
        !state_lock ->
        /*@ state.slots.append(slot) */
        key[which].has_place = true;
        /*@ if !state.isEager, state.requests.count < Self.mostRequests { state.requests.append(request) } */
        requests ! which
    }
    call_builder();
    key[which].is_loaded = true
}

/*@ Sources/JWTCore/Engine/KeySlot.swift loadTable: current.load(ordering: .acquiring) */
/*@ Sources/JWTCore/Engine/KeySlot.swift noteUse:
    guard count & (count &- 1) == 0, count >= dueAfter.load(ordering: .relaxed) else { return } */
inline verify(which) {
    atomic {
        if
        :: key[which].is_loaded && !key[which].is_released -> key[which].borrowed++; wanted = true
        :: else -> wanted = false
        fi
    }
    if
    :: wanted ->
        readers_in_section = readers_in_section | (1 << me);
        mine = key[which].table;
        wanted = false;
        if
        :: mine == NONE || !is_full[mine] ->
            d_step {
                if
                :: key[which].uses < 2 * DUE -> key[which].uses++
                :: else
                fi;
                wanted = key[which].uses == DUE
            }
            if
            :: wanted ->
                /*@ Sources/JWTCore/Engine/KeySlot.swift noteUse: isRequested.store(true, ordering: .releasing) */
                d_step { key[which].is_wished = true; key[which].wanted_full = true };
                call_builder()
            :: else
            fi
        :: else
        fi;
        if
        :: mine != NONE -> assert(!is_freed[mine]) /* freed */
        :: else
        fi;
        d_step { /* section ends */
            readers_in_section = readers_in_section & ~(1 << me);
            for (each : 0 .. TABLES - 1) { retired[each].readers = retired[each].readers & ~(1 << me) }
            each = 0; mine = 0; wanted = false;
            key[which].borrowed--
        }
    :: else
    fi
}

/* The key set is released when it has no readers, and with it the key. */
/*@ Sources/JWTCore/Engine/KeyTables.swift left: departed.add(slot) */
inline release_key(which) {
    key[which].is_released = true;
    key[which].borrowed == 0;
    has_departed[which] = true;
    call_builder()
}

proctype User(byte me) provided (!in_child) {
    byte mine, each, number;
    bool wanted;
    do
    :: number < LOADS -> load_key(number); number++
    :: else -> number = 0; break
    od;
    verify(0);
    verify(0);
    release_key(0);
    finished++
}

proctype Verifier(byte me) provided (!in_child) {
    byte mine, each;
    bool wanted;
    verify(0);
    verify(LOADS - 1);
    verify(LOADS - 1);
    finished++
}

/* Fork */

/*@ Sources/JWTCore/Engine/KeyTables+Fork.swift keepsAcrossForks */
proctype Forker(byte me) {
    byte mine, each, number;
    bool wanted;
    /*@ KeyTables.shared.building.lock() */
    take(building);
    /*@ Engine.choice.lock() */
    take(choice);
    /*@ KeyTables.shared.state.lock() */
    take(state_lock);
    atomic {
        if
        :: in_child = true;
            /* CReadCopyUpdate's own handler: the other threads' sections have ended (fork.pml). */
            readers_in_section = 0;
            for (each : 0 .. TABLES - 1) { retired[each].readers = 0 }
            for (each : 0 .. KEYS - 1) { key[each].borrowed = 0 }
            each = 0;
            finished = 1 + VERIFIERS
        :: skip
        fi
    }
    /*@ giveBackLocks: state.unlock() */
    give(state_lock);
    /*@ giveBackLocks: Engine.choice.unlock() */
    give(choice);
    /*@ giveBackLocks: building.unlock() */
    give(building);
    if
    :: in_child ->
        /*@ keepsAcrossForks: KeyTables.shared.hasBuilder.store(false, ordering: .relaxed) */
        has_builder = false;
        /*@ keepsAcrossForks: KeyTables.shared.wakeup.reset() */
        is_signalled = false;
        load_key(KEYS - 1);
        verify(KEYS - 1);
        verify(KEYS - 1);
        release_key(KEYS - 1)
    :: else
    fi;
    finished++
}

/* A table is in use, waits to be freed, or is freed. */
inline check_quiet() {
    d_step {
        assert(retired_count == 0); /* counted */
        for (each : 0 .. TABLES - 1) {
            if
            :: is_made[each] && !is_freed[each] -> unfreed++
            :: else
            fi
        }
        for (each : 0 .. KEYS - 1) {
            if
            :: key[each].has_place && key[each].table != NONE -> owned++
            :: else
            fi;
            if
            :: BUDGET >= KEYS && key[each].is_loaded && !key[each].is_released ->
                assert(key[each].table != NONE); /* lost */
                assert(!key[each].wanted_full || is_full[key[each].table]) /* lost */
            :: else
            fi
        }
        assert(unfreed == owned && owned == bytes && bytes <= BUDGET) /* counted */
    }
}

proctype Observer() {
    byte each, unfreed, owned;
    timeout;
    assert(finished == 1 + VERIFIERS + FORKS); /* endless */
    check_quiet()
}

init {
    atomic {
        byte number = 0;
        do
        :: number < KEYS -> key[number].table = NONE; number++
        :: else -> number = 0; break
        od;
        run User(USER);
        if
        :: VERIFIERS -> run Verifier(VERIFIER)
        :: else
        fi;
        if
        :: FORKS -> run Forker(FORKER)
        :: else
        fi;
        run Observer()
    }
}

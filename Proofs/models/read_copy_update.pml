/* read_copy_update.pml: readers of one pointer, and writers that replace and free its objects, over memory.pml.
 *
 * After each line with an at sign stands what models that statement of the C source; verify.py compares both, with their memory orders.
 *
 *     VARIANT  0 membarrier works, 1 membarrier is missing from the start, 2 a sandbox forbids membarrier at any moment
 *     WRITERS, READERS, SECTIONS (of each reader), REPLACEMENTS (by each writer)
 *
 * The last reader begins after another has ended and may take its record. Properties:
 *
 *     freed     no reader uses a freed object, and every use happens before the object is freed
 *     complete  every object and every record is complete before another thread reads it
 *     ends      when no reader is in a section, and each that may hide one has read again or ended, the next look frees everything
 *     endless   (by spin itself) no thread waits for ever
 *
 * Left out: nested sections (`depth` belongs to one thread), memory that is exhausted, signals. fork.pml models the handler of forks.
 */

#define RECORDS READERS
#define OBJECTS (WRITERS * REPLACEMENTS + 1)

/* Thread 0 and, of two, 1 write. */
#define THREADS (WRITERS + READERS)

#define current_object 0
#define epoch 1
#define readers_fence 2
#define readers 3
#define section(record) (4 + (record))
#define fences(record) (4 + RECORDS + (record))
#define in_use(record) (4 + 2 * RECORDS + (record))
#define LOCATIONS (4 + 3 * RECORDS)
/* Two readers may store to one record. */
#define DEPTH (4 * SECTIONS + 3)

#include "memory.pml"

#define NONE 255

bool is_forbidden = VARIANT == 1;

/* Records: the list is read through `readers`, which holds the number of records; a record's successor is the one before it. */
byte made;
byte maker[RECORDS];
byte made_at[RECORDS];

/* Objects. */
byte writer_of[OBJECTS];
byte written_at[OBJECTS];
bool is_freed[OBJECTS];
typedef Uses { byte at[THREADS] };
Uses uses[OBJECTS];

/* The lock of the writers, and what it protects. */
bool is_locked;
View unlocked;
byte objects = 1;
typedef Retired { byte item; byte period };
Retired retired[OBJECTS];
byte retired_first, retired_end;

byte readers_left = READERS;
bool has_ended[READERS];

inline read_record(record) {
    assert(record < made && follows(maker[record], made_at[record])) /* complete */
}

/* Readers */

/*@ fence */
inline fence_of_reader() {
    /*@ atomic_thread_fence(memory_order_seq_cst); */
    fence(me); /* fence of a reader */
    /*@ if (!atomic_load_explicit(&reader->fences, memory_order_relaxed))
        atomic_store_explicit(&reader->fences, 1, memory_order_release); */
    load(found, fences(record), RELAXED);
    if
    :: !found -> store(fences(record), 1, RELEASE)
    :: else
    fi
}

/*@ take_free_record */
inline take_free_record() {
    /*@ for (crcu_reader *reader = atomic_load(&readers); reader != NULL; reader = reader->next) { */
    load(next, readers, SEQ_CST);
    do
    :: record == NONE && next > 0 ->
        next--;
        read_record(next);
        /*@ if (atomic_compare_exchange_strong(&reader->in_use, &in_use, 1)) return reader; */
        compare_exchange(found, in_use(next), 0, 1, SEQ_CST);
        if
        :: found -> record = next
        :: else
        fi
    :: else -> break
    od
}

/*@ make_record */
inline make_record() {
    d_step {
        assert(made < RECORDS);
        record = made;
        made++;
        access(made_at[record]);
        maker[record] = me
    }
    /*@ atomic_init(&reader->section, 0); */
    /*@ atomic_init(&reader->fences, 0); */
    /*@ atomic_init(&reader->in_use, 1); */
    d_step {
        object[in_use(record)].value[0].number = 1;
        /*@ reader->next = atomic_load(&readers); */
        /*@ while (!atomic_compare_exchange_weak(&readers, &reader->next, reader)) {} */
        exchange_in_step(found, readers, record + 1, SEQ_CST)
    }
}

/* The list holds the records in the order of their numbers, so a record is made and prepended in one step. */
inline exchange_in_step(result, location, stored, order) {
    place = object[location].last;
    result = object[location].value[place].number;
    take(location, order);
    append(location, stored, order);
    join(object[location].value[place].view, object[location].value[place - 1].view);
    place = 0; component = 0
}

/*@ register_thread */
inline register_thread() {
    take_free_record();
    atomic {
        if
        :: record == NONE -> make_record()
        :: else
        fi
    }
    /*@ atomic_thread_fence(memory_order_seq_cst); */
    fence(me) /* fence of a new thread */
}

/*@ crcu_enter */
inline crcu_enter() {
    if
    :: record == NONE -> register_thread()
    :: else
    fi;
    /*@ uint64_t now = atomic_load_explicit(&epoch, memory_order_acquire); */
    load(number, epoch, ACQUIRE);
    /*@ atomic_store_explicit(&reader->section, now, memory_order_release); */
    store(section(record), number, RELEASE); /* section begins */
    /*@ atomic_signal_fence(memory_order_seq_cst); */
    /*@ if (atomic_load_explicit(&readers_fence, memory_order_relaxed)) fence(reader); */
    load(found, readers_fence, RELAXED);
    if
    :: found -> fence_of_reader(); has_fenced = true
    :: else
    fi
}

/*@ crcu_leave */
inline crcu_leave() {
    /*@ atomic_store_explicit(&reader->section, 0, memory_order_release); */
    store(section(record), 0, RELEASE) /* section ends */
}

/*@ give_back */
inline give_back() {
    /*@ atomic_store_explicit(&reader->section, 0, memory_order_release); */
    store(section(record), 0, RELEASE); /* thread ends */
    /*@ atomic_store_explicit(&reader->in_use, 0, memory_order_release); */
    store(in_use(record), 0, RELEASE) /* record given back */
}

inline load_object() {
    /*@ Sources/JWTCore/Engine/KeySlot.swift loadTable: current.load(ordering: .acquiring) */
    /*@ Sources/JWKSCache/RemoteKeySet/KeySetSlot.swift lease: current.load(ordering: .acquiring) */
    /*@ Sources/Gateway/Sharing/Published.swift withCurrent: pointer.load(ordering: .acquiring) */
    load(mine, current_object, ACQUIRE)
}

inline use_object() {
    d_step {
        assert(follows(writer_of[mine], written_at[mine])); /* complete */
        assert(!is_freed[mine]); /* freed */
        access(uses[mine].at[me]);
        mine = NONE
    }
}

proctype Reader(byte me) {
    byte record = NONE, next, number, found, mine = NONE, turn;
    bool has_fenced;
    if
    :: me == THREADS - 1 && READERS > 1 -> has_ended[0]
    :: else
    fi;
    do
    :: turn < SECTIONS ->
        turn++;
        crcu_enter();
        load_object();
        use_object();
        crcu_leave()
    :: else -> break
    od;
    /* A thread that has fenced need not end: it may stay outside every section for ever. */
    if
    :: give_back()
    :: has_fenced || VARIANT == 0
    fi;
    d_step { has_ended[me - WRITERS] = true; readers_left--; record = 0; next = 0; number = 0; found = 0; turn = 0; has_fenced = false }
}

/* Writers */

/* membarrier(2): between its beginning and its end every running thread of the process executes a fence, each at a moment of its own. */
inline membarrier(failed) {
    if
    :: is_forbidden -> failed = true
    :: else ->
        fence(me);
        other = 0;
        do
        :: other < THREADS -> fence(other); other++
        :: else -> break
        od;
        fence(me);
        other = 0;
        failed = false
    fi
}

/*@ crcu_grace_begin */
inline crcu_grace_begin() {
    /*@ uint64_t grace = atomic_fetch_add(&epoch, 1) + 1; */
    d_step {
        number = object[epoch].value[object[epoch].last].number + 1;
        exchange_in_step(found, epoch, number, SEQ_CST) /* epoch advances */
    }
    /*@ atomic_thread_fence(memory_order_seq_cst); */
    fence(me); /* fence of a writer */
    /*@ if (!atomic_load(&readers_fence) && membarrier(MEMBARRIER_PRIVATE_EXPEDITED) != 0) { */
    load(found, readers_fence, SEQ_CST);
    if
    :: !found ->
        membarrier(found);
        if
        :: found ->
            /*@ atomic_store(&readers_fence, 1); */
            store(readers_fence, 1, SEQ_CST); /* readers shall fence */
            /*@ atomic_thread_fence(memory_order_seq_cst); */
            fence(me) /* fence after the change */
        :: else
        fi
    :: else
    fi
}

/*@ has_left */
inline has_left(result, record, grace) {
    /*@ int may_hide = reader != own && atomic_load(&readers_fence) && atomic_load(&reader->in_use) && !atomic_load(&reader->fences); */
    load(found, readers_fence, SEQ_CST);
    if
    :: found ->
        load(found, in_use(record), SEQ_CST);
        if
        :: found -> load(found, fences(record), SEQ_CST); found = !found
        :: else
        fi
    :: else
    fi;
    if
    :: found -> result = false /* may hide */
    :: else ->
        /*@ uint64_t section = atomic_load_explicit(&reader->section, memory_order_acquire); */
        load(found, section(record), ACQUIRE); /* a writer looks */
        /*@ return section == 0 || section >= grace; */
        result = found == 0 || found >= grace
    fi
}

/*@ crcu_grace_is_over */
inline crcu_grace_is_over(result, grace) {
    result = true;
    /*@ for (crcu_reader *reader = atomic_load_explicit(&readers, memory_order_acquire); reader != NULL; reader = reader->next) { */
    load(next, readers, ACQUIRE); /* the list */
    do
    :: result && next > 0 ->
        next--;
        read_record(next);
        has_left(result, next, grace)
    :: else -> next = 0; found = 0; break
    od
}

inline lock() { d_step { !is_locked -> is_locked = true; join(thread[me].current, unlocked); component = 0 } }
inline unlock() { d_step { is_locked = false; join(unlocked, thread[me].current); component = 0 } }

inline replace_object() {
    d_step {
        old = objects - 1;
        mine = objects;
        objects++;
        writer_of[mine] = me;
        access(written_at[mine]);
        component = 0
    }
    /*@ Sources/JWTCore/Engine/KeySlot.swift replaceTable: current.exchange(table?.start, ordering: .acquiringAndReleasing) */
    /*@ Sources/JWKSCache/RemoteKeySet/KeySetSlot.swift replace: ordering: .releasing) */
    /*@ Sources/Gateway/Sharing/Published.swift update: ordering: .releasing) */
    store(current_object, mine, RELEASE); /* a writer replaces */
    crcu_grace_begin();
    d_step { retired[retired_end].item = old; retired[retired_end].period = number; retired_end++; number = 0; old = 0; mine = 0 }
}

inline free_object(gone) {
    d_step {
        for (other : 0 .. THREADS - 1) { assert(follows(other, uses[gone].at[other])) /* freed */ }
        assert(!is_freed[gone]); /* freed */
        is_freed[gone] = true;
        other = 0
    }
}

inline reclaim() {
    do
    :: retired_first < retired_end ->
        crcu_grace_is_over(is_over, retired[retired_first].period);
        if
        :: is_over -> free_object(retired[retired_first].item); retired_first++
        :: else -> break
        fi
    :: else -> break
    od;
    is_over = false
}

proctype Writer(byte me) {
    byte number, found, old, mine, next, other, turn;
    bool is_over;
    do
    :: turn < REPLACEMENTS ->
        turn++;
        lock();
        replace_object();
        reclaim();
        unlock()
    :: else -> break
    od;
    /* A later look at any time. */
    if
    :: lock(); reclaim(); unlock()
    :: skip
    fi;
    (readers_left == 0);
    lock();
    learn_everything(other, found);
    other = 0; found = 0;
    reclaim();
    assert(retired_first == retired_end); /* ends */
    unlock()
}

proctype Sandbox() { is_forbidden = true }

init {
    atomic {
        /* pthread_once orders set_up before every reader and writer. */
        /*@ set_up: if (membarrier(MEMBARRIER_REGISTER_PRIVATE_EXPEDITED) != 0) atomic_store(&readers_fence, 1); */
        object[readers_fence].value[0].number = VARIANT == 1;
        object[epoch].value[0].number = 1;
        byte number = 0;
        do
        :: number < WRITERS -> run Writer(number); number++
        :: number >= WRITERS && number < THREADS -> run Reader(number); number++
        :: else -> break
        od;
        number = 0;
        if
        :: VARIANT == 2 -> run Sandbox()
        :: else
        fi
    }
}

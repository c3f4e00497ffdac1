/* fork.pml: the records of readers in a forked child. A thread forks inside or outside a section, while two others read.
 *
 * After each line with an at sign stands what models that statement of Sources/CReadCopyUpdate/read_copy_update.c; verify.py compares both.
 * Steps interleave in one order: a child begins with a copy of the memory, and one thread. That thread forks where no writer holds a lock,
 * as the handlers of key_tables.pml and of the other writers ensure.
 *
 *     FENCES  1: readers execute fences, and a thread that has not yet done so hides its section
 *
 * Properties, in the child:
 *
 *     freed    no reader uses a freed object, the thread that forked inside a section included
 *     ends     when no thread of the child is in a section, and each has fenced or ended, a grace period ends
 *     records  the records of the threads that stayed in the parent are free for others
 */

#define RECORDS 4
#define NONE 255
#define OTHER 0
#define FORKER 1
#define LATER 2
#define ANOTHER 3

bool in_child, later_has_ended, forker_is_out;
byte made;
byte epoch = 1;
byte section[RECORDS];
bool in_use[RECORDS], has_fenced[RECORDS];
byte own[4] = NONE;
byte latest;
bool is_freed[3];

/*@ register_thread */
inline register() {
    atomic {
        each = 0;
        do
        :: each < made && in_use[each] -> each++
        :: else -> break
        od;
        if
        :: each == made -> assert(made < RECORDS); made++
        :: else
        fi;
        in_use[each] = true;
        own[me] = each;
        each = 0
    }
}

/*@ crcu_enter */
inline enter() {
    if
    :: own[me] == NONE -> register()
    :: else
    fi;
    number = epoch;
    section[own[me]] = number;
    number = 0;
    if
    :: FENCES -> has_fenced[own[me]] = true
    :: else
    fi
}

inline read() { mine = latest; assert(!is_freed[mine]) /* freed */ }

/*@ crcu_leave */
inline leave() { assert(!is_freed[mine]); /* freed */ section[own[me]] = 0; mine = 0 }

/*@ give_back */
inline give_back() {
    /*@ own = NULL; */
    each = own[me];
    own[me] = NONE;
    section[each] = 0;
    in_use[each] = false;
    each = 0
}

/*@ forget_other_threads */
inline forget_other_threads() {
    d_step {
        /*@ for (crcu_reader *reader = atomic_load(&readers); reader != NULL; reader = reader->next) { */
        for (each : 0 .. RECORDS - 1) {
            if
            /*@ if (reader == own) continue; */
            :: each == own[me]
            :: each != own[me] && each < made ->
                /*@ atomic_store(&reader->section, 0); */
                section[each] = 0; /* forgotten */
                /*@ atomic_store(&reader->in_use, 0); */
                in_use[each] = false /* free */
            :: else
            fi
        }
        each = 0
    }
}

/*@ has_left */
inline look(grace) {
    is_over = true;
    for (each : 0 .. RECORDS - 1) {
        if
        :: each < made && each != own[me] && FENCES && in_use[each] && !has_fenced[each] -> is_over = false
        :: each < made && section[each] != 0 && section[each] < grace -> is_over = false
        :: else
        fi
    }
    each = 0
}

/* Reads until its process forks; the child does not have it. */
proctype Other(byte me) provided (!in_child) {
    byte number, mine, each;
    do
    :: true -> enter(); read(); leave()
    :: own[me] != NONE -> give_back()
    od
}

/* A thread that begins in the child. */
proctype Later(byte me) {
    byte number, mine, each;
    enter();
    read();
    leave();
    give_back();
    later_has_ended = true
}

/* A writer of the child. It looks at any moment, and once more when no thread is in a section. */
inline replace(next, before) {
    d_step { latest = next; epoch++; period = epoch };
    if
    :: d_step { look(period) }; if :: is_over -> is_freed[before] = true :: else fi
    :: skip
    fi
}

proctype Writer(byte me) {
    byte each, period;
    bool is_over;
    replace(1, 0);
    (later_has_ended && forker_is_out);
    d_step { look(period) };
    assert(is_over) /* ends */
}

proctype Forker(byte me) {
    byte number, mine, each;
    bool is_inside, has_read;
    if
    :: true -> enter(); read(); is_inside = true
    :: true -> enter(); read(); leave()
    :: skip
    fi;
    in_child = true;
    forget_other_threads();
    /*@ forget_other_threads: if (membarrier(MEMBARRIER_REGISTER_PRIVATE_EXPEDITED) != 0) atomic_store(&readers_fence, 1); */
    /* Each variant of the child is that of its parent, or fences, which read_copy_update.pml covers. */
    own[OTHER] = NONE;
    own[ANOTHER] = NONE;
    run Later(LATER);
    run Writer(OTHER);
    if
    :: is_inside -> leave()
    :: else
    fi;
    /* Where readers fence, a thread with a record has fenced, for it has read. */
    forker_is_out = true;
    later_has_ended;
    each = 0;
    d_step {
        for (each : 0 .. RECORDS - 1) { assert(!in_use[each] || each == own[me]) /* records */ }
    }
}

init { atomic { run Other(OTHER); run Other(ANOTHER); run Forker(FORKER) } }

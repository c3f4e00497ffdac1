/* memory.pml: the memory of C11 as a machine of views, which the other models include. They define LOCATIONS, THREADS and DEPTH before.
 *
 * Each atomic object keeps every value that was stored to it, in modification order. A thread has a view: for each object the oldest value
 * that it may still read. A load takes any value from there on, so it may be stale. What one thread learns from another is the view in the
 * value that it reads:
 *
 *     release store      puts the view of the thread into the value
 *     acquire load       adds the view of the value to that of the thread
 *     relaxed load       keeps the view of the value for the next fence
 *     relaxed store      puts the view of the thread's last fence into the value
 *     read-modify-write  reads the last value, and passes its view on (release sequence)
 *     seq_cst fence      exchanges views with every earlier seq_cst fence
 *
 * This is RC11 (Lahav et al., PLDI 2017) without load buffering, in the form of Dang et al., "RustBelt Meets Relaxed Memory", POPL 2020.
 * A seq_cst load, store or read-modify-write counts as acquire, release or both, which permits more than C11 does: what holds here does not
 * need their total order. The release sequence of C11 within one thread is left out, as C++20 did. A store goes to the end of the
 * modification order. That is all there is where one thread at a time stores to an object, which holds for all but `readers_fence`, to
 * which every store is 1.
 *
 * Plain memory: a view also has a clock for each thread. A thread advances its own clock at each plain access, so whether an access
 * happens before another is whether the view of the second has the clock of the first.
 */

#define COMPONENTS (LOCATIONS + THREADS)

typedef View { byte at[COMPONENTS] };
typedef Value { byte number; View view };
typedef Object { byte last; Value value[DEPTH] };
typedef Thread { View current; View acquired; View released };

Object object[LOCATIONS];
Thread thread[THREADS];
View fences_so_far;

hidden byte component;
byte place;

#define RELAXED 0
#define ACQUIRE 1
#define RELEASE 2
#define ACQ_REL 3
#define SEQ_CST 3

#define acquires(order) ((order) & 1)
#define releases(order) ((order) & 2)
#define clock(who) (LOCATIONS + (who))

inline join(into, from) {
    for (component : 0 .. COMPONENTS - 1) {
        if
        :: from.at[component] > into.at[component] -> into.at[component] = from.at[component]
        :: else
        fi
    }
}

inline assign(into, from) {
    for (component : 0 .. COMPONENTS - 1) { into.at[component] = from.at[component] }
}

/* take: the thread `me` has read the value at `place`. */
inline take(location, order) {
    if
    :: place > thread[me].current.at[location] -> thread[me].current.at[location] = place
    :: else
    fi;
    if
    :: acquires(order) -> join(thread[me].current, object[location].value[place].view)
    :: else -> join(thread[me].acquired, object[location].value[place].view)
    fi
}

/* append: the thread `me` stores; `place` is the new value's. */
inline append(location, stored, order) {
    assert(object[location].last + 1 < DEPTH);
    object[location].last++;
    place = object[location].last;
    object[location].value[place].number = stored;
    thread[me].current.at[location] = place;
    if
    :: releases(order) -> join(object[location].value[place].view, thread[me].current)
    :: else ->
        join(object[location].value[place].view, thread[me].released);
        object[location].value[place].view.at[location] = place
    fi
}

inline load(result, location, order) {
    atomic {
        select(place : thread[me].current.at[location] .. object[location].last);
        d_step { result = object[location].value[place].number; take(location, order); place = 0; component = 0 }
    }
}

inline store(location, stored, order) {
    d_step { append(location, stored, order); place = 0; component = 0 }
}

/* exchange: a read-modify-write that always writes; `result` is the old value. */
inline exchange(result, location, stored, order) {
    d_step {
        place = object[location].last;
        result = object[location].value[place].number;
        take(location, order);
        append(location, stored, order);
        join(object[location].value[place].view, object[location].value[place - 1].view);
        place = 0; component = 0
    }
}

/* compare_exchange: writes `desired` if the last value is `expected`. If it fails, it is a load of any other value. */
inline compare_exchange(succeeded, location, expected, desired, order) {
    atomic {
        select(place : thread[me].current.at[location] .. object[location].last);
        d_step {
            succeeded = (object[location].value[place].number == expected
                && object[location].value[object[location].last].number == expected);
            if
            :: object[location].value[place].number == expected -> place = object[location].last
            :: else
            fi;
            take(location, order);
            if
            :: succeeded ->
                append(location, desired, order);
                join(object[location].value[place].view, object[location].value[place - 1].view)
            :: else
            fi;
            place = 0; component = 0
        }
    }
}

/* fence: a seq_cst fence that the thread `who` executes. */
inline fence(who) {
    d_step {
        join(thread[who].current, thread[who].acquired);
        join(thread[who].current, fences_so_far);
        assign(fences_so_far, thread[who].current);
        assign(thread[who].released, thread[who].current);
        component = 0
    }
}

/* access: a plain access of the thread `me`; `stamp` becomes its clock. */
inline access(stamp) { thread[me].current.at[clock(me)]++; stamp = thread[me].current.at[clock(me)] }

/* follows: whether an access of `who` at `stamp` happens before what the thread `me` does now. */
#define follows(who, stamp) (thread[me].current.at[clock(who)] >= (stamp))

/* learn_everything: what a join with every other thread gives. */
inline learn_everything(location, who) {
    d_step {
        for (location : 0 .. LOCATIONS - 1) { thread[me].current.at[location] = object[location].last }
        for (who : 0 .. THREADS - 1) { thread[me].current.at[clock(who)] = thread[who].current.at[clock(who)] }
    }
}

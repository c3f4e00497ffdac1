#ifndef ASSAY_REPLACEMENT_H
#define ASSAY_REPLACEMENT_H

// Replaces an object that another thread reads, thousands of times, and overwrites the old one once its grace period is over. Returns 10 if
// the reader never saw overwritten data, 11 if it did, 12 without a thread. Call it once per process.
int cfork_replace_under_a_reader(void);

#endif

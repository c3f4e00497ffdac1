/* What stands in this folder does not compile when a constant, a structure or a function of assay.h or assay_http.h changes. The folder
 * symbols has the libraries' symbols. New symbols are added here; an existing line changes only with the soname. The sizes are those of a
 * 64-bit system. */

#ifndef ABI_H
#define ABI_H

#include <assay.h>
#include <assay_http.h>

#define SAME(left, right) _Static_assert((left) == (right), #left)
#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#define MEMBER(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #type "." #member)
#define FUNCTION(name, result, ...) _Static_assert(__builtin_types_compatible_p(__typeof__(name), result(__VA_ARGS__)), #name)

#endif

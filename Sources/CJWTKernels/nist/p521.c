// p521.c: ECDSA over P-521, as declared in CJWTKernelsECDSA.h.

#include "ecdsa_cases.h"

// 87 windows of 32 rows, 392 KiB; 131 windows of 8 rows, 147 KiB.
enum { kFullWindow = 6, kSmallWindow = 4 };

#include "p521_curve.h"
#include "nist_scalar.h"

// RFC 6979, A.2.7, SHA-512 of "sample".
static const ecdsa_vector kVector = {
    .bytes = 66,
    .order =
        "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        "fa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409",
    .x =
        "01894550d0785932e00eaa23b694f213f8c3121f86dc97a04e5a7167db4e5bcd37"
        "1123d46e45db6b5d5370a7f20fb633155d38ffa16d2bd761dcac474b9a2f5023a4",
    .y =
        "00493101c962cd4d2fddf782285e64584139c2f91b47f87ff82354d6630f746a28"
        "a0db25741b5b34a828008b22acc23f924faafbd4d33f81ea66956dfeaa2bfdfcf5",
    .hash =
        "39a5e04aaff7455d9850c605364f514c11324ce64016960d23d5dc57d3ffd8f49a"
        "739468ab8049bf18eef820cdb1ad6c9015f838556bc7fad4138b23fdf986c7",
    .r =
        "00c328fafcbd79dd77850370c46325d987cb525569fb63c5d3bc53950e6d4c5f17"
        "4e25a1ee9017b5d450606add152b534931d7d4e8455cc91f9b15bf05ec36e377fa",
    .s =
        "00617cce7cf5064806c467f678d3b4080d6f1cc50af26ca209417308281b68af28"
        "2623eaa63e5b5c0723d8b8c37ff0777b1a20f8ccb1dccc43997f1ee0e44da4a67a",
    .minus_s =
        "019e8331830af9b7f93b9809872c4bf7f290e33af50d935df6be8cf7d7e49750d7"
        "d42d9be14563d38f47a7133dc906922ab61abcfd06acd004153c50d63a4393bd8f",
};

#define CURVE p521
#define SCALARS(FUNCTION) FUNCTION
#include "nist_kernel.h"

/* The structs lie in memory as they do in Rust; tests/all/layout.rs compares the same file with Rust. */

#include <bonebox.h>

#define SIZE(type, size, align)                                                                                        \
    _Static_assert(sizeof(type) == (size), #type " has another size than in Rust");                                    \
    _Static_assert(_Alignof(type) == (align), #type " has another alignment than in Rust");
#define FIELD(type, field, offset)                                                                                     \
    _Static_assert(offsetof(type, field) == (offset), #type "." #field " is elsewhere than in Rust");

#include "../layout.inc"

int main(void) {
    const uint32_t version = BONEBOX_VERSION_MAJOR * 1000000 + BONEBOX_VERSION_MINOR * 1000 + BONEBOX_VERSION_PATCH;
    return bonebox_version() == version ? 0 : 1;
}

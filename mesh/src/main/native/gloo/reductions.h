// SPDX-License-Identifier: Apache-2.0
// Reductions of two arrays element by element. Gloo's own do not say what becomes of values that are not numbers, and
// know fewer types. Whole numbers wrap; of values that are not numbers the least and the greatest are none either, and
// of the two zeros the negative one is the lesser.
#pragma once

#include <gloo/common/error.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

// Elements may lie at any address.
template <typename T>
struct __attribute__((packed, may_alias)) Loose {
    T value;
};

template <typename T>
using Wrapping = std::make_unsigned_t<std::conditional_t<std::is_integral_v<T>, T, int>>;

struct Sum {
    template <typename T>
    static T of(T a, T b) {
        // Small types are computed as int, where the product of two 16-bit values would overflow: hence 64 bits.
        if constexpr (std::is_integral_v<T>) return static_cast<T>(uint64_t(Wrapping<T>(a)) + Wrapping<T>(b));
        else return a + b;
    }
};

struct Product {
    template <typename T>
    static T of(T a, T b) {
        if constexpr (std::is_integral_v<T>) return static_cast<T>(uint64_t(Wrapping<T>(a)) * Wrapping<T>(b));
        else return a * b;
    }
};

struct Least {
    template <typename T>
    static T of(T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
            if (a != a || b != b) return a + b;
            if (a == b) return std::signbit(a) ? a : b;
        }
        return b < a ? b : a;
    }
};

struct Greatest {
    template <typename T>
    static T of(T a, T b) {
        if constexpr (std::is_floating_point_v<T>) {
            if (a != a || b != b) return a + b;
            if (a == b) return std::signbit(a) ? b : a;
        }
        return a < b ? b : a;
    }
};

struct Any {
    static uint8_t of(uint8_t a, uint8_t b) { return (a | b) != 0; }
};

struct All {
    static uint8_t of(uint8_t a, uint8_t b) { return a != 0 && b != 0; }
};

using Reduction = void (*)(void *, const void *, const void *, size_t);

template <typename T, typename Fold>
void reduce_all(void *to, const void *first, const void *second, size_t count) {
    auto *target = static_cast<Loose<T> *>(to);
    auto *a = static_cast<const Loose<T> *>(first);
    auto *b = static_cast<const Loose<T> *>(second);
    // The target is one of the sources or apart from them: no element depends on another one.
#pragma GCC ivdep
    for (size_t i = 0; i < count; i++) target[i].value = Fold::of(a[i].value, b[i].value);
}

template <typename T>
Reduction reduction_of_type(int64_t op) {
    switch (op) {
        case 0: return &reduce_all<T, Sum>;
        case 1: return &reduce_all<T, Product>;
        case 2: return &reduce_all<T, Least>;
        case 3: return &reduce_all<T, Greatest>;
        default: throw gloo::InvalidOperationException("there is no such operator");
    }
}

Reduction reduction_of(int64_t type, int64_t op) {
    switch (type) {
        case 0: return op == 0 || op == 3 ? &reduce_all<uint8_t, Any> : &reduce_all<uint8_t, All>;
        case 1: return reduction_of_type<uint8_t>(op);
        case 2: return reduction_of_type<int8_t>(op);
        case 3: return reduction_of_type<uint16_t>(op);
        case 4: return reduction_of_type<int16_t>(op);
        case 5: return reduction_of_type<uint32_t>(op);
        case 6: return reduction_of_type<int32_t>(op);
        case 7: return reduction_of_type<uint64_t>(op);
        case 8: return reduction_of_type<int64_t>(op);
        case 9: return reduction_of_type<float>(op);
        case 10: return reduction_of_type<double>(op);
        default: throw gloo::InvalidOperationException("there is no such type");
    }
}

// Gloo asks for the size of an element by a type: calls the work with a value of the right one.
template <typename Work>
void with_element(int64_t type, Work work) {
    switch (type) {
        case 0: case 1: case 2: return work(uint8_t{});
        case 3: case 4: return work(uint16_t{});
        case 5: case 6: case 9: return work(uint32_t{});
        default: return work(uint64_t{});
    }
}

}  // namespace

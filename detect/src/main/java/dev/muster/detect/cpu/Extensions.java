// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import java.util.List;
import java.util.Optional;

/// Picks what matters for arithmetic on many numbers out of a processor's abilities.
final class Extensions {
    private static final List<String> NAMED = List.of(
            "sse4_2",
            "avx",
            "avx2",
            "f16c",
            "fma",
            "avx_vnni",
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512_vnni",
            "avx512_bf16",
            "avx512_fp16",
            "amx_tile",
            "amx_int8",
            "amx_bf16",
            "amx_fp16",
            "neon",
            "asimd",
            "asimdhp",
            "asimddp",
            "sve",
            "sve2",
            "i8mm",
            "bf16",
            "sme",
            "sme2");

    private Extensions() {}

    /// The telling ones, in a steady order, with blanks between.
    ///
    /// @param flags all of them, with blanks between
    static Optional<String> findNamed(String flags) {
        String padded = " " + flags + " ";
        StringBuilder found = new StringBuilder();
        for (String word : NAMED) {
            if (padded.contains(" " + word + " ")) {
                found.append(found.isEmpty() ? "" : " ").append(word);
            }
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(found.toString());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.foreign;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Native calls by a small compiled library that bundles have beside their jars. Java's linker makes classes for its
/// first call, a third of the time of a command that asks NVML; this library needs none (docs/decisions/0006).
/// Without the library the linker is used.
public final class CompiledCalls {
    /// Written before the first native call, by the start of the program.
    private static volatile @Nullable Path file;

    private CompiledCalls() {}

    /// Names the library. Without effect after the first native call.
    public static void use(Path library) {
        file = library;
    }

    static boolean areLoaded() {
        return Library.IS_LOADED;
    }

    static long open(String path) {
        return open(terminated(path));
    }

    static long find(long library, String name) {
        return find(library, terminated(name));
    }

    private static byte[] terminated(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(bytes, bytes.length + 1);
    }

    private static native long open(byte[] path);

    private static native long find(long library, byte[] name);

    static native long addressOf(ByteBuffer direct);

    static native long call(long function, long a, long b, long c, long d, long e, long f, long g, long h);

    /// Loaded at the first native call, and by no program that makes none.
    private static final class Library {
        private static final boolean IS_LOADED = load();

        @SuppressWarnings("restricted") // the launcher allows it
        private static boolean load() {
            Path library = file;
            if (library == null) {
                return false;
            }
            try {
                System.load(library.toString());
                return true;
            } catch (UnsatisfiedLinkError | IllegalCallerException e) {
                return false; // made for another system
            }
        }
    }
}

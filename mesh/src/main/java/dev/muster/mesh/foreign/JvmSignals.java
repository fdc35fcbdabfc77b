package dev.muster.mesh.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Keeps libraries from taking signals that the JVM lives by. UCX, which libraries of MPI and Gloo bring along, makes
/// SIGSEGV its own when it is loaded, and the JVM uses that signal to find references that are null and to stop its
/// threads: the first of them ended the process.
///
/// @since 0.1
public final class JvmSignals {
    /// Which signals UCX takes. It reads the variable when it is loaded.
    private static final String TAKEN_BY_UCX = "UCX_ERROR_SIGNALS";

    private static final int KEEP_WHAT_IS_SET = 0;

    private JvmSignals() {}

    /// Tells libraries that are loaded from now on to leave them alone. What somebody has told them otherwise stays.
    public static void keep() {
        Once.done();
    }

    /// Variables belong to the process, so once is enough.
    private static final class Once {
        private static final boolean DONE = tell();

        private static void done() {
            if (!DONE) {
                throw new IllegalStateException("the system refuses to set " + TAKEN_BY_UCX);
            }
        }

        /// @return whether it was told, or there is nobody to tell
        @SuppressWarnings("restricted") // two texts and a number, which the system copies
        private static boolean tell() {
            MemorySegment function =
                    Linker.nativeLinker().defaultLookup().find("setenv").orElse(MemorySegment.NULL);
            if (function.equals(MemorySegment.NULL)) {
                return true; // UCX is not for systems without it
            }
            MethodHandle set = Linker.nativeLinker()
                    .downcallHandle(
                            function,
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.JAVA_INT));
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment name = arena.allocateFrom(TAKEN_BY_UCX);
                return (int) set.invokeExact(name, arena.allocateFrom(""), KEEP_WHAT_IS_SET) == 0;
            } catch (RuntimeException | Error known) {
                throw known;
            } catch (Throwable unknown) {
                throw new IllegalStateException("a native call threw", unknown);
            }
        }
    }
}

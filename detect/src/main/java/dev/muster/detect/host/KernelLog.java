// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import dev.muster.core.foreign.NativeFunction;
import dev.muster.core.foreign.NativeLibrary;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The kernel's log in memory. It is a device that makes its readers wait for the next message, and Java cannot open it
/// otherwise: so it is read by the C library, which is told not to wait.
final class KernelLog {
    static final String PATH = "/dev/kmsg";

    /// O_RDONLY, O_NONBLOCK and O_CLOEXEC of Linux on x86-64 and AArch64.
    private static final int READ_WITHOUT_WAITING = 0x800 | 0x80000;
    /// The kernel hands out one message at a time, and refuses a buffer that is too small (CONSOLE_EXT_LOG_MAX is
    /// 8192).
    private static final int MAX_MESSAGE = 16 << 10;
    /// One failure may be a message that was overwritten meanwhile; after some in a row there are no more.
    private static final int MOST_FAILURES = 3;

    private KernelLog() {}

    /// Reads what is there.
    static HostAnswer<String> read(int maxBytes) {
        NativeLibrary system = NativeLibrary.ofSystem();
        Optional<NativeFunction> open = system.find("open");
        Optional<NativeFunction> read = system.find("read");
        Optional<NativeFunction> close = system.find("close");
        if (open.isEmpty() || read.isEmpty() || close.isEmpty()) {
            return HostAnswer.Unreadable.notRegular();
        }
        try (Arena arena = Arena.ofConfined()) {
            int file = open.get().call(arena.allocateFrom(PATH).address(), READ_WITHOUT_WAITING);
            if (file < 0) {
                return new HostAnswer.NotPermitted<>("permission denied");
            }
            try {
                return read(read.get(), file, arena.allocate(MAX_MESSAGE), maxBytes);
            } finally {
                close.get().call(file);
            }
        }
    }

    private static HostAnswer<String> read(NativeFunction read, int file, MemorySegment buffer, int maxBytes) {
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int failures = 0;
        while (failures < MOST_FAILURES) {
            int length = read.call(file, buffer.address(), MAX_MESSAGE, 0);
            if (length > 0) {
                messages.writeBytes(buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
                failures = 0;
            } else {
                failures++;
            }
            if (messages.size() > maxBytes) {
                return HostAnswer.Unreadable.tooLong(maxBytes);
            }
        }
        return new HostAnswer.Found<>(messages.toString(StandardCharsets.UTF_8));
    }
}

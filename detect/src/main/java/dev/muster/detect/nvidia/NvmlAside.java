package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import java.lang.foreign.Arena;

/// Asks about a device on a thread of its own.
final class NvmlAside implements AutoCloseable {
    private final AcceleratorProfile.Builder profile;
    private final Thread thread;

    /// Begins to ask.
    NvmlAside(NvmlLibrary nvml, NvmlDevice device, AcceleratorType type, Questions questions) {
        this.profile = AcceleratorProfile.builder(type);
        this.thread = Thread.ofPlatform().daemon().name("muster-nvml").unstarted(() -> {
            try (Arena arena = Arena.ofConfined()) {
                NvmlLibrary own = nvml.withOwnScratch(arena);
                questions.ask(new NvmlDevice(own, device.handle(), device.source()), profile);
            }
        });
        thread.start();
    }

    /// What is asked.
    @FunctionalInterface
    interface Questions {
        void ask(NvmlDevice device, AcceleratorProfile.Builder profile);
    }

    /// Waits for the answers.
    AcceleratorProfile profile() {
        close();
        return profile.build();
    }

    /// Waits. A thread hangs with its caller when the driver hangs; the detection's deadline ends the wait for
    /// both.
    @Override
    public void close() {
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}

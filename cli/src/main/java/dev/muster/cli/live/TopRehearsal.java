// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.terminal.Console;
import dev.muster.cli.top.Glyphs;
import dev.muster.cli.top.LiveSource;
import dev.muster.cli.top.TopData;
import dev.muster.cli.top.TopLoop;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.monitor.AlertRule;
import dev.muster.monitor.SampleHistory;
import dev.muster.monitor.Sampler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/// Runs the loop of `top` briefly on a simulated terminal while the start-up cache is recorded.
public final class TopRehearsal {
    private static final int LOOKS = 3;

    private TopRehearsal() {}

    /// Runs the loop on a recording that has at least one sample.
    public static void run(Path recording) throws IOException {
        AcceleratorRegistry registry =
                TopFiles.recording(recording.toString()).next().orElseThrow();
        SampleHistory history = SampleHistory.ofLength(LOOKS);
        Sampler sampler = Sampler.start(() -> registry, Duration.ofMillis(10), history, InstantSource.system());
        MadeUpConsole console = new MadeUpConsole();
        try (LiveSource source = LiveSource.of(
                sampler,
                sample -> TopData.of(sample, history, AlertRule.defaults(), null),
                "every 2s",
                console::wake)) {
            new TopLoop(console, source, new Glyphs(false), true, null, () -> "", false).run();
        }
    }

    /// Sorts once, then quits.
    private static final class MadeUpConsole implements Console {
        private int waits;

        @Override
        public Size size() {
            return new Size(40, 120);
        }

        @Override
        public void write(String text) {
            System.out.print(text.length());
        }

        @Override
        public Optional<byte[]> await(Duration limit) {
            waits++;
            String typed = waits < LOOKS ? "s\u001b[40;120R" : "q";
            return Optional.of(typed.getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public void wake() {}

        @Override
        public void suspend() {}

        @Override
        public void close() {}
    }
}

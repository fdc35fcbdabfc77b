// SPDX-License-Identifier: Apache-2.0
package dev.muster.browser;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `./muster serve` over a made-up recording of eight GPUs, started as people start it.
final class ServedRecording implements AutoCloseable {
    static final String HOSTILE_NAME = "<img src=x onerror=document.title='broken'>";

    private static final int SAMPLES = 120;
    private static final Pattern DEVICE = Pattern.compile("(\"id\":\"cuda:(\\d)\",[^}]*?\"available\":true,)");
    private static final Path MUSTER = Path.of("..", "muster").toAbsolutePath().normalize();

    private final Process process;
    private final String address;

    private ServedRecording(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    static ServedRecording start(Path folder) throws IOException {
        String host = run(List.of("detect", "--json", "--synthetic", "h100-sxm:8 nvswitch ib:8x400"));
        List<String> lines = new ArrayList<>();
        for (int sample = 0; sample < SAMPLES; sample++) {
            lines.add(sample(host.strip(), sample));
        }
        Path recording = folder.resolve("recording.jsonl");
        Files.write(recording, lines);
        List<String> words = new ArrayList<>(List.of(MUSTER.toString(), "serve", "--replay", recording.toString()));
        words.addAll(List.of("--listen", "127.0.0.1:0", "--no-token", "--interval", "200ms", "--alert", "load>80%"));
        words.addAll(List.of("--source", "synthetic:40xh100-sxm:8,10xmi300x:8,seed=3,live"));
        Process process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String first = output.readLine();
        if (first == null) {
            throw new IOException("muster serve ended at once with " + process.exitValue());
        }
        return new ServedRecording(process, first.strip());
    }

    /// Sends a signal to the server and to what it started.
    void signal(String name) throws IOException {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        for (ProcessHandle one : all) {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(one.pid())).start();
            try {
                kill.waitFor();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    String address() {
        return address;
    }

    private static String sample(String host, int sample) {
        return DEVICE.matcher(host)
                .replaceAll(match -> {
                    int device = match.group(2).charAt(0) - '0';
                    double load = device == 5 ? 0 : 0.5 + 0.45 * Math.sin(sample / 20.0 + device);
                    String facts = String.format(
                            Locale.ROOT,
                            "\"utilizationRatio\":%.3f,\"memoryUsedBytes\":%d,\"powerWatts\":%.1f,\"temperatureCelsius\":%.0f,"
                                    + "\"clockHertz\":%d,\"fabricSentBytes\":%d,\"eccUncorrected\":%d,",
                            load,
                            (20L + 7 * device) << 30,
                            90 + 560 * load,
                            35 + 45 * load,
                            (long) (6e8 + 1.38e9 * load),
                            1_000_000_000_000L + sample * 30_000_000_000L,
                            device == 3 ? 2 : 0);
                    return Matcher.quoteReplacement(match.group(1) + facts);
                })
                .replaceFirst(
                        "\"deviceName\":\"[^\"]*\"",
                        Matcher.quoteReplacement("\"deviceName\":\"" + HOSTILE_NAME + "\""));
    }

    private static String run(List<String> arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(MUSTER.toString()));
        words.addAll(arguments);
        Process process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}

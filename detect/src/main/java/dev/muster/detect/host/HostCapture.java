// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/// Records what probes read of a host into a bundle that [RecordedHost] opens anywhere. Identifiers are masked unless
/// they are asked for.
///
/// @since 0.1
public final class HostCapture {
    /// The variables that probes look at; nothing else of the environment is recorded.
    private static final List<String> VARIABLES = List.of(
            "CUDA_VISIBLE_DEVICES",
            "CUDA_DEVICE_ORDER",
            "NVIDIA_VISIBLE_DEVICES",
            "NVIDIA_DRIVER_CAPABILITIES",
            "GPU_DEVICE_ORDINAL",
            "HIP_VISIBLE_DEVICES",
            "ROCR_VISIBLE_DEVICES",
            "ZE_AFFINITY_MASK",
            "HABANA_VISIBLE_DEVICES",
            "ASCEND_RT_VISIBLE_DEVICES",
            "NEURON_RT_VISIBLE_CORES",
            "NEURON_RT_NUM_CORES",
            "NCCL_TOPO_FILE",
            "TPU_ACCELERATOR_TYPE",
            "TPU_CHIPS_PER_HOST_BOUNDS",
            "TPU_TOPOLOGY",
            "TPU_WORKER_ID",
            "AWS_REGION",
            "AWS_DEFAULT_REGION",
            "KUBERNETES_SERVICE_HOST",
            "SLURM_JOB_ID",
            "SLURM_JOB_GPUS",
            "SLURM_STEP_GPUS",
            "container");
    private static final int SALT_BYTES = 16;
    private static final Duration FOR_EVER = Duration.ofHours(1);

    private HostCapture() {}

    /// The recorded parts.
    ///
    /// @param files files with content
    /// @param commands runs of tools
    public record Summary(int files, int commands) {}

    /// Records a host while something asks it.
    ///
    /// @param host the host
    /// @param asking asks the host it is given everything that shall be recorded
    /// @param file destination of the bundle; replaced as a whole, readable by its owner only
    /// @param keepIds true to keep identifiers as they are
    /// @throws DetectException if the file cannot be written
    public static Summary write(Host host, Consumer<Host> asking, Path file, boolean keepIds) {
        HostRecorder recorder = new HostRecorder(host);
        asking.accept(recorder.watched());
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        IdentifierMask mask = new IdentifierMask(salt);
        Instant now = host.clock().instant().truncatedTo(ChronoUnit.SECONDS);
        Path target = file.toAbsolutePath();
        try {
            // Created by the system for its owner only.
            Path unfinished = Files.createTempFile(target.getParent(), ".muster-capture", ".tmp");
            try {
                try (TarWriter archive = new TarWriter(gzip(unfinished), now.getEpochSecond())) {
                    new HostCapture.Bundle(archive, (path, text) -> keepIds ? text : mask.mask(path, text))
                            .write(host, recorder, now);
                }
                move(unfinished, target);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            throw new BundleException("cannot write the bundle '" + file + "': " + e.getMessage(), e);
        }
        return new Summary(recorder.contents().size(), recorder.runs().size());
    }

    private static OutputStream gzip(Path file) throws IOException {
        return new BufferedOutputStream(new GZIPOutputStream(Files.newOutputStream(file)));
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException _) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /// Replaces what may not be shown.
    @FunctionalInterface
    private interface Mask {
        String apply(String path, String text);
    }

    /// The entries of one bundle.
    ///
    /// @param archive destination
    /// @param mask mask of every text
    private record Bundle(TarWriter archive, Mask mask) {
        void write(Host host, HostRecorder recorder, Instant now) throws IOException {
            JsonObject description = JsonObject.builder()
                    .put("schema", JsonNumber.of(RecordedHost.SCHEMA))
                    .put("os", new JsonString(host.system().text()))
                    .put("arch", new JsonString(host.architecture()))
                    .put("created", new JsonString(now.toString()))
                    .build();
            add(RecordedHost.DESCRIPTION, description.toIndentedText() + "\n");
            add(RecordedHost.VARIABLES, variables(host).toIndentedText() + "\n");
            commands(recorder.runs());
            tree(recorder);
        }

        private void add(String name, String text) throws IOException {
            archive.addFile(name, text.getBytes(StandardCharsets.UTF_8));
        }

        private JsonObject variables(Host host) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            for (String name : VARIABLES) {
                String value = host.variables().get(name);
                if (value != null) {
                    members.put(name, new JsonString(mask.apply("", value)));
                }
            }
            return new JsonObject(members);
        }

        private void commands(List<HostRecorder.Run> runs) throws IOException {
            List<JsonValue> items = new ArrayList<>();
            for (int i = 0; i < runs.size(); i++) {
                HostRecorder.Run run = runs.get(i);
                String output = "commands/" + i + ".out";
                String error = "commands/" + i + ".err";
                // A bundle has no word for a tool that could not be run; a shell says 126.
                CommandOutcome.Completed told = switch (run.outcome()) {
                    case CommandOutcome.Completed done -> done;
                    case CommandOutcome.NotRun(String reason) -> refused(reason);
                    case CommandOutcome.Failed(String message) -> refused(message);
                    case CommandOutcome.Expired _, CommandOutcome.NotFound _ ->
                        new CommandOutcome.Completed(0, "", "", FOR_EVER, false);
                };
                add(output, mask.apply("", told.output()));
                add(error, mask.apply("", told.error()));
                items.add(JsonObject.builder()
                        .put(
                                "argv",
                                new JsonArray(run.argv().stream()
                                        .<JsonValue>map(JsonString::new)
                                        .toList()))
                        .put("exit", JsonNumber.of(told.exitCode()))
                        .put("stdout", new JsonString(output))
                        .put("stderr", new JsonString(error))
                        .put("millis", JsonNumber.of(told.took().toMillis()))
                        .build());
            }
            add(RecordedHost.COMMANDS, new JsonArray(items).toIndentedText() + "\n");
        }

        private static CommandOutcome.Completed refused(String why) {
            return new CommandOutcome.Completed(126, "", why, Duration.ZERO, false);
        }

        private void tree(HostRecorder recorder) throws IOException {
            for (Map.Entry<String, String> link : recorder.links().entrySet()) {
                archive.addLink(RecordedHost.ROOT + link.getKey(), link.getValue());
            }
            for (Map.Entry<String, String> file : recorder.contents().entrySet()) {
                add(RecordedHost.ROOT + file.getKey(), mask.apply(file.getKey(), file.getValue()));
            }
            List<String> bare = recorder.bare().stream().sorted().toList();
            for (String path : bare) {
                // An entry that was not read may be a file or a folder; a folder answers like both.
                archive.addFolder(RecordedHost.ROOT + path);
            }
        }
    }
}

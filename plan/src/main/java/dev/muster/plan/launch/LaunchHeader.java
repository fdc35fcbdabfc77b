// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.Finding;
import dev.muster.core.Preflight;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.catalogue.DeviceCatalogue;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The line at the top of an emitted file that programs read: a comment with an object of JSON that says what the file
/// starts, and on what. Files of JSON alone have none, as JSON has no comments.
final class LaunchHeader {
    private static final String MARK = "# muster-launch: ";
    /// Lines at the top of a file among which it stands.
    private static final int TOP = 40;

    private static final Set<LaunchFact> OF_ROUTERS =
            EnumSet.of(LaunchFact.PURPOSE, LaunchFact.ROLE, LaunchFact.MODEL, LaunchFact.RELEASE);
    private static final Map<LaunchFact, String> KEYS = new LinkedHashMap<>();

    static {
        KEYS.put(LaunchFact.PURPOSE, "purpose");
        KEYS.put(LaunchFact.ROLE, "role");
        KEYS.put(LaunchFact.MODEL, "model");
        KEYS.put(LaunchFact.RELEASE, "release");
        KEYS.put(LaunchFact.DEVICE, "device");
        KEYS.put(LaunchFact.DEVICE_ID, "deviceId");
        KEYS.put(LaunchFact.NEEDED_BYTES, "requiredBytes");
        KEYS.put(LaunchFact.HOSTS_TOGETHER, "hosts");
        KEYS.put(LaunchFact.DEVICES_TOGETHER, "devices");
        KEYS.put(LaunchFact.GROUPS, "starts");
        KEYS.put(LaunchFact.REPLICAS, "replicas");
        KEYS.put(LaunchFact.TENSOR, "tensorParallel");
        KEYS.put(LaunchFact.STAGES, "pipelineParallel");
        KEYS.put(LaunchFact.CONTEXT_PARALLEL, "contextParallel");
        KEYS.put(LaunchFact.EXPERT, "expertParallel");
        KEYS.put(LaunchFact.ATTENTION_REPLICAS, "attentionDataParallel");
        KEYS.put(LaunchFact.CONTEXT, "context");
        KEYS.put(LaunchFact.SEQUENCES, "concurrency");
        KEYS.put(LaunchFact.FORMAT, "format");
        KEYS.put(LaunchFact.CHECKPOINT, "checkpoint");
        KEYS.put(LaunchFact.KV_DTYPE, "kvCacheBits");
        KEYS.put(LaunchFact.DRAFT_TOKENS, "draftTokens");
        KEYS.put(LaunchFact.METHOD, "method");
        KEYS.put(LaunchFact.PRECISION, "precision");
        KEYS.put(LaunchFact.ZERO_STAGE, "zeroStage");
        KEYS.put(LaunchFact.RECOMPUTE, "recompute");
        KEYS.put(LaunchFact.SEQUENCE, "sequence");
        KEYS.put(LaunchFact.MICRO_BATCH, "microBatch");
        KEYS.put(LaunchFact.GLOBAL_BATCH, "globalBatch");
    }

    private LaunchHeader() {}

    /// Returns the line. What a plan does not know is left out.
    static String of(LaunchTemplate engine, LaunchFacts facts) {
        JsonObject.ObjectBuilder header = JsonObject.builder()
                .put("schema", 1)
                .put("engine", engine.target().label());
        boolean isRouter = facts.find(LaunchFact.ROLE).equals(Optional.of(Disaggregation.ROUTER));
        KEYS.forEach((fact, key) -> {
            // A router needs no device.
            if (!isRouter || OF_ROUTERS.contains(fact)) {
                facts.find(fact)
                        .filter(value -> fact != LaunchFact.ROLE || !value.equals("both"))
                        .ifPresent(value -> header.put(key, typed(value)));
            }
        });
        return MARK + header.build().toText();
    }

    private static JsonValue typed(String value) {
        return value.matches("\\d{1,18}") ? new JsonNumber(value) : new JsonString(value);
    }

    /// Returns the object in a file's line, if it has one.
    static Optional<JsonObject> find(String file) {
        return file.lines()
                .limit(TOP)
                .filter(line -> line.startsWith(MARK))
                .findFirst()
                .flatMap(line -> parse(line.substring(MARK.length())));
    }

    private static Optional<JsonObject> parse(String text) {
        try {
            return JsonValue.parse(text) instanceof JsonObject header ? Optional.of(header) : Optional.empty();
        } catch (DocumentException _) {
            return Optional.empty();
        }
    }

    /// Compares the line of a file with a host: the devices it needs there, their memory and their kind.
    static List<Finding> examine(JsonObject header, AcceleratorRegistry registry) {
        long hosts = Math.max(1, number(header, "hosts"));
        long each = number(header, "devices") / hosts;
        List<Finding> findings = new ArrayList<>(new Preflight(
                        AcceleratorRequirement.ANY_ACCELERATOR,
                        (int) Math.min(Integer.MAX_VALUE, each),
                        Bytes.of(number(header, "requiredBytes")),
                        Bytes.ZERO,
                        Bytes.ZERO,
                        Set.of())
                .examine(registry));
        findText(header, "deviceId").ifPresent(planned -> findings.add(kind(planned, header, registry)));
        return findings;
    }

    /// Compares the kinds of devices, of which a processor is none.
    private static Finding kind(String planned, JsonObject header, AcceleratorRegistry registry) {
        DeviceCatalogue catalogue = DeviceCatalogue.builtIn();
        String name = findText(header, "device").orElse(planned);
        List<AcceleratorProfile> others = registry.available().stream()
                .filter(AcceleratorRequirement.ANY_ACCELERATOR::isSatisfiedBy)
                .filter(device -> catalogue
                        .match(device)
                        .filter(entry -> !entry.id().equals(planned))
                        .isPresent())
                .toList();
        String found =
                others.stream().map(AcceleratorProfile::display).distinct().collect(Collectors.joining(", "));
        return others.isEmpty()
                ? Finding.pass("device", "planned for " + name)
                : Finding.fail("device", "planned for " + name + ", and here is " + found, "");
    }

    private static Optional<String> findText(JsonObject header, String key) {
        return header.find(key).filter(value -> value instanceof JsonString).map(value -> ((JsonString) value).value());
    }

    private static long number(JsonObject header, String key) {
        return header.find(key)
                .map(JsonValue::toText)
                .filter(text -> text.matches("\\d{1,18}"))
                .map(Long::parseLong)
                .orElse(0L);
    }
}

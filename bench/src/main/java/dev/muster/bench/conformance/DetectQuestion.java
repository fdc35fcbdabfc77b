// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.conformance;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.ReferenceDocument;
import dev.muster.core.json.RegistryDocument;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The devices of a whole recorded machine: kinds, counts and memory, as sets. A difference is right if a
/// rule of [Deviation] asks for it.
///
/// ai-hwaccel's JSON lists the devices; its table and summary of the same machine are judged by that list.
final class DetectQuestion implements Question {
    private static final int NO_SUCH_CALL = 3;
    private static final long MILLIS = 1000;

    private final Map<String, List<SeenDevice>> expectedOf = new HashMap<>();
    private final Map<String, Integer> deviations = new TreeMap<>();
    private List<String> differences = List.of();

    /// The number of differences by defect.
    Map<String, Integer> deviations() {
        return Map.copyOf(deviations);
    }

    @Override
    public JsonValue answer(JsonValue input) {
        AcceleratorRegistry registry = DetectBuilder.all()
                .build(host(input), System.getLogger("conformance"))
                .detect();
        return Json.object(
                "name", input.requireText("name"),
                "args", input.require("args"),
                "registry", JsonValue.parse(RegistryDocument.write(registry)));
    }

    private static Host host(JsonValue input) {
        HostBuilder host = new HostBuilder();
        members(input, "files").forEach((path, text) -> host.file(path, Json.text(text)));
        members(input, "symlinks").forEach((path, target) -> host.link(path, Json.text(target)));
        members(input, "env").forEach((name, value) -> host.variable(name, Json.text(value)));
        input.find("dirs").ifPresent(dirs -> Json.items(dirs).forEach(path -> host.folder(Json.text(path))));
        members(input, "tools").forEach((name, calls) -> {
            Json.items(calls).forEach(call -> tool(host, name, call));
            host.tool(name, List.of("*"), NO_SUCH_CALL, "", "", Duration.ZERO);
        });
        return host.build();
    }

    private static void tool(HostBuilder host, String name, JsonValue call) {
        List<String> arguments = new ArrayList<>();
        call.find("args").ifPresent(args -> Json.items(args).forEach(word -> arguments.add(Json.text(word))));
        long millis = call.find("sleep")
                .map(seconds -> Math.round(((JsonValue.JsonNumber) seconds).toDouble() * MILLIS))
                .orElse(0L);
        host.tool(
                name,
                arguments,
                call.find("exit_code").map(code -> (int) Json.number(code)).orElse(0),
                call.find("stdout").map(Json::text).orElse(""),
                call.find("stderr").map(Json::text).orElse(""),
                Duration.ofMillis(millis));
    }

    private static Map<String, JsonValue> members(JsonValue input, String name) {
        return input.find(name).map(value -> ((JsonObject) value).members()).orElse(Map.of());
    }

    @Override
    public boolean isRight(JsonValue expected, JsonValue actual) {
        String name = actual.requireText("name");
        List<String> arguments =
                actual.requireItems("args").stream().map(Json::text).toList();
        if (arguments.contains("--version") || arguments.contains("-V") || arguments.contains("--cost")) {
            return true; // not about devices
        }
        String output = expected.requireText("stdout");
        if (output.startsWith("{") && !arguments.contains("--summary") && !arguments.contains("-s")) {
            expectedOf.put(name, seen(ReferenceDocument.read(output)));
        }
        List<SeenDevice> theirs = expectedOf.get(name);
        if (theirs == null) {
            throw new IllegalArgumentException("the machine '" + name + "' has no JSON to judge by");
        }
        byte[] registry = Json.document(actual, "registry").getBytes(StandardCharsets.UTF_8);
        differences = compare(theirs, seen(RegistryDocument.read(registry)));
        return differences.isEmpty();
    }

    private static List<SeenDevice> seen(AcceleratorRegistry registry) {
        return registry.profiles().stream()
                .filter(profile -> profile.partition().isEmpty())
                .filter(AcceleratorProfile::available)
                .map(SeenDevice::new)
                .toList();
    }

    private List<String> compare(List<SeenDevice> theirs, List<SeenDevice> ours) {
        List<SeenDevice> left = new ArrayList<>(ours);
        List<SeenDevice> unmatched = new ArrayList<>();
        for (SeenDevice device : theirs) {
            Optional<SeenDevice> same = left.stream().filter(device::agreesWith).findFirst();
            same.ifPresentOrElse(left::remove, () -> unmatched.add(device));
        }
        List<String> found = new ArrayList<>();
        for (SeenDevice device : unmatched) {
            Optional<SeenDevice> pair = left.stream()
                    .filter(candidate -> !Deviation.ofPair(device, candidate).isEmpty())
                    .findFirst();
            if (pair.isPresent()) {
                left.remove(pair.get());
                count(Deviation.ofPair(device, pair.get()));
            } else {
                judge(Deviation.ofTheirsAlone(device, ours), "missing: " + device, found);
            }
        }
        for (SeenDevice device : left) {
            judge(Deviation.ofOursAlone(device, theirs), "not expected: " + device, found);
        }
        return found;
    }

    private void judge(String defect, String difference, List<String> found) {
        if (defect.isEmpty()) {
            found.add(difference);
        } else {
            count(defect);
        }
    }

    private void count(String defect) {
        deviations.merge(defect, 1, Integer::sum);
    }

    @Override
    public String explain(JsonValue input, JsonValue expected, JsonValue actual) {
        return input.requireText("name") + ": " + String.join("; ", differences);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.json.RegistryDocument;
import dev.muster.model.PlanException;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.plan.Planner;
import dev.muster.plan.ask.QuestionException;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.report.AnswerReport;
import dev.muster.report.host.Totals;
import dev.muster.report.plan.ModelDocument;
import dev.muster.report.terminal.Terminal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/// The tools of [McpServer]: the machine, the models of the catalogue, and the questions about models by the table of
/// parameters.
final class McpTools implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int MOST_MODELS = 50;
    private static final Terminal PLAIN = new Terminal(false, false, false, 120);
    private static final String DETECT = "detect";
    private static final String MODELS = "models";
    private static final String NAME = "name";
    private static final String MACHINE = "machine";
    private static final String PROPERTIES = "properties";
    /// Questions about a model. The rules of ai-hwaccel and fleets are left to the other interfaces.
    private static final List<QuestionKind> KINDS = List.of(
            QuestionKind.PLAN,
            QuestionKind.SIMULATE,
            QuestionKind.TRAIN,
            QuestionKind.FIT,
            QuestionKind.COST,
            QuestionKind.COMPARE);

    private final Supplier<AcceleratorRegistry> registry;
    private final Function<AcceleratorRegistry, Planner> planner;
    private final String version;
    private final QuestionWork work = new QuestionWork(LIMIT);

    McpTools(Supplier<AcceleratorRegistry> registry, Function<AcceleratorRegistry, Planner> planner, String version) {
        this.registry = registry;
        this.planner = planner;
        this.version = version;
    }

    /// Returns the result of `tools/list`.
    JsonObject list() {
        List<JsonValue> tools = new ArrayList<>();
        tools.add(tool(
                DETECT,
                "List the AI accelerators of this machine, with memory, driver, load and topology.",
                object(JsonObject.builder().put(MACHINE, machine()).build())));
        tools.add(tool(
                MODELS,
                "List models of the catalogue whose name contains a text, at most " + MOST_MODELS + ".",
                object(JsonObject.builder()
                        .put(NAME, text("part of a name, such as qwen3"))
                        .build())));
        for (QuestionKind kind : KINDS) {
            tools.add(tool(kind.label(), description(kind), schema(kind)));
        }
        return JsonObject.builder().put("tools", tools).build();
    }

    /// Returns the result of `tools/call`; empty if the tool is unknown.
    Optional<JsonObject> call(String name, JsonObject arguments) {
        try {
            return switch (name) {
                case DETECT -> Optional.of(detect(arguments));
                case MODELS -> Optional.of(models(arguments));
                default ->
                    KINDS.stream()
                            .filter(kind -> kind.label().equals(name))
                            .findFirst()
                            .map(kind -> ask(kind, arguments));
            };
        } catch (Refusal | QuestionException | PlanException e) {
            return Optional.of(refused(String.valueOf(e.getMessage())));
        }
    }

    private JsonObject detect(JsonObject arguments) {
        AcceleratorRegistry machine = find(arguments);
        StringBuilder text = new StringBuilder();
        machine.profiles()
                .forEach(device -> text.append(device.id().text())
                        .append("  ")
                        .append(device.deviceName().find().orElse("unnamed"))
                        .append('\n'));
        return answered(
                text + new Totals(machine, version).text(PLAIN),
                JsonValue.parse(RegistryDocument.write(machine).getBytes(StandardCharsets.UTF_8)));
    }

    private static JsonObject models(JsonObject arguments) {
        String part = text(arguments, NAME).toLowerCase(Locale.ROOT);
        List<ModelEntry> found = ModelCatalogue.builtIn().entries().stream()
                .filter(entry -> entry.id().contains(part)
                        || entry.repository().toLowerCase(Locale.ROOT).contains(part))
                .limit(MOST_MODELS)
                .toList();
        if (found.isEmpty()) {
            return refused("no model of the catalogue has '" + part + "' in its name");
        }
        return answered(
                String.join("\n", found.stream().map(ModelEntry::id).toList()) + "\n",
                ModelDocument.models(found, List.of()));
    }

    private JsonObject ask(QuestionKind kind, JsonObject arguments) {
        JsonObject.ObjectBuilder body = JsonObject.builder();
        arguments.members().forEach((key, value) -> {
            if (!key.equals(MACHINE)) {
                body.put(key, value);
            }
        });
        AskedQuestion question = AskedQuestion.read(kind, body.build().toText());
        try {
            return work.answer(question.isHeavy(), () -> {
                        AnswerReport report = question.answer(planner.apply(find(arguments)), Optional.empty());
                        return answered(
                                report.words().text(PLAIN),
                                withoutPicture(report).document());
                    })
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException why) {
                throw why;
            }
            throw e;
        }
    }

    /// Language models are not shown drawings as text.
    private static AnswerReport withoutPicture(AnswerReport report) {
        return new AnswerReport(report.words(), Optional.empty(), report.launch(), report.isFeasible());
    }

    /// Returns the machine that a call is about.
    private AcceleratorRegistry find(JsonObject arguments) {
        String machine = text(arguments, MACHINE);
        try {
            return machine.isEmpty() ? registry.get() : WhatIf.synthetic(machine, DeviceCatalogue.builtIn());
        } catch (PlanException e) {
            throw Refusal.badRequest("'" + MACHINE + "': " + e.getMessage());
        }
    }

    private static JsonObject answered(String text, JsonValue document) {
        return JsonObject.builder()
                .put("content", content(text))
                .put("structuredContent", document)
                .build();
    }

    private static JsonObject refused(String sentence) {
        return JsonObject.builder()
                .put("content", content(sentence))
                .put("isError", true)
                .build();
    }

    private static JsonArray content(String text) {
        return new JsonArray(List.of(
                JsonObject.builder().put("type", "text").put("text", text).build()));
    }

    private static String text(JsonObject arguments, String key) {
        return arguments.find(key).orElse(new JsonNull()) instanceof JsonString(String text) ? text.strip() : "";
    }

    private static JsonObject tool(String name, String description, JsonObject schema) {
        return JsonObject.builder()
                .put("name", name)
                .put("description", description)
                .put("inputSchema", schema)
                .put(
                        "annotations",
                        JsonObject.builder()
                                .put("readOnlyHint", true)
                                .put("openWorldHint", false)
                                .build())
                .build();
    }

    private static String description(QuestionKind kind) {
        return switch (kind) {
            case PLAN ->
                "Find the best way to serve a model: engine, parallelism, memory, speed, cost; with users or a rate, the"
                        + " smallest deployment that keeps the targets. With 'emit', the files that start it.";
            case SIMULATE -> "Predict latency and throughput of a model under a load.";
            case TRAIN -> "Find the best way to train a model. With 'emit', the files that start it.";
            case FIT ->
                "List the weight formats, contexts and numbers of sequences that fit; without a model, the models.";
            case COST -> "Find the cheapest machines to rent that serve a model, also under a load with targets.";
            case COMPARE -> "Compare a model on two machines.";
            case FLEET_PLAN, QUANTIZE, PLAN_RULES, TRAIN_RULES -> throw new IllegalArgumentException(kind.label());
        };
    }

    private static JsonObject schema(QuestionKind kind) {
        JsonObject own = AskedQuestion.schema(kind);
        if (kind == QuestionKind.COMPARE || kind == QuestionKind.COST) {
            return own; // these name machines of their own
        }
        JsonObject.ObjectBuilder properties = JsonObject.builder();
        if (own.require(PROPERTIES) instanceof JsonObject described) {
            described.members().forEach(properties::put);
        }
        JsonObject.ObjectBuilder schema = JsonObject.builder();
        own.members().forEach(schema::put);
        return schema.put(PROPERTIES, properties.put(MACHINE, machine()).build())
                .build();
    }

    private static JsonObject object(JsonObject properties) {
        return JsonObject.builder()
                .put("type", "object")
                .put("additionalProperties", false)
                .put(PROPERTIES, properties)
                .build();
    }

    private static JsonObject machine() {
        return text("hypothetical machine, such as h100-sxm:8 or 2x[mi300x:8] (default: this machine)");
    }

    private static JsonObject text(String description) {
        return JsonObject.builder()
                .put("type", "string")
                .put("description", description)
                .build();
    }

    @Override
    public void close() {
        work.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.ask.Parameter;
import dev.muster.plan.ask.QuestionKind;
import java.util.List;

/// The OpenAPI description: `page/openapi.json`, and the questions about models from the table of parameters.
final class ApiDescription {
    private ApiDescription() {}

    static JsonValue of(byte[] fixed) {
        JsonValue document = JsonValue.parse(fixed);
        JsonObject.ObjectBuilder all = JsonObject.builder();
        ((JsonObject) document).members().forEach((name, value) -> {
            if (!name.equals("paths")) {
                all.put(name, value);
            }
        });
        JsonObject.ObjectBuilder paths = JsonObject.builder();
        ((JsonObject) document.require("paths")).members().forEach(paths::put);
        for (QuestionKind kind : PlanEndpoints.KINDS) {
            paths.put(
                    "/api/v1/" + kind.label(),
                    JsonObject.builder().put("post", operation(kind)).build());
        }
        return all.put("paths", paths.build()).build();
    }

    private static JsonObject operation(QuestionKind kind) {
        return JsonObject.builder()
                .put("operationId", kind.label())
                .put("summary", summary(kind))
                .put(
                        "requestBody",
                        JsonObject.builder()
                                .put("required", true)
                                .put(
                                        "content",
                                        JsonObject.builder()
                                                .put(
                                                        "application/json",
                                                        JsonObject.builder()
                                                                .put("schema", body(kind))
                                                                .build())
                                                .build())
                                .build())
                .put(
                        "responses",
                        JsonObject.builder()
                                .put("200", described("The document that 'muster " + kind.label() + " --json' prints"))
                                .put("400", error())
                                .put("422", error())
                                .put("503", error())
                                .build())
                .build();
    }

    private static String summary(QuestionKind kind) {
        return switch (kind) {
            case PLAN -> "The best way to serve a model on the devices seen last; with a load, the best deployment";
            case SIMULATE -> "Latency and throughput of a model under a load";
            case TRAIN -> "The best way to train a model on the devices seen last";
            case FIT -> "The context and the sequences of a model that fit, by weight format";
            case COST -> "The cheapest rented machines that hold a model";
            case COMPARE -> "A model on two machines";
            case FLEET_PLAN -> "A model on the free hosts of a fleet";
        };
    }

    private static JsonObject body(QuestionKind kind) {
        JsonObject.ObjectBuilder properties = JsonObject.builder();
        properties.put(
                PlanQuestion.MODEL,
                JsonObject.builder()
                        .put("type", "string")
                        .put("description", "a size, such as 70B, or a name that /api/v1/models lists")
                        .build());
        boolean isCompared = kind == QuestionKind.COMPARE;
        if (isCompared) {
            properties.put(
                    PlanQuestion.MACHINES,
                    JsonObject.builder()
                            .put("type", "array")
                            .put(
                                    "items",
                                    JsonObject.builder().put("type", "string").build())
                            .put("minItems", 2L)
                            .put("maxItems", 2L)
                            .put("description", "two machines: here, or hypothetical ones, such as h100-sxm:8")
                            .build());
        }
        for (Parameter<?> parameter : kind.parameters()) {
            properties.put(parameter.key(), parameter.schema());
        }
        return JsonObject.builder()
                .put("type", "object")
                .put(
                        "required",
                        isCompared ? List.of(PlanQuestion.MODEL, PlanQuestion.MACHINES) : List.of(PlanQuestion.MODEL),
                        JsonString::new)
                .put("additionalProperties", false)
                .put("properties", properties.build())
                .build();
    }

    private static JsonObject described(String text) {
        return JsonObject.builder().put("description", text).build();
    }

    private static JsonObject error() {
        return JsonObject.builder().put("$ref", "#/components/responses/Error").build();
    }
}

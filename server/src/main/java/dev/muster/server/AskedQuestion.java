// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.plan.FleetQuestion;
import dev.muster.model.ModelSize;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelName;
import dev.muster.plan.Planner;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.ask.Parameter;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionException;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.report.AnswerReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// A question of a client: the model and the values of parameters. Immutable.
///
/// @param kind the kind of question
/// @param models the model, or several; empty where the question is about all models of the catalogue
/// @param values the values of parameters
record AskedQuestion(QuestionKind kind, List<ModelSummary> models, ParameterValues values) {
    static final String MODEL = "model";
    /// The most that a client may ask for. The command line and library users are limited by their patience alone.
    static final Map<Parameter<Integer>, Integer> MOST = Map.of(
            Parameters.HOSTS, 4096,
            Parameters.FLEET_HOSTS, 4096,
            Parameters.USERS, 10_000,
            Parameters.BURST, 10_000,
            Parameters.REQUESTS, 100_000);

    /// More hosts than this make a question heavy.
    private static final int FEW_HOSTS = 16;

    /// Reads a body.
    ///
    /// @throws Refusal if it is not a question of the kind
    static AskedQuestion read(QuestionKind kind, String body) {
        try {
            if (!(JsonValue.parse(body) instanceof JsonObject object)) {
                throw Refusal.badRequest("the body must be a JSON object, such as {\"model\": \"llama-3.1-8b\"}");
            }
            ParameterValues values = ParameterValues.read(kind.parameters(), object, List.of(MODEL));
            MOST.forEach((parameter, most) -> checkMost(values, parameter, most));
            List<ModelSummary> models = new ArrayList<>();
            if (kind != QuestionKind.FIT || object.find(MODEL).isPresent()) {
                models.add(model(object.requireText(MODEL)));
            }
            values.find(Parameters.OTHER_MODELS).ifPresent(names -> names.forEach(name -> models.add(model(name))));
            return new AskedQuestion(kind, List.copyOf(models), values);
        } catch (QuestionException | DocumentException e) {
            throw Refusal.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static void checkMost(ParameterValues values, Parameter<Integer> parameter, int most) {
        if (values.find(parameter).filter(value -> value > most).isPresent()) {
            throw Refusal.badRequest(
                    "'" + parameter.key() + "' is at most " + most + " here; the command line takes more");
        }
    }

    /// Never a file: the server opens none for a client.
    private static ModelSummary model(String text) {
        if (ModelSize.isMeant(text)) {
            try {
                return ModelSummary.ofSize(text, ModelSize.parse(text));
            } catch (IllegalArgumentException e) {
                throw Refusal.badRequest(String.valueOf(e.getMessage()));
            }
        }
        return ModelName.resolve(text, ModelCatalogue.builtIn())
                .map(ModelName::toSummary)
                .or(() -> ModelName.resolveFineTune(text, ModelCatalogue.builtIn()))
                .orElseThrow(() -> Refusal.of(
                        422, "no-model", "'model' is neither a size, such as 70B, nor the name of a known model"));
    }

    /// Reports whether the answer may take long: loads are simulated, and layouts over many hosts are many.
    boolean isHeavy() {
        return kind == QuestionKind.SIMULATE
                || kind == QuestionKind.FLEET_PLAN
                || values.hasAny(List.of(Parameters.USERS, Parameters.RATE, Parameters.BURST, Parameters.TRACE))
                || values.find(Parameters.HOSTS)
                        .filter(hosts -> hosts > FEW_HOSTS)
                        .isPresent();
    }

    /// Returns the JSON Schema of a question.
    static JsonObject schema(QuestionKind kind) {
        JsonObject.ObjectBuilder properties = JsonObject.builder()
                .put(
                        MODEL,
                        JsonObject.builder()
                                .put("type", "string")
                                .put("description", "a size, such as 70B, or a name of the catalogue of models")
                                .build());
        for (Parameter<?> parameter : kind.parameters()) {
            properties.put(parameter.key(), schema(parameter));
        }
        List<String> required = new ArrayList<>();
        if (kind != QuestionKind.FIT) {
            required.add(MODEL);
        }
        if (kind == QuestionKind.COMPARE) {
            required.add(Parameters.MACHINES.key());
        }
        return JsonObject.builder()
                .put("type", "object")
                .put("required", required, JsonString::new)
                .put("additionalProperties", false)
                .put("properties", properties.build())
                .build();
    }

    /// The schema of a parameter, with the limit of the server where it has one.
    private static JsonObject schema(Parameter<?> parameter) {
        JsonObject.ObjectBuilder schema = JsonObject.builder();
        parameter.schema().members().forEach(schema::put);
        MOST.forEach((limited, most) -> {
            if (limited == parameter) {
                schema.put("maximum", (long) most);
            }
        });
        return schema.build();
    }

    /// Returns the report of the answer.
    ///
    /// @param planner planner of this host
    /// @param fleet the fleet; empty without a source
    /// @throws QuestionException if the question cannot be asked
    /// @throws Refusal if nothing can be said
    AnswerReport answer(Planner planner, Optional<Supplier<Fleet>> fleet) {
        if (kind == QuestionKind.FLEET_PLAN) {
            Fleet newest = fleet.orElseThrow(() ->
                            Refusal.of(422, "no-fleet", "this server has no source of a fleet; start it with --source"))
                    .get();
            return AnswerReport.of(FleetQuestion.of(models, values).ask(newest, planner::elsewhere));
        }
        Answer answer = question().ask(planner);
        String reason = AnswerReport.reason(answer, Naming.KEYS);
        if (!reason.isEmpty()) {
            throw Refusal.of(422, "cannot-plan", reason);
        }
        return AnswerReport.of(answer, planner, false);
    }

    private Question question() {
        if (models.isEmpty()) {
            return Question.recommend(ModelCatalogue.builtIn().entries(), values);
        }
        return Question.of(kind, models.getFirst(), values);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.model.ModelSize;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelName;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Question;
import dev.muster.plan.ask.QuestionException;
import dev.muster.plan.ask.QuestionKind;
import java.util.List;

/// The body of a request that asks the planner: the model and the values of parameters. Immutable.
///
/// @param body the body
/// @param question the question
record PlanQuestion(JsonObject body, Question question) {
    static final String MODEL = "model";
    static final String MACHINES = "machines";

    static PlanQuestion read(QuestionKind kind, String body) {
        try {
            if (!(JsonValue.parse(body) instanceof JsonObject object)) {
                throw Refusal.badRequest("the body must be a JSON object, such as {\"model\": \"llama-3.1-8b\"}");
            }
            List<String> others = kind == QuestionKind.COMPARE ? List.of(MODEL, MACHINES) : List.of(MODEL);
            ParameterValues values = ParameterValues.read(kind.parameters(), object, others);
            return new PlanQuestion(object, question(kind, model(object.requireText(MODEL)), values));
        } catch (QuestionException | DocumentException e) {
            throw Refusal.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static Question question(QuestionKind kind, ModelSummary model, ParameterValues values) {
        return switch (kind) {
            case PLAN -> Question.plan(model, values);
            case SIMULATE -> Question.simulate(model, values);
            case TRAIN -> Question.train(model, values);
            case FIT -> Question.fit(model, values);
            case COST -> Question.cost(model, values);
            case COMPARE -> Question.compare(model, values);
            case FLEET_PLAN -> Question.serve(model, values);
        };
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
                .orElseThrow(() -> Refusal.of(
                        422,
                        "no-model",
                        "'model' is neither a size, such as 70B, nor a name that /api/v1/models lists"))
                .toSummary();
    }
}

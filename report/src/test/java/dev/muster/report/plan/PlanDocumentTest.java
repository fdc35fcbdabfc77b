// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import static dev.muster.testing.plan.PlanHosts.busyAndUnwell;
import static dev.muster.testing.plan.PlanHosts.hosts;
import static dev.muster.testing.plan.PlanHosts.model;
import static dev.muster.testing.plan.PlanHosts.withUuids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.SavedPlan;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.catalogue.OfferChoice;
import dev.muster.plan.catalogue.OfferRequest;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.training.TrainingLimits;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Round trips of plans through their documents.
class PlanDocumentTest {
    private static final ServingRequest REQUEST = ServingRequest.of(model("llama-3.1-70b"))
            .withFormat(StandardFormat.FP8)
            .withConcurrency(16)
            .withGoal(ServingGoal.THROUGHPUT);

    private static <P> P best(PlanAnswer<P> answer) {
        assertThat(answer.isFeasible()).isTrue();
        return answer.findFirst().orElseThrow();
    }

    private static JsonValue written(JsonValue document) {
        return JsonValue.parse(document.toText());
    }

    private static JsonValue at(JsonValue value, String... path) {
        JsonValue found = value;
        for (String name : path) {
            found = found.find(name).orElseThrow(() -> new AssertionError("no " + name + " in " + value.toText()));
        }
        return found;
    }

    private static double number(JsonValue value, String... path) {
        return at(value, path) instanceof JsonNumber number ? number.toDouble() : Double.NaN;
    }

    private static String text(JsonValue value, String... path) {
        return at(value, path) instanceof JsonString(String text) ? text : "";
    }

    private static List<JsonValue> list(JsonValue value, String... path) {
        return at(value, path) instanceof JsonArray(List<JsonValue> items) ? items : List.of();
    }

    private static List<String> texts(List<JsonValue> objects, String name) {
        return objects.stream().map(object -> text(object, name)).toList();
    }

    @Test
    void aServingPlanSaysWhatItMeans() {
        ServingOutcome outcome = Planner.of(withUuids(hosts("h100-sxm:4"))).serve(REQUEST);
        ServingPlan plan = best(outcome.answer());
        JsonValue document = written(ServingDocument.of(outcome, false, Optional.empty()));
        assertThat(text(document, "kind")).isEqualTo("serving-plan");
        assertThat(text(document, "model")).isEqualTo("llama-3.1-70b");
        assertThat(text(document, "format")).isEqualTo("fp8");
        assertThat(number(document, "concurrency")).isEqualTo(16);
        assertThat(text(document, "goal")).isEqualTo("throughput");
        assertThat(number(document, "plan", "tensorParallel"))
                .isEqualTo(plan.layout().tp());
        assertThat(number(document, "plan", "replicas")).isEqualTo(plan.replicas());
        assertThat(number(document, "plan", "kvCacheBytes"))
                .isCloseTo(plan.memory().kvCache(), within(1.0));
        assertThat(number(document, "plan", "timeToFirstTokenSeconds", "p50"))
                .isEqualTo(plan.timeToFirstToken().p50());
        assertThat(number(document, "plan", "timePerOutputTokenSeconds", "p90"))
                .isEqualTo(plan.timePerOutputToken().p90());
        assertThat(texts(list(document, "plan", "deviceIds"), "id"))
                .startsWith("cuda:0")
                .hasSize(plan.devices());
        assertThat(texts(list(document, "plan", "deviceIds"), "uuid")).startsWith("GPU-0");
        assertThat(list(document, "considered")).hasSameSizeAs(outcome.answer().considered());
    }

    @Test
    void notesAreInTheDocument() {
        JsonValue document =
                written(ServingDocument.of(Planner.of(busyAndUnwell()).serve(REQUEST), false, Optional.empty()));
        assertThat(texts(list(document, "notes"), "kind")).contains("left-out");
        assertThat(texts(list(document, "notes"), "sentence"))
                .anyMatch(sentence -> sentence.startsWith("cuda:7 has 3 uncorrected memory errors"));
    }

    @Test
    void theFrontAndTheArithmeticAreThereWhereTheyAreAskedFor() {
        Planner planner = Planner.of(hosts("h100-sxm:4"));
        ServingOutcome outcome = planner.serve(REQUEST, ServingChoices.USUAL.withEveryReplicaCount(true));
        JsonValue document =
                written(ServingDocument.of(outcome, true, Optional.of(Planner.explain(best(outcome.answer())))));
        assertThat(list(document, "pareto")).isNotEmpty();
        assertThat(at(document, "explanation").find("memory")).isPresent();
    }

    @Test
    void aSavedServingPlanIsReadAgain() {
        ServingOutcome outcome = Planner.of(hosts("h100-sxm:4")).serve(REQUEST);
        JsonValue document = ServingDocument.of(outcome, false, Optional.empty());
        SavedPlan saved = SavedPlan.parse(document.toText());
        assertThat(saved.kind()).isEqualTo("serving-plan");
        assertThat(saved.model()).isEqualTo("llama-3.1-70b");
        assertThat(saved.plan()).isEqualTo(at(written(document), "plan"));
        assertThat(number(saved.plan(), "tokensPerSecond", "p50"))
                .isEqualTo(best(outcome.answer()).tokensPerSecond().p50());
    }

    @Test
    void aSplitOverUnlikeCardsIsADocumentOfItsOwnKind() {
        ServingOutcome outcome = Planner.of(hosts("[rtx-3060-12:1 rtx-4090:1]"))
                .serve(ServingRequest.of(model("qwen3-32b")).withFormat(WeightFormat.parse("q6_k")));
        JsonValue document = written(ServingDocument.of(outcome, false, Optional.empty()));
        assertThat(SavedPlan.parse(document.toText()).kind()).isEqualTo("split-plan");
        List<JsonValue> placements = list(document, "plan", "placements");
        assertThat(texts(placements, "deviceId")).containsExactlyInAnyOrder("cuda:0", "cuda:1");
        assertThat(placements.stream()
                        .mapToDouble(placement -> number(placement, "layers"))
                        .sum())
                .isEqualTo(64);
    }

    @Test
    void aTrainingPlanIsWrittenAndReadAgain() {
        TrainingRequest request = TrainingRequest.of(model("llama-3.1-8b"), TrainingMethod.parse("full"))
                .withLimits(new TrainingLimits(1e9, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY));
        Planner planner = Planner.of(withUuids(hosts("h100-sxm:8")));
        PlanAnswer<TrainingPlan> answer = planner.train(request);
        TrainingPlan plan = best(answer);
        JsonValue document = written(TrainingDocument.of(request, answer, Optional.of(Planner.explain(plan))));
        SavedPlan saved = SavedPlan.parse(document.toText());
        assertThat(saved.kind()).isEqualTo("training-plan");
        assertThat(saved.plan()).isEqualTo(at(document, "plan"));
        assertThat(text(document, "precision")).isEqualTo("bf16");
        assertThat(number(saved.plan(), "microBatch")).isEqualTo(plan.run().microBatch());
        assertThat(number(saved.plan(), "gradientAccumulation"))
                .isEqualTo(plan.run().microBatches());
        assertThat(number(saved.plan(), "mfuRatio")).isEqualTo(plan.utilization());
        assertThat(number(saved.plan(), "stepSeconds", "p50"))
                .isEqualTo(plan.stepSeconds().p50());
        assertThat(texts(list(saved.plan(), "deviceIds"), "uuid")).hasSize(8).startsWith("GPU-0");
        assertThat(number(saved.plan(), "training", "seconds", "p50")).isPositive();
        assertThat(at(document, "explanation").find("step")).isPresent();
    }

    @Test
    void whatDoesNotFitIsADocumentWithoutAPlan() {
        ServingOutcome outcome = Planner.of(hosts("l40s:1")).serve(REQUEST);
        JsonValue document = written(ServingDocument.of(outcome, false, Optional.empty()));
        assertThat(document.find("plan")).isEmpty();
        assertThat(list(document, "nearest")).isNotEmpty();
        assertThatThrownBy(() -> SavedPlan.parse(document.toText()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("holds no plan, because the model did not fit");
        TrainingRequest request = TrainingRequest.of(model("llama-3.1-70b"), TrainingMethod.parse("full"));
        JsonValue training =
                written(TrainingDocument.of(request, Planner.of(hosts("l40s:1")).train(request), Optional.empty()));
        assertThat(training.find("plan")).isEmpty();
        assertThat(training.find("smallest")).isPresent();
    }

    @Test
    void whatFitsAndBreaksALimitSaysSo() {
        TrainingRequest request = TrainingRequest.of(model("llama-3.1-8b"), TrainingMethod.parse("full"))
                .withLimits(new TrainingLimits(1e12, 60, Double.POSITIVE_INFINITY));
        JsonValue document = written(
                TrainingDocument.of(request, Planner.of(hosts("h100-sxm:8")).train(request), Optional.empty()));
        assertThat(at(document, "fits")).isEqualTo(JsonValue.parse("true"));
        assertThat(at(document, "keepsLimits")).isEqualTo(JsonValue.parse("false"));
        assertThat(document.find("withoutLimits")).isPresent();
    }

    @Test
    void aComparisonSaysHowManyTimesTheOtherMachineIsAsFast() {
        Planner.Comparison found =
                Planner.of(hosts("h100-sxm:4")).compare(Planner.of(hosts("h200-sxm:4")), REQUEST, ServingChoices.USUAL);
        JsonValue document = written(ServingDocument.comparison(REQUEST, "old", "new", found));
        assertThat(text(document, "kind")).isEqualTo("comparison");
        assertThat(text(document, "b", "machine")).isEqualTo("new");
        assertThat(number(document, "ratios", "tokensPerSecond"))
                .isEqualTo(best(found.there().answer()).tokensPerSecond().p50()
                        / best(found.here().answer()).tokensPerSecond().p50());
    }

    @Test
    void whereAMachineIsTooSmallAComparisonHasAReasonAndNoRatios() {
        Planner.Comparison found =
                Planner.of(hosts("l40s:1")).compare(Planner.of(hosts("h200-sxm:4")), REQUEST, ServingChoices.USUAL);
        JsonValue document = written(ServingDocument.comparison(REQUEST, "small", "large", found));
        assertThat(text(document, "a", "reason")).startsWith("it does not fit on 1 x ");
        assertThat(at(document, "b").find("plan")).isPresent();
        assertThat(at(document, "ratios").find("tokensPerSecond")).isEmpty();
    }

    @Test
    void savedPlansAreComparedByTheirMiddles() {
        SavedPlan one = new SavedPlan(
                "serving-plan", "m", JsonValue.parse("{\"devices\": 2, \"tokensPerSecond\": {\"p50\": 10}}"));
        SavedPlan other = new SavedPlan(
                "serving-plan", "m", JsonValue.parse("{\"devices\": 4, \"tokensPerSecond\": {\"p50\": 25}}"));
        JsonValue document = written(one.compare("a.json", other, "b.json"));
        assertThat(text(document, "kind")).isEqualTo("plan-comparison");
        assertThat(text(document, "a", "file")).isEqualTo("a.json");
        assertThat(number(document, "ratios", "devices")).isEqualTo(2);
        assertThat(number(document, "ratios", "tokensPerSecond")).isEqualTo(2.5);
        assertThat(at(document, "ratios").find("stepSeconds")).isEmpty();
    }

    @Test
    void modelsSayWhatIsKnownOfThemAndHowTheyRun() {
        ModelEntry entry = ModelCatalogue.builtIn().find("gpt-oss-20b").orElseThrow();
        List<FormatFit> fits = Planner.of(hosts("h100-sxm:1")).recommend(List.of(entry.toSummary()));
        JsonValue model = list(written(ModelDocument.models(List.of(entry), fits)), "models")
                .getFirst();
        assertThat(number(model, "parameters"))
                .isEqualTo(entry.parameters().find().orElseThrow().doubleValue());
        assertThat(text(model, "provenance", "parameters", "source")).isNotEmpty();
        assertThat(text(model, "fit", "format")).isEqualTo("mxfp4");
        JsonValue alone = list(written(ModelDocument.models(List.of(entry), List.of())), "models")
                .getFirst();
        assertThat(alone.find("fit")).isEmpty();
    }

    @Test
    void theCheapestMachineIsTheChosenOne() {
        ModelSummary model = model("llama-3.1-70b");
        OfferRequest request = OfferRequest.of(Bytes.ofGib(160), QuantizationLevel.BFLOAT16);
        List<OfferChoice> found = Planner.of(hosts("h100-sxm:1")).cost(request);
        JsonValue document = written(
                ModelDocument.cost(model, request, found.subList(0, 2), found.size(), LocalDate.of(2026, 11, 16)));
        assertThat(number(document, "neededBytes")).isEqualTo(Bytes.ofGib(160).toDouble());
        assertThat(number(document, "fitting")).isEqualTo(found.size());
        assertThat(list(document, "offers").stream().map(offer -> at(offer, "chosen")))
                .containsExactly(JsonValue.parse("true"), JsonValue.parse("false"));
        assertThat(text(list(document, "offers").getFirst(), "instance"))
                .isEqualTo(found.getFirst().offer().instance());
    }

    @Test
    void otherDocumentsAreNoPlans() {
        assertThatThrownBy(() -> SavedPlan.parse("{\"kind\": \"registry\"}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("is not a plan");
        assertThatThrownBy(() -> SavedPlan.parse("{")).isInstanceOf(DocumentException.class);
    }

    @Test
    void aSavedPlanSaysWhatThePlanDoes() {
        ServingOutcome outcome = Planner.of(hosts("h100-sxm:4"))
                .serve(ServingRequest.of(model("llama-3.1-8b"))
                        .withConcurrency(16)
                        .withGoal(ServingGoal.LATENCY));
        ServingPlan plan = best(outcome.answer());
        String text = ServingDocument.of(outcome, false, Optional.empty()).toText();
        SavedPlan saved = SavedPlan.parse(text);
        assertThat(saved.findCommunication()).contains(Planner.communication(plan));
        assertThat(saved.mesh()).isEqualTo(plan.mesh());
        assertThat(JsonValue.parse(text).requireText("kind")).isEqualTo("serving-plan");
    }
}

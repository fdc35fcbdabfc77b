package dev.muster.server;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.ModelDocument;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingDocument;
import dev.muster.plan.catalogue.ModelCatalogue;
import dev.muster.plan.catalogue.ModelName;
import dev.muster.plan.memory.WeightFormat;
import dev.muster.plan.model.ModelSize;
import dev.muster.plan.model.ModelSummary;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSoftware;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// Plans for the devices that were seen last. A plan changes nothing and opens no file: models are sizes and names of
/// the catalogue. One is worked out at a time, and few wait. Safe to share between threads; whoever made it closes it.
final class PlanEndpoints implements AutoCloseable {
    private static final int MOST_WAITING = 8;
    private static final int MOST_SECONDS = 60;
    private static final int MOST_TOKENS = 10_000_000;
    private static final int MOST_SEQUENCES = 100_000;
    private static final int MOST_FORMATS = 8;
    private static final Set<String> KEYS =
            Set.of("model", "contextTokens", "outputTokens", "concurrency", "goal", "engine", "formats", "offload");

    private final SampleDocuments documents;
    private final ThreadPoolExecutor worker;

    PlanEndpoints(SampleDocuments documents) {
        this.documents = documents;
        this.worker = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                work -> Thread.ofPlatform().daemon().name("muster-plan").unstarted(work));
    }

    CompletableFuture<Answer> plan(Asked asked) {
        return work(
                asked,
                request -> ServingDocument.of(
                        request.planner().serve(request.serving(), request.choices()), false, Optional.empty()));
    }

    CompletableFuture<Answer> fit(Asked asked) {
        return work(asked, request -> {
            Planner.FitAnswer answer = request.planner().fit(request.serving(), request.choices());
            if (!answer.problem().isEmpty()) {
                throw Refusal.of(422, "cannot-plan", answer.problem());
            }
            return ServingDocument.fits(request.serving(), answer);
        });
    }

    Answer models() {
        return Models.ANSWER;
    }

    private CompletableFuture<Answer> work(Asked asked, Function<PlanRequest, JsonValue> work) {
        PlanRequest request = read(asked.body(), documents.newest().registry());
        CompletableFuture<Answer> answer;
        try {
            answer = CompletableFuture.supplyAsync(
                    () -> Answer.json(work.apply(request).toText() + "\n", ""), worker);
        } catch (RejectedExecutionException _) {
            throw busy();
        }
        return answer.orTimeout(MOST_SECONDS, TimeUnit.SECONDS).exceptionallyCompose(cause -> {
            Throwable why = cause.getCause() == null ? cause : cause.getCause();
            return CompletableFuture.failedFuture(
                    why instanceof TimeoutException
                            ? busy()
                            : why instanceof IllegalArgumentException
                                    ? Refusal.badRequest(String.valueOf(why.getMessage()))
                                    : why);
        });
    }

    private static Refusal busy() {
        return Refusal.busy("planner-busy", "other plans are being worked out", 10);
    }

    private static PlanRequest read(String body, AcceleratorRegistry registry) {
        try {
            JsonValue document = JsonValue.parse(body);
            if (!(document instanceof JsonObject object)) {
                throw Refusal.badRequest("the body is a JSON object such as {\"model\": \"llama-3.1-8b\"}");
            }
            for (String key : object.members().keySet()) {
                if (!KEYS.contains(key)) {
                    throw Refusal.badRequest("a plan is asked for with these keys alone: "
                            + String.join(", ", KEYS.stream().sorted().toList()));
                }
            }
            ModelSummary model = model(document.requireText("model"));
            int context = whole(document, "contextTokens", ServingRequest.DEFAULT_CONTEXT, 2, MOST_TOKENS);
            int output = whole(
                    document, "outputTokens", Math.min(ServingRequest.DEFAULT_OUTPUT, context / 2), 1, context - 1);
            int concurrency = whole(document, "concurrency", 1, 1, MOST_SEQUENCES);
            ServingGoal usual = concurrency == 1 ? ServingGoal.LATENCY : ServingGoal.THROUGHPUT;
            ServingRequest serving = ServingRequest.of(model)
                    .withTokens(context - output, output)
                    .withConcurrency(concurrency)
                    .withGoal(find(document, "goal", ServingGoal::find, ServingGoal.labels())
                            .orElse(usual));
            List<WeightFormat> formats = formats(document);
            ServingChoices choices = new ServingChoices(
                    find(document, "engine", ServingSoftware::find, ServingSoftware.labels()),
                    formats,
                    document.find("offload")
                            .filter(new JsonBoolean(true)::equals)
                            .isPresent(),
                    false);
            return new PlanRequest(
                    Planner.of(registry),
                    formats.isEmpty() ? serving : serving.withFormat(formats.getFirst()),
                    choices);
        } catch (DocumentException | IllegalArgumentException e) {
            throw Refusal.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /// Never a file: the server opens none for a client.
    private static ModelSummary model(String text) {
        if (ModelSize.isMeant(text)) {
            return ModelSummary.ofSize(text, ModelSize.parse(text));
        }
        return ModelName.resolve(text, ModelCatalogue.builtIn())
                .orElseThrow(() -> Refusal.of(
                        422, "no-model", "that is neither a size as in 70B nor a name that /api/v1/models lists"))
                .toSummary();
    }

    private static int whole(JsonValue document, String name, int usual, int least, int most) {
        Optional<JsonValue> value = document.find(name);
        if (value.isEmpty()) {
            return usual;
        }
        if (value.get() instanceof JsonNumber number
                && number.isWhole()
                && number.toDouble() >= least
                && number.toDouble() <= most) {
            return (int) number.toDouble();
        }
        throw Refusal.badRequest("'" + name + "' is a whole number from " + least + " to " + most);
    }

    private static <T> Optional<T> find(
            JsonValue document, String name, Function<String, Optional<T>> find, List<String> all) {
        Optional<JsonValue> value = document.find(name);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        Optional<T> found = value.get() instanceof JsonString text ? find.apply(text.value()) : Optional.empty();
        if (found.isEmpty()) {
            throw Refusal.badRequest("'" + name + "' is one of " + String.join(", ", all));
        }
        return found;
    }

    private static List<WeightFormat> formats(JsonValue document) {
        List<WeightFormat> formats = new ArrayList<>();
        if (document.find("formats").isPresent()) {
            if (!(document.find("formats").get() instanceof JsonArray array)
                    || array.items().size() > MOST_FORMATS) {
                throw Refusal.badRequest("'formats' is a list of up to " + MOST_FORMATS + " weight formats");
            }
            for (JsonValue item : array.items()) {
                Optional<WeightFormat> format =
                        item instanceof JsonString text ? WeightFormat.find(text.value()) : Optional.empty();
                formats.add(format.orElseThrow(
                        () -> Refusal.badRequest("'formats' has one that is no weight format, as bf16 or fp8 are")));
            }
        }
        return formats;
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }

    private record PlanRequest(Planner planner, ServingRequest serving, ServingChoices choices) {}

    /// Made when it is asked for first: the catalogue takes a while to read.
    private static final class Models {
        static final Answer ANSWER = Answer.json(
                ModelDocument.models(ModelCatalogue.builtIn().entries(), List.of())
                                .toText()
                        + "\n",
                "");
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.ModelKind;
import java.util.List;
import java.util.Set;

/// The task of a model, from the class that its configuration names and its `model_type`.
final class ConfigKind {
    private static final Set<String> SPEECH = Set.of(
            "whisper",
            "wav2vec2",
            "wav2vec2-bert",
            "wav2vec2-conformer",
            "hubert",
            "wavlm",
            "sew",
            "sew-d",
            "unispeech",
            "unispeech-sat",
            "data2vec-audio",
            "speech_to_text",
            "moonshine",
            "moonshine_streaming",
            "parakeet",
            "parakeet_ctc",
            "parakeet_encoder",
            "parakeet_rnnt",
            "parakeet_tdt",
            "lasr_ctc",
            "lasr_encoder",
            "cohere_asr",
            "kyutai_speech_to_text",
            "seamless_m4t",
            "seamless_m4t_v2",
            "zipformer");
    private static final Set<String> VOICES = Set.of(
            "vits", "bark", "csm", "dia", "speecht5", "fastspeech2_conformer", "musicgen", "musicgen_melody", "kokoro");
    private static final Set<String> EYES = Set.of(
            "vit",
            "deit",
            "beit",
            "swin",
            "swinv2",
            "convnext",
            "convnextv2",
            "resnet",
            "dinov2",
            "dinov3_vit",
            "clip",
            "siglip",
            "siglip2",
            "chinese_clip",
            "metaclip_2",
            "align",
            "sam",
            "sam2",
            "detr",
            "yolos",
            "depth_anything");
    /// Families of encoders that read in both directions.
    private static final Set<String> ENCODERS = Set.of(
            "bert",
            "roberta",
            "xlm-roberta",
            "xlm-roberta-xl",
            "camembert",
            "mpnet",
            "distilbert",
            "albert",
            "electra",
            "deberta",
            "deberta-v2",
            "modernbert",
            "nomic_bert",
            "jina_embeddings_v3",
            "eurobert",
            "ernie",
            "mobilebert",
            "new",
            "gte",
            "xmod",
            "longformer",
            "big_bird",
            "rembert",
            "roformer",
            "ibert",
            "squeezebert",
            "funnel",
            "convbert",
            "fnet",
            "megatron-bert",
            "nystromformer",
            "mra",
            "yoso",
            "splinter",
            "esm",
            "esmc",
            "luke",
            "data2vec-text",
            "roc_bert",
            "roberta-prelayernorm");

    /// Encoders of encoder-decoder models and of towers, saved alone.
    private static final Set<String> ENCODER_PARTS = Set.of(
            "T5EncoderModel", "MT5EncoderModel", "UMT5EncoderModel", "CLIPTextModel", "CLIPTextModelWithProjection");

    private ConfigKind() {}

    /// Reports whether the decoder of a model was saved alone.
    static boolean isDecoder(JsonObject whole) {
        return builder(whole).endsWith("ForCausalLM");
    }

    static ModelKind of(JsonObject whole, String family, boolean hasEncoder) {
        String outer = HuggingFaceConfig.string(whole, "model_type").orElse(family);
        String builder = builder(whole);
        if (SPEECH.contains(outer)) {
            return ModelKind.SPEECH_RECOGNITION;
        }
        if (VOICES.contains(outer)) {
            return ModelKind.TEXT_TO_SPEECH;
        }
        if (EYES.contains(outer)) {
            return ModelKind.VISION_ENCODER;
        }
        if (classifies(whole) || builder.endsWith("ForRewardModel")) {
            return ModelKind.RERANKER;
        }
        if (isDecoder(whole) || builder.endsWith("LMHeadModel")) {
            return ModelKind.TEXT_GENERATION;
        }
        if (ENCODER_PARTS.contains(builder)) {
            return ModelKind.EMBEDDING;
        }
        if (ENCODERS.contains(outer)) {
            return builder.endsWith("Model") || builder.endsWith("ForSentenceEmbedding")
                    ? ModelKind.EMBEDDING
                    : ModelKind.TEXT_ENCODER;
        }
        if (hasEncoder) {
            return ModelKind.ENCODER_DECODER;
        }
        return isBareDecoder(whole, builder) ? ModelKind.EMBEDDING : ModelKind.TEXT_GENERATION;
    }

    /// Reports whether the model was saved with a layer that scores labels.
    static boolean classifies(JsonObject whole) {
        return builder(whole).endsWith("ForSequenceClassification")
                || builder(whole).endsWith("ForImageClassification");
    }

    /// Reports whether a decoder was saved without its head, as those that turn texts into vectors are. Older files of
    /// multimodal models name such a class too, and have parts for images or sound.
    private static boolean isBareDecoder(JsonObject whole, String builder) {
        return builder.endsWith("Model")
                && whole.members().values().stream().noneMatch(JsonObject.class::isInstance)
                && Set.of("LlamaModel", "MistralModel", "Qwen2Model", "Qwen3Model", "Gemma2Model", "Gemma3TextModel")
                        .contains(builder);
    }

    private static String builder(JsonObject whole) {
        return whole.members().get("architectures") instanceof JsonArray(List<JsonValue> names)
                        && !names.isEmpty()
                        && names.getFirst() instanceof JsonString(String name)
                ? name
                : "";
    }
}

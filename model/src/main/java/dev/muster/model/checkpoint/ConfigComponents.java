// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelArchitecture.ArchitectureBuilder;
import dev.muster.model.ModelComponent;
import dev.muster.model.ModelComponent.PassFigure;
import dev.muster.model.ModelComponent.Role;
import dev.muster.model.ModelKind;
import dev.muster.model.tensor.FamilyDefaults;
import dev.muster.model.tensor.ModelTensors;
import dev.muster.model.tensor.PartTensors;
import java.util.List;
import java.util.Optional;

/// The parts of a model that its configuration describes: encoder and decoder, towers, or the members of a pipeline of
/// diffusers, each with a configuration of its own.
final class ConfigComponents {
    /// The key by which diffusers names the class that a configuration builds.
    private static final String CLASS = "_class_name";

    /// The members of pipelines that compute, in the order in which they work, and their roles.
    private static final List<Member> MEMBERS = List.of(
            new Member("text_encoder", Role.TEXT_ENCODER),
            new Member("text_encoder_2", Role.TEXT_ENCODER),
            new Member("text_encoder_3", Role.TEXT_ENCODER),
            new Member("transformer", Role.DENOISER),
            new Member("transformer_2", Role.DENOISER),
            new Member("unet", Role.DENOISER),
            new Member("vae", Role.RENDERER));

    private ConfigComponents() {}

    private record Member(String name, Role role) {}

    /// Returns the names of the folders that hold members of a pipeline.
    static List<String> members() {
        return MEMBERS.stream().map(Member::name).toList();
    }

    /// Reports whether a configuration is one of diffusers.
    static boolean isDiffusers(JsonObject whole) {
        return whole.members().containsKey(CLASS);
    }

    /// Returns the architecture that a configuration of diffusers describes.
    static ModelArchitecture pipeline(JsonObject whole) {
        ArchitectureBuilder builder = ModelArchitecture.builder();
        String built = text(whole, CLASS);
        builder.family(built, HuggingFaceConfig.STATED);
        if (PartTensors.has(built)) {
            addParts(builder, built, whole, "transformer");
        } else {
            for (Member member : MEMBERS) {
                if (whole.members().get(member.name) instanceof JsonObject inner) {
                    add(builder, member, inner);
                }
            }
        }
        List<ModelComponent> parts = builder.build().components();
        if (parts.stream().noneMatch(part -> part.role() == Role.DENOISER)) {
            builder.doubt("no part of '" + built + "' that is known removes noise");
        }
        boolean moves =
                parts.stream().anyMatch(part -> part.role() == Role.DENOISER && part.figure(PassFigure.FRAMES) > 0);
        return builder.kind(moves ? ModelKind.VIDEO_GENERATION : ModelKind.IMAGE_GENERATION)
                .build();
    }

    private static void add(ArchitectureBuilder builder, Member member, JsonObject inner) {
        String built = text(inner, CLASS);
        String name = built.isEmpty() ? text(inner, "model_type") : built;
        if (PartTensors.has(name)) {
            addParts(builder, name, inner, member.name);
            return;
        }
        // Text encoders are often decoders of text without their head.
        ModelArchitecture text = HuggingFaceConfig.of(inner).architecture();
        Optional<ModelComponent> stack =
                ModelTensors.stack(text.toBuilder().kind(ModelKind.EMBEDDING).build());
        stack.ifPresentOrElse(
                part -> builder.component(
                        new ModelComponent(member.role, member.name, part.parameters(), part.figures())),
                () -> builder.doubt("'" + name + "', the " + member.name + " of the pipeline, is not known"));
    }

    private static void addParts(ArchitectureBuilder builder, String name, JsonObject inner, String as) {
        for (ModelComponent part : counted(builder, numbers(inner, name, builder.build()), name)) {
            boolean reads = as.startsWith("text_encoder");
            builder.component(
                    new ModelComponent(reads ? Role.TEXT_ENCODER : part.role(), as, part.parameters(), part.figures()));
        }
    }

    /// Adds the parts of a model that has no class of diffusers, if its family is known to have parts.
    ///
    /// @return true if parts were added
    static boolean addTo(ArchitectureBuilder builder, JsonObject whole) {
        String family = text(whole, "model_type");
        if (!PartTensors.has(family)) {
            return false;
        }
        builder.withoutDoubt();
        counted(builder, numbers(whole, family, builder.build()), family).forEach(builder::component);
        return true;
    }

    /// Returns the numbers of a configuration, for formulas.
    private static ModelArchitecture numbers(JsonObject whole, String family, ModelArchitecture described) {
        ArchitectureBuilder numbers = ModelArchitecture.builder().kind(described.kind());
        ConfigDetails.addTo(numbers, List.of(whole), FamilyDefaults.of(family));
        List<Long> labels = described.details().get(ModelTensors.LABELS);
        if (labels != null) {
            numbers.detail(ModelTensors.LABELS, labels);
        }
        HuggingFaceConfig.flag(whole, "tie_word_embeddings")
                .ifPresent(tied -> numbers.tiedEmbeddings(tied, HuggingFaceConfig.STATED));
        HuggingFaceConfig.number(whole, "vocab_size").ifPresent(rows -> numbers.detail("vocab", List.of(rows)));
        return numbers.build();
    }

    private static List<ModelComponent> counted(ArchitectureBuilder builder, ModelArchitecture numbers, String family) {
        try {
            return PartTensors.of(numbers, family).stream()
                    .filter(part -> part.parameters() > 0)
                    .toList();
        } catch (IllegalArgumentException e) {
            builder.doubt("of a part of the model, " + e.getMessage());
            return List.of();
        }
    }

    private static String text(JsonObject object, String key) {
        JsonValue value = object.members().get(key);
        return value instanceof JsonString(String text) ? text : "";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.tensor.FamilyDefaults;
import dev.muster.model.tensor.ModelFamily;
import dev.muster.model.tensor.ModelTensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A vision or audio part of a configuration: its parameters, or the reason why they cannot be counted. Confined to
/// one thread.
final class ConfigSenses {
    private final ModelArchitecture.ArchitectureBuilder builder;
    private final String sense;
    private final List<String> families = new ArrayList<>();

    private ConfigSenses(ModelArchitecture.ArchitectureBuilder builder, String sense) {
        this.builder = builder;
        this.sense = sense;
    }

    /// @param parts a configuration, and its text section
    static void addTo(ModelArchitecture.ArchitectureBuilder builder, List<JsonObject> parts) {
        ConfigSenses vision = new ConfigSenses(builder, "vision");
        vision.addAll(parts);
        if (!vision.families.isEmpty()) {
            builder.visionParameters(vision.count());
        }
        ConfigSenses audio = new ConfigSenses(builder, "audio");
        audio.addAll(parts);
        if (!audio.families.isEmpty()) {
            builder.audioParameters(audio.count());
        }
    }

    private Reading<Long> count() {
        return ModelTensors.senseParameters(builder.build(), families, sense);
    }

    private void addAll(List<JsonObject> parts) {
        String key = sense + "_config";
        for (JsonObject part : parts) {
            if (part.members().get(key) instanceof JsonObject inner) {
                add(
                        HuggingFaceConfig.string(part, "model_type").orElse(""),
                        HuggingFaceConfig.string(inner, "model_type").orElse(""),
                        key);
            }
        }
    }

    /// Adds the families that build the part: the whole model's, and that of the tower that it names, if any.
    private void add(String outer, String inner, String key) {
        boolean hasTower = ModelFamily.find(outer)
                .filter(found -> found.hasDefault("tower"))
                .isPresent();
        if (!families.contains(outer)) {
            families.add(outer);
            addDefaults(FamilyDefaults.of(outer), "");
        }
        if (hasTower && !families.contains(inner)) {
            families.add(inner);
            addDefaults(FamilyDefaults.of(inner), key + ".");
        }
    }

    private void addDefaults(Map<String, String> defaults, String path) {
        Map<String, List<Long>> known = builder.build().details();
        defaults.forEach((name, value) -> {
            boolean isNumber = !value.isEmpty() && value.charAt(0) >= '0' && value.charAt(0) <= '9';
            if (isNumber && !known.containsKey(path + name) && (path + name).contains("_config.")) {
                builder.detail(path + name, List.of(Long.parseLong(value)));
            }
        });
    }
}

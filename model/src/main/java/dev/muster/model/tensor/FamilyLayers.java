// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import dev.muster.core.Provenance;
import dev.muster.model.LayerKind;
import dev.muster.model.LayerKind.Block;
import dev.muster.model.LayerKind.Mixer;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelLayer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The layers that a family defines, and the defaults of its own code for what a configuration leaves out. Confined
/// to one thread.
public final class FamilyLayers {
    /// The provenance of a default of the model's own code, which the file leaves out.
    private static final Provenance DEFAULT =
            Provenance.of("default of the model family", Provenance.Method.CATALOGUE, Provenance.Confidence.ASSUMED);

    private static final String OWN = "own.";

    private final ModelFamily family;
    private final ModelArchitecture architecture;
    private final ArchitectureScope scope;
    private String missing = "";

    private FamilyLayers(ModelFamily family, ModelArchitecture architecture) {
        this.family = family;
        this.architecture = architecture;
        this.scope = new ArchitectureScope(architecture, family);
    }

    /// Returns the family's layers for an architecture with all numbers.
    public static FamilyLayers of(ModelFamily family, ModelArchitecture architecture) {
        return new FamilyLayers(family, architecture);
    }

    /// Sets the dimensions that a configuration leaves out and the family has defaults for.
    ///
    /// @param none dimensions that the configuration states as absent
    public static void fill(
            ModelFamily family, ModelArchitecture.ArchitectureBuilder builder, Set<ModelDimension> none) {
        ArchitectureScope scope = new ArchitectureScope(builder.build(), family);
        for (ModelDimension dimension : ModelDimension.values()) {
            Formula formula = family.defaults().get(dimension.column());
            boolean isStated = none.contains(dimension) && formula instanceof Formula.Constant;
            if (formula != null && !builder.has(dimension) && !isStated) {
                value(formula, scope).ifPresent(value -> {
                    if (value > 0) {
                        builder.dimension(dimension, value, DEFAULT);
                    }
                });
            }
        }
        Formula tied = family.defaults().get("tied");
        if (tied != null && !builder.build().tiedEmbeddings().isKnown()) {
            value(tied, scope).ifPresent(value -> builder.tiedEmbeddings(value != 0, DEFAULT));
        }
    }

    private static OptionalLong value(Formula formula, ArchitectureScope scope) {
        try {
            return OptionalLong.of(formula.of(scope));
        } catch (Formula.MissingNumberException | ArithmeticException _) {
            return OptionalLong.empty();
        }
    }

    /// Returns the names that the family's formulas for layers need and no source states; blank if there are none.
    public String missing() {
        return missing;
    }

    /// Returns the mixer of a layer, if the family defines it.
    public Optional<Mixer> mixer(int layer) {
        return code("mixer", layer, ModelLayer.of(new LayerKind(Mixer.NONE, Block.NONE)))
                .map(LayerWords::mixer);
    }

    /// Returns the block of a layer, if the family defines it.
    public Optional<Block> block(int layer, Mixer mixer) {
        return code("block", layer, ModelLayer.of(new LayerKind(mixer, Block.NONE)))
                .map(LayerWords::block);
    }

    private Optional<Long> code(String name, int layer, ModelLayer current) {
        Formula formula = family.defaults().get(name);
        if (formula == null) {
            return Optional.empty();
        }
        scope.enter(layer, current);
        try {
            return Optional.of(formula.of(scope));
        } catch (Formula.MissingNumberException e) {
            missing = e.name();
            return Optional.empty();
        } catch (ArithmeticException _) {
            return Optional.empty();
        } finally {
            scope.leave();
        }
    }

    /// Returns the layer with the numbers that are its own.
    ///
    /// @param own those already known
    public ModelLayer layer(int at, LayerKind kind, Map<ModelDimension, Long> own) {
        Map<ModelDimension, Long> numbers = new EnumMap<>(ModelDimension.class);
        numbers.putAll(own);
        ModelLayer layer = new ModelLayer(kind, own);
        for (ModelDimension dimension : ModelDimension.values()) {
            Formula formula = family.defaults().get(OWN + dimension.column());
            if (formula != null) {
                scope.enter(at, layer);
                OptionalLong value = value(formula, scope);
                if (value.isPresent() && !value.equals(architecture.find(dimension))) {
                    numbers.put(dimension, value.getAsLong());
                }
            }
        }
        scope.leave();
        return new ModelLayer(kind, numbers);
    }
}

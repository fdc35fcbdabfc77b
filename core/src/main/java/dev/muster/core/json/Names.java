// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.MemoryDevice;
import dev.muster.core.NeuronChip;
import dev.muster.core.Provenance;
import dev.muster.core.StorageDevice;
import dev.muster.core.TpuVersion;
import dev.muster.core.UnknownReason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The names of an enumeration in documents. Safe to share between threads.
final class Names<E extends Enum<E>> {
    static final Names<AcceleratorKind> ACCELERATORS = of(AcceleratorKind.values(), AcceleratorKind::text);
    static final Names<AcceleratorFamily> FAMILIES = of(AcceleratorFamily.values(), AcceleratorFamily::text);
    static final Names<TpuVersion> TPU_VERSIONS = of(TpuVersion.values(), TpuVersion::display);
    static final Names<GaudiGeneration> GAUDI_GENERATIONS = of(GaudiGeneration.values(), GaudiGeneration::display);
    static final Names<NeuronChip> NEURON_CHIPS = of(NeuronChip.values(), NeuronChip::display);
    static final Names<Interconnect.InterconnectKind> INTERCONNECTS =
            of(Interconnect.InterconnectKind.values(), Interconnect.InterconnectKind::text);
    static final Names<StorageDevice.StorageKind> STORAGE =
            of(StorageDevice.StorageKind.values(), StorageDevice.StorageKind::text);
    static final Names<MemoryDevice.MemoryKind> MEMORY_DEVICES =
            of(MemoryDevice.MemoryKind.values(), MemoryDevice.MemoryKind::text);
    static final Names<UnknownReason> REASONS = of(UnknownReason.values(), UnknownReason::text);
    static final Names<Provenance.Method> METHODS = of(Provenance.Method.values(), Provenance.Method::text);
    static final Names<Provenance.Confidence> CONFIDENCES =
            of(Provenance.Confidence.values(), Provenance.Confidence::text);
    static final Names<LinkKind> LINKS = of(LinkKind.values(), LinkKind::text);
    static final Names<Link.LinkState> LINK_STATES = of(Link.LinkState.values(), Link.LinkState::text);

    private final List<E> values;
    /// Their names, in the same order.
    private final List<String> texts;
    /// The names, prepared for reading; made when first needed, since most runs only write.
    private @Nullable JsonKeys keys;

    private Names(List<E> values, List<String> texts) {
        this.values = values;
        this.texts = texts;
    }

    static <E extends Enum<E>> Names<E> of(E[] values, Function<E, String> name) {
        return of(values, _ -> true, name);
    }

    /// The names of some constants of an enumeration.
    static <E extends Enum<E>> Names<E> of(E[] values, Predicate<E> included, Function<E, String> name) {
        List<E> some = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (E value : values) {
            if (included.test(value)) {
                some.add(value);
                texts.add(name.apply(value));
            }
        }
        return new Names<>(List.copyOf(some), texts);
    }

    /// The position of a constant among those that have a name; -1 for a constant without a name.
    int indexOf(E constant) {
        return values.indexOf(constant);
    }

    String text(E constant) {
        return texts.get(indexOf(constant));
    }

    E read(JsonReader json) {
        return values.get(json.nextName(keys()));
    }

    List<E> values() {
        return values;
    }

    /// The names, in the order of the values. Two threads may both make them: they are immutable and equal.
    JsonKeys keys() {
        JsonKeys made = keys;
        if (made == null) {
            made = JsonKeys.of(texts);
            keys = made;
        }
        return made;
    }
}

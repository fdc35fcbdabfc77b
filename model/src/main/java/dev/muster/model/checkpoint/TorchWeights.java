// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.model.checkpoint.PickleReader.NotUnderstoodException;
import dev.muster.model.checkpoint.Pickled.Dict;
import dev.muster.model.checkpoint.Pickled.Instance;
import dev.muster.model.checkpoint.Pickled.Items;
import dev.muster.model.checkpoint.Pickled.Result;
import dev.muster.model.checkpoint.Pickled.View;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The weights among the values of a pickle of PyTorch: tensors by their path, each once, however many names it has.
/// What a training run keeps beside them, its optimizer's states and averages, is left out. Confined to one thread.
final class TorchWeights {
    /// The fields in which a module keeps its tensors; they are not part of their names.
    private static final Set<String> PARTS_OF_MODULES = Set.of("_parameters", "_buffers", "_modules");

    private static final List<String> BESIDE_WEIGHTS = List.of("optim", "scheduler", "ema", "scaler", "rng");

    /// The largest number of characters of one name, and of all names together.
    private static final int MAX_NAME = 4096;

    private static final long MAX_NAMES = 64 << 20;

    private final List<Named> found = new ArrayList<>();
    private final Set<Pickled> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private long characters;

    /// A tensor and its name.
    ///
    /// @param elements number of its elements that no tensor before it has
    record Named(String name, View view, long elements) {}

    /// Returns the tensors of an archive.
    ///
    /// @param storages bytes of each member with storages
    /// @throws NotUnderstoodException if something hides how many there are
    static List<Named> of(Pickled root, Map<String, Long> storages) {
        TorchWeights weights = new TorchWeights();
        if (root instanceof Dict dict && dict.values().containsKey("param_groups")) {
            throw new NotUnderstoodException("it holds the state of an optimizer and no weights");
        }
        weights.walkRoot(root);
        return distinct(weights.found, storages);
    }

    private void walkRoot(Pickled root) {
        if (root instanceof Dict dict) {
            seen.add(root);
            Map<String, Pickled> beside = new HashMap<>();
            dict.values().forEach((key, value) -> {
                if (!(value instanceof View) && isBesideWeights(key)) {
                    beside.put(key, value);
                } else {
                    walk(key, value, 1);
                }
            });
            if (found.isEmpty()) {
                beside.forEach((key, value) -> walk(key, value, 1));
            }
        } else {
            walk("", root, 0);
        }
    }

    private static boolean isBesideWeights(String key) {
        for (String word : key.toLowerCase(Locale.ROOT).split("_")) {
            if (BESIDE_WEIGHTS.stream().anyMatch(word::startsWith)) {
                return true;
            }
        }
        return false;
    }

    private void walk(String name, Pickled value, int depth) {
        if (depth > CheckpointReader.Limits.DEPTH) {
            throw new NotUnderstoodException("its objects are nested deeper than " + CheckpointReader.Limits.DEPTH);
        }
        switch (value) {
            case View view -> add(name, view);
            case Dict dict -> {
                if (seen.add(dict)) {
                    dict.values().forEach((key, item) -> walk(join(name, key), item, depth + 1));
                }
            }
            case Items items -> {
                if (seen.add(items)) {
                    for (int i = 0; i < items.values().size(); i++) {
                        walk(join(name, Integer.toString(i)), items.values().get(i), depth + 1);
                    }
                }
            }
            case Instance object -> {
                if (seen.add(object)) {
                    walk(name, object.arguments(), depth + 1);
                    object.state().forEach(state -> walk(name, state, depth + 1));
                }
            }
            case Result result -> {
                int before = found.size();
                walk(name, result.arguments(), depth + 1);
                if (found.size() > before) {
                    throw new NotUnderstoodException(
                            "it transforms tensors by " + result.function().name() + ", which is not run");
                }
            }
            case Pickled.Atom _, Pickled.Whole _, Pickled.Text _, Pickled.Global _, Pickled.Storage _ -> {}
        }
    }

    private void add(String name, View view) {
        characters += name.length();
        if (characters > MAX_NAMES) {
            throw new NotUnderstoodException("its tensors have names of more than " + MAX_NAMES + " characters");
        }
        found.add(new Named(name, view, 0));
    }

    private static String join(String name, String key) {
        if (PARTS_OF_MODULES.contains(key)) {
            return name;
        }
        if (name.length() + key.length() > MAX_NAME) {
            throw new NotUnderstoodException("a tensor has a name of more than " + MAX_NAME + " characters");
        }
        return name.isEmpty() ? key : name + "." + key;
    }

    private static List<Named> distinct(List<Named> all, Map<String, Long> storages) {
        Set<View> counted = new HashSet<>();
        Map<String, Long> left = new HashMap<>(storages);
        List<Named> tensors = new ArrayList<>();
        for (Named named : all) {
            View view = named.view;
            long bytes = requireStored(view, storages);
            if (counted.add(view)) {
                String key = view.storage().key();
                long own = Math.min(bytes, left.getOrDefault(key, 0L));
                left.merge(key, -own, Long::sum);
                tensors.add(new Named(named.name, view, own / bytesOf(view)));
            }
        }
        return tensors;
    }

    /// Checks that the archive has the numbers of a tensor.
    ///
    /// @return bytes of the elements one behind the other
    private static long requireStored(View view, Map<String, Long> storages) {
        Long held = storages.get(view.storage().key());
        if (held == null) {
            throw new NotUnderstoodException(
                    "a tensor lies in '" + view.storage().key() + "', which the archive does not have");
        }
        try {
            long last = view.offset();
            long elements = 1;
            for (int i = 0; i < view.shape().size(); i++) {
                long size = view.shape().get(i);
                long stride = i < view.strides().size() ? view.strides().get(i) : 0;
                elements = Math.multiplyExact(elements, size);
                last = Math.addExact(last, Math.multiplyExact(Math.max(0, size - 1), stride));
            }
            long end = elements == 0 ? 0 : Math.multiplyExact(Math.addExact(last, 1), bytesOf(view));
            if (view.offset() < 0 || end > held) {
                throw new NotUnderstoodException("a tensor goes past the end of its storage");
            }
            return Math.multiplyExact(elements, bytesOf(view));
        } catch (ArithmeticException _) {
            throw new NotUnderstoodException("a tensor has more than 2^63-1 bytes");
        }
    }

    private static long bytesOf(View view) {
        return view.type().blockBits() / Byte.SIZE;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.model.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A value of a pickle, as far as it concerns tensors. Containers are filled while the pickle is read, and may
/// contain themselves.
sealed interface Pickled {
    /// Values without content of interest.
    enum Atom implements Pickled {
        NONE,
        TRUE,
        FALSE,
        /// A float, bytes, or an integer beyond 64 bits.
        OTHER,
        /// The start of a container's items on the stack.
        MARK
    }

    /// An integer.
    record Whole(long value) implements Pickled {}

    /// A text.
    record Text(String value) implements Pickled {}

    /// The name of a class or function, module included. It is never looked up.
    record Global(String name) implements Pickled {}

    /// A list, tuple or set.
    record Items(List<Pickled> values) implements Pickled {
        Items() {
            this(new ArrayList<>());
        }
    }

    /// A dictionary, by those of its keys that are texts or integers.
    record Dict(Map<String, Pickled> values) implements Pickled {
        Dict() {
            this(new LinkedHashMap<>());
        }
    }

    /// An object: the arguments of its constructor, and its state.
    record Instance(Global type, Pickled arguments, List<Pickled> state) implements Pickled {}

    /// The result of an unknown function.
    record Result(Global function, Pickled arguments) implements Pickled {}

    /// Bytes of the archive that tensors share.
    ///
    /// @param key the name of the archive's member
    /// @param type the type of its numbers; single bytes if the storage has none
    /// @param elements number of elements
    record Storage(String key, Tensor.Type type, long elements) implements Pickled {}

    /// A tensor: some numbers of a storage.
    ///
    /// @param offset its first number, counted from the storage's
    record View(Storage storage, Tensor.Type type, long offset, List<Long> shape, List<Long> strides)
            implements Pickled {}
}

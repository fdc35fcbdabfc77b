// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.model.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A value of a pickle, as far as it says something about tensors. Containers are filled while the pickle is read, and
/// may hold themselves.
sealed interface Pickled {
    /// What is of no interest here.
    enum Atom implements Pickled {
        NONE,
        TRUE,
        FALSE,
        /// A float, bytes, or a whole number beyond 64 bits.
        OTHER,
        /// Where the items of a container begin on the stack.
        MARK
    }

    /// A whole number.
    record Whole(long value) implements Pickled {}

    /// A text.
    record Text(String value) implements Pickled {}

    /// The name of a class or function, module included. It is a name here and is never looked up.
    record Global(String name) implements Pickled {}

    /// A list, tuple or set.
    record Items(List<Pickled> values) implements Pickled {
        Items() {
            this(new ArrayList<>());
        }
    }

    /// A dictionary, by those of its keys that are texts or whole numbers.
    record Dict(Map<String, Pickled> values) implements Pickled {
        Dict() {
            this(new LinkedHashMap<>());
        }
    }

    /// An object of some class: what its constructor got, and what it was filled with afterwards.
    record Instance(Global type, Pickled arguments, List<Pickled> state) implements Pickled {}

    /// What a function would have returned that is not known here.
    record Result(Global function, Pickled arguments) implements Pickled {}

    /// Bytes of the archive that tensors share.
    ///
    /// @param key the name of the archive's member
    /// @param type of its numbers; a byte each where the storage has none
    /// @param elements how many numbers it has
    record Storage(String key, Tensor.Type type, long elements) implements Pickled {}

    /// A tensor: some numbers of a storage.
    ///
    /// @param offset its first number, counted from the storage's
    record View(Storage storage, Tensor.Type type, long offset, List<Long> shape, List<Long> strides)
            implements Pickled {}
}

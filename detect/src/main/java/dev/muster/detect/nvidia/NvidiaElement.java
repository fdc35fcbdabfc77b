// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import java.util.List;
import java.util.Optional;

/// A piece of what `nvidia-smi -q` says: a value, or a block of such pieces.
///
/// @param name the tag
/// @param id the tag's `id`; blank where it has none
/// @param text the value, without white space around it; blank for most blocks
/// @param children the pieces inside
record NvidiaElement(String name, String id, String text, List<NvidiaElement> children) {
    NvidiaElement {
        children = List.copyOf(children);
    }

    /// The first piece at a path of tags, such as `pci/pci_bus_id`. Only direct children count at each step: MIG
    /// devices have a block of the same name as the board's.
    Optional<NvidiaElement> find(String path) {
        int slash = path.indexOf('/');
        String first = slash < 0 ? path : path.substring(0, slash);
        for (NvidiaElement child : children) {
            if (child.name.equals(first)) {
                return slash < 0 ? Optional.of(child) : child.find(path.substring(slash + 1));
            }
        }
        return Optional.empty();
    }

    /// The first piece with a tag, however deep inside.
    Optional<NvidiaElement> findWithin(String tag) {
        for (NvidiaElement child : children) {
            Optional<NvidiaElement> found = child.name.equals(tag) ? Optional.of(child) : child.findWithin(tag);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /// The value at a path; blank where there is none.
    String value(String path) {
        return find(path).map(NvidiaElement::text).orElse("");
    }

    /// The children with a tag.
    List<NvidiaElement> all(String tag) {
        return children.stream().filter(child -> child.name.equals(tag)).toList();
    }
}

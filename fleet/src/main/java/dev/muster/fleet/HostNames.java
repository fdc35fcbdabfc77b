// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Names of the same host: a short name is the same as the only full one that begins with it.
final class HostNames {
    /// By short name, the full one; absent where there are several.
    private final Map<String, String> full = new HashMap<>();

    private final Set<String> shortNames = new HashSet<>();

    HostNames(List<SourceReport> reports) {
        Set<String> several = new HashSet<>();
        for (SourceReport report : reports) {
            for (HostReport host : report.hosts()) {
                String name = host.name();
                String own = shortName(name);
                if (own.equals(name)) {
                    shortNames.add(name);
                } else if (!several.contains(own)) {
                    String other = full.putIfAbsent(own, name);
                    if (other != null && !other.equals(name)) {
                        full.remove(own);
                        several.add(own);
                    }
                }
            }
        }
    }

    String key(String name) {
        String own = shortName(name);
        return own.equals(name) || !shortNames.contains(own) || !name.equals(full.get(own)) ? name : own;
    }

    /// The part before the domain; numbers with dots are addresses.
    private static String shortName(String name) {
        int dot = name.indexOf('.');
        return dot <= 0 || name.substring(0, dot).chars().allMatch(Character::isDigit) ? name : name.substring(0, dot);
    }
}

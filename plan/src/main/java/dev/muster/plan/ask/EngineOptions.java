// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import java.util.LinkedHashMap;
import java.util.Map;

/// Options of an engine's scheduler, such as `max-num-seqs=128,enable-chunked-prefill`.
final class EngineOptions {
    private EngineOptions() {}

    static Map<String, String> parse(String text) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            options.put(
                    (equals < 0 ? part : part.substring(0, equals)).strip(),
                    equals < 0 ? "" : part.substring(equals + 1).strip());
        }
        return options;
    }

    static String text(Map<String, String> options) {
        return String.join(
                ",",
                options.entrySet().stream()
                        .map(one -> one.getValue().isEmpty() ? one.getKey() : one.getKey() + "=" + one.getValue())
                        .toList());
    }
}

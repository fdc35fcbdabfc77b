// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.core.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Reads YAML as the JSON that it stands for: maps, lists, texts, numbers, truths and null, and nothing that
/// makes objects. No aliases, no double keys, a limit on size and depth.
final class YamlReader {
    /// A kubeconfig of a few dozen clusters has some 200 KB.
    static final int MAX_CHARACTERS = 8 << 20;

    private static final int MAX_DEPTH = 100;
    private static final int MAX_DOCUMENTS = 20_000;
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setLabel("the text")
            .setAllowDuplicateKeys(false)
            .setAllowRecursiveKeys(false)
            .setMaxAliasesForCollections(0)
            .setCodePointLimit(MAX_CHARACTERS)
            .build();

    private YamlReader() {}

    /// A text that is not YAML, or longer than the limit; the message names the place.
    static final class YamlException extends Exception {
        private static final long serialVersionUID = 1;

        YamlException(String message) {
            super(message);
        }
    }

    static JsonValue read(String text) throws YamlException {
        List<JsonValue> documents = readAll(text);
        if (documents.size() != 1) {
            throw new YamlException("it has " + documents.size() + " documents instead of one");
        }
        return documents.getFirst();
    }

    /// All documents of a text; empty ones are left out.
    static List<JsonValue> readAll(String text) throws YamlException {
        if (text.length() > MAX_CHARACTERS) {
            throw new YamlException("it has more than " + MAX_CHARACTERS + " characters");
        }
        List<JsonValue> documents = new ArrayList<>();
        try {
            for (Object document : new Load(SETTINGS).loadAllFromString(text)) {
                if (document != null) {
                    documents.add(value(document, 0));
                }
                if (documents.size() > MAX_DOCUMENTS) {
                    throw new YamlException("it has more than " + MAX_DOCUMENTS + " documents");
                }
            }
        } catch (MarkedYamlEngineException e) {
            throw new YamlException(e.getProblemMark()
                    .map(mark -> "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ": "
                            + e.getProblem())
                    .orElse(e.getProblem()));
        } catch (YamlEngineException e) {
            throw new YamlException(firstLine(e));
        } catch (StackOverflowError _) {
            throw new YamlException("it is too deep");
        }
        return documents;
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static JsonValue value(Object read, int depth) throws YamlException {
        if (depth > MAX_DEPTH) {
            throw new YamlException("it is more than " + MAX_DEPTH + " levels deep");
        }
        return switch (read) {
            case Map<?, ?> map -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    members.put(String.valueOf(entry.getKey()), orNull(entry.getValue(), depth));
                }
                yield new JsonValue.JsonObject(members);
            }
            case List<?> list -> {
                List<JsonValue> items = new ArrayList<>();
                for (Object item : list) {
                    items.add(orNull(item, depth));
                }
                yield new JsonValue.JsonArray(items);
            }
            case Boolean truth -> new JsonValue.JsonBoolean(truth);
            case Double number when !Double.isFinite(number) -> new JsonValue.JsonString(number.toString());
            case Number number -> new JsonValue.JsonNumber(number.toString());
            default -> new JsonValue.JsonString(String.valueOf(read));
        };
    }

    private static JsonValue orNull(@Nullable Object value, int depth) throws YamlException {
        return value == null ? new JsonValue.JsonNull() : value(value, depth + 1);
    }
}

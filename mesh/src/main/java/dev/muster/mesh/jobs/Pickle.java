// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.jobs;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.DocumentException.DocumentErrorCode;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/// Reads pickles that hold dictionaries, lists, tuples, strings, numbers, truth values and nothing, as PyTorch's flight
/// recorder writes them (protocol 2, and up to 5 from Python). Nothing is imported or called: every instruction that
/// would is refused, except for the lists of integers of PyTorch itself. Confined to one thread.
final class Pickle {
    private static final int MOST_VALUES = 3_000_000;
    private static final int MOST_DEPTH = 64;
    private static final String INTEGER_LIST = "torch.jit._pickle\nbuild_intlist\n";

    private final ByteBuffer input;
    private final Deque<Object> stack = new ArrayDeque<>();
    private final Map<Integer, Object> memo = new HashMap<>();
    /// Number of values of the result so far.
    private int values;

    /// On the stack: the beginning of items.
    private enum Mark {
        HERE,
        /// PyTorch's function that makes a list of a list.
        INTEGERS
    }

    private Pickle(byte[] bytes) {
        this.input = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Reports whether bytes begin as a pickle does.
    static boolean isPickle(byte[] bytes) {
        return bytes.length > 2 && (bytes[0] & 0xff) == 0x80 && bytes[1] >= 2 && bytes[1] <= 5;
    }

    /// The value of a pickle.
    ///
    /// @throws DocumentException if it is broken, too large, or would import or call something
    static JsonValue parse(byte[] bytes) {
        try {
            Pickle pickle = new Pickle(bytes);
            Object value = pickle.run();
            pickle.values = 0;
            return pickle.json(value, 0);
        } catch (BufferUnderflowException | NoSuchElementException | ClassCastException e) {
            throw error("the pickle is broken or cut short");
        }
    }

    private static DocumentException error(String what) {
        return DocumentException.of(DocumentErrorCode.WRONG_VALUE, what);
    }

    private Object run() {
        while (true) {
            int code = input.get() & 0xff;
            if (code == '.') {
                return stack.pop();
            }
            step(code);
        }
    }

    private void step(int code) {
        switch (code) {
            case 0x80 -> input.get();
            case 0x95 -> input.getLong();
            case '}' -> stack.push(new LinkedHashMap<Object, Object>());
            case ']', ')' -> stack.push(new ArrayList<>());
            case '(' -> stack.push(Mark.HERE);
            case 'N' -> stack.push(new JsonNull());
            case 0x88 -> stack.push(true);
            case 0x89 -> stack.push(false);
            case 'K' -> stack.push((long) (input.get() & 0xff));
            case 'M' -> stack.push((long) (input.getShort() & 0xffff));
            case 'J' -> stack.push((long) input.getInt());
            case 0x8a -> stack.push(number(bytes(input.get() & 0xff)));
            case 'G' -> stack.push(Double.longBitsToDouble(Long.reverseBytes(input.getLong())));
            case 0x8c -> stack.push(text(input.get() & 0xff));
            case 'X' -> stack.push(text(input.getInt()));
            case 0x8d -> stack.push(text(Math.toIntExact(Math.clamp(input.getLong(), -1, Integer.MAX_VALUE))));
            case 'a' -> append(List.of(stack.pop()));
            case 'e' -> append(sinceMark());
            case 's' -> {
                Object value = stack.pop();
                put(List.of(stack.pop(), value));
            }
            case 'u' -> put(sinceMark());
            case 't' -> stack.push(new ArrayList<>(sinceMark()));
            case 0x85, 0x86, 0x87 -> stack.push(tuple(code - 0x84));
            case 'q' -> memo.put(input.get() & 0xff, stack.element());
            case 'r' -> memo.put(input.getInt(), stack.element());
            case 0x94 -> memo.put(memo.size(), stack.element());
            case 'h' -> stack.push(remembered(input.get() & 0xff));
            case 'j' -> stack.push(remembered(input.getInt()));
            case 'c' -> importName();
            case 'R' -> call();
            default ->
                throw error("the pickle has an instruction that dumps of a flight recorder do not have (0x"
                        + Integer.toHexString(code) + " at byte " + (input.position() - 1) + ")");
        }
    }

    private byte[] bytes(int length) {
        if (length < 0 || length > input.remaining()) {
            throw error("the pickle is broken or cut short");
        }
        byte[] bytes = new byte[length];
        input.get(bytes);
        return bytes;
    }

    private String text(int length) {
        return new String(bytes(length), StandardCharsets.UTF_8);
    }

    private static long number(byte[] little) {
        byte[] big = new byte[little.length];
        for (int i = 0; i < big.length; i++) {
            big[i] = little[little.length - 1 - i];
        }
        BigInteger value = big.length == 0 ? BigInteger.ZERO : new BigInteger(big);
        if (value.bitLength() > 63) {
            throw error("the pickle has a number of more than 64 bits");
        }
        return value.longValueExact();
    }

    private List<Object> sinceMark() {
        List<Object> items = new ArrayList<>();
        for (Object item = stack.pop(); item != Mark.HERE; item = stack.pop()) {
            items.add(item);
        }
        return items.reversed();
    }

    private List<Object> tuple(int length) {
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            items.addFirst(stack.pop());
        }
        return items;
    }

    @SuppressWarnings("unchecked") // another value than one of these lists is refused as broken
    private void append(List<Object> items) {
        ((List<Object>) stack.element()).addAll(items);
    }

    @SuppressWarnings("unchecked") // as above
    private void put(List<Object> items) {
        Map<Object, Object> map = (Map<Object, Object>) stack.element();
        for (int i = 0; i + 1 < items.size(); i += 2) {
            map.put(key(items.get(i)), items.get(i + 1));
        }
    }

    private static String key(Object key) {
        return switch (key) {
            case String text -> text;
            case Long number -> number.toString();
            default -> throw error("the pickle has a key that is neither text nor a number");
        };
    }

    private Object remembered(int index) {
        Object value = memo.get(index);
        if (value == null) {
            throw error("the pickle is broken or cut short");
        }
        return value;
    }

    private void importName() {
        StringBuilder name = new StringBuilder();
        for (int lines = 0; lines < 2 && name.length() <= INTEGER_LIST.length(); ) {
            char next = (char) (input.get() & 0xff);
            name.append(next);
            lines += next == '\n' ? 1 : 0;
        }
        if (!name.toString().equals(INTEGER_LIST)) {
            throw error("the pickle would import and run code, which a dump of a flight recorder does not");
        }
        stack.push(Mark.INTEGERS);
    }

    private void call() {
        List<?> arguments = (List<?>) stack.pop();
        if (stack.pop() != Mark.INTEGERS || arguments.size() != 1) {
            throw error("the pickle would import and run code, which a dump of a flight recorder does not");
        }
        stack.push((List<?>) arguments.getFirst());
    }

    /// Values that are remembered can be nested in each other over and over, which is counted as often.
    private JsonValue json(Object value, int depth) {
        if (depth > MOST_DEPTH || ++values > MOST_VALUES) {
            throw error("the pickle has more than " + MOST_DEPTH + " levels or " + MOST_VALUES + " values");
        }
        return switch (value) {
            case Map<?, ?> map -> {
                JsonObject.ObjectBuilder object = JsonObject.builder();
                map.forEach((key, item) -> object.put((String) key, json(item, depth + 1)));
                yield object.build();
            }
            case List<?> list ->
                new JsonArray(list.stream().map(item -> json(item, depth + 1)).toList());
            case String text -> new JsonString(text);
            case Boolean truth -> new JsonBoolean(truth);
            case Long number -> new JsonNumber(number.toString());
            case Double number when Double.isFinite(number) -> new JsonNumber(number.toString());
            default -> new JsonNull();
        };
    }
}

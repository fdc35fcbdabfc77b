// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.model.checkpoint.Pickled.Atom;
import dev.muster.model.checkpoint.Pickled.Dict;
import dev.muster.model.checkpoint.Pickled.Global;
import dev.muster.model.checkpoint.Pickled.Instance;
import dev.muster.model.checkpoint.Pickled.Items;
import dev.muster.model.checkpoint.Pickled.Text;
import dev.muster.model.checkpoint.Pickled.Whole;
import java.io.Serial;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A reader of pickles that follows their instructions and keeps the values they describe, without building them: no
/// class is loaded and no function is called. Names of functions are passed to [TorchCalls], which knows what a few
/// of them return. Source of the instructions: `pickletools` of Python 3.14. Confined to one thread.
final class PickleReader {
    /// The largest pickle that is read. One of a hundred thousand tensors has some 15 MB.
    static final int MAX_BYTES = 32 << 20;
    /// The largest number of values that a pickle may make or remember.
    static final int MAX_VALUES = 4_000_000;

    private static final int MOST_DIGITS = 18;

    private final ByteBuffer in;
    private final List<Pickled> stack = new ArrayList<>();
    private final Map<Long, Pickled> memo = new HashMap<>();
    private int values;

    /// A pickle that is broken or uses an instruction that is not understood.
    static final class NotUnderstoodException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        private static final int MOST_WORDS = 300;

        NotUnderstoodException(String why) {
            // The message holds names from the pickle, which may be of any length.
            super(why.substring(0, Math.min(MOST_WORDS, why.length())), null, false, false);
        }
    }

    private PickleReader(byte[] pickle) {
        this.in = ByteBuffer.wrap(pickle).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Returns the value that a pickle describes.
    ///
    /// @throws NotUnderstoodException if it is broken, too large, or uses what is not understood
    static Pickled read(byte[] pickle) {
        try {
            return new PickleReader(pickle).run();
        } catch (BufferUnderflowException _) {
            throw new NotUnderstoodException("it is cut off");
        }
    }

    private Pickled run() {
        while (true) {
            int code = in.get() & 0xFF;
            if (code == '.') {
                return pop();
            }
            if (!number(code) && !text(code) && !container(code) && !memory(code)) {
                object(code);
            }
        }
    }

    private boolean number(int code) {
        switch (code) {
            case 'N' -> push(Atom.NONE);
            case 0x88 -> push(Atom.TRUE);
            case 0x89 -> push(Atom.FALSE);
            case 'K' -> push(new Whole(in.get() & 0xFF));
            case 'M' -> push(new Whole(in.getShort() & 0xFFFF));
            case 'J' -> push(new Whole(in.getInt()));
            case 0x8a -> push(whole(bytes(in.get() & 0xFF)));
            case 0x8b -> push(whole(bytes(in.getInt())));
            case 'I', 'L' -> push(decimal(line()));
            case 'G' -> {
                in.getLong();
                push(Atom.OTHER);
            }
            case 'F' -> {
                line();
                push(Atom.OTHER);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static Pickled whole(byte[] little) {
        if (little.length > Long.BYTES) {
            return Atom.OTHER;
        }
        long value = little.length > 0 && little[little.length - 1] < 0 ? -1 : 0;
        for (int i = little.length - 1; i >= 0; i--) {
            value = (value << Byte.SIZE) | (little[i] & 0xFF);
        }
        return new Whole(value);
    }

    private static Pickled decimal(String text) {
        if (text.equals("01") || text.equals("00")) {
            return text.equals("01") ? Atom.TRUE : Atom.FALSE;
        }
        int end = text.length() - (text.endsWith("L") ? 1 : 0);
        long value = 0;
        for (int i = 0; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || i >= MOST_DIGITS) {
                return Atom.OTHER;
            }
            value = value * 10 + digit;
        }
        return end == 0 ? Atom.OTHER : new Whole(value);
    }

    private boolean text(int code) {
        switch (code) {
            case 'X' -> pushText(bytes(in.getInt()));
            case 0x8c, 'U' -> pushText(bytes(in.get() & 0xFF));
            case 0x8d -> pushText(bytes(longLength()));
            case 'T' -> pushText(bytes(in.getInt()));
            case 'V', 'S' -> push(new Text(line()));
            case 'B' -> skip(in.getInt());
            case 'C' -> skip(in.get() & 0xFF);
            case 0x8e, 0x96 -> skip(longLength());
            default -> {
                return false;
            }
        }
        return true;
    }

    private void pushText(byte[] utf8) {
        push(new Text(new String(utf8, StandardCharsets.UTF_8)));
    }

    private void skip(long length) {
        in.position(in.position() + checked(length));
        push(Atom.OTHER);
    }

    private boolean container(int code) {
        switch (code) {
            case '(' -> push(Atom.MARK);
            case ')', ']', 0x8f -> push(new Items());
            case '}' -> push(new Dict());
            case 't', 'l', 0x91 -> push(new Items(popToMark()));
            case 'd' -> push(fill(new Dict(), popToMark()));
            case 0x85 -> push(new Items(popSome(1)));
            case 0x86 -> push(new Items(popSome(2)));
            case 0x87 -> push(new Items(popSome(3)));
            case 'a' -> append(popSome(1));
            case 'e', 0x90 -> append(popToMark());
            case 's' -> fill(popSome(2));
            case 'u' -> fill(popToMark());
            default -> {
                return false;
            }
        }
        return true;
    }

    private void append(List<Pickled> more) {
        switch (peek()) {
            case Items items -> items.values().addAll(more);
            case Instance object -> object.state().add(new Items(more));
            case Atom _, Whole _, Text _, Global _, Dict _, Pickled.Result _, Pickled.Storage _, Pickled.View _ -> {}
        }
    }

    private void fill(List<Pickled> pairs) {
        switch (peek()) {
            case Dict dict -> fill(dict, pairs);
            case Instance object -> object.state().add(fill(new Dict(), pairs));
            case Atom _, Whole _, Text _, Global _, Items _, Pickled.Result _, Pickled.Storage _, Pickled.View _ -> {}
        }
    }

    private static Dict fill(Dict dict, List<Pickled> pairs) {
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
            String key = pairs.get(i) instanceof Text text
                    ? text.value()
                    : pairs.get(i) instanceof Whole whole
                            ? Long.toString(whole.value())
                            : "(" + dict.values().size() + ")";
            dict.values().put(key, pairs.get(i + 1));
        }
        return dict;
    }

    private boolean memory(int code) {
        switch (code) {
            case 'q' -> remember(in.get() & 0xFF);
            case 'r' -> remember(in.getInt());
            case 'p' -> remember(place(line()));
            case 0x94 -> remember(memo.size());
            case 'h' -> recall(in.get() & 0xFF);
            case 'j' -> recall(in.getInt());
            case 'g' -> recall(place(line()));
            case '0' -> pop();
            case '1' -> popToMark();
            case '2' -> push(peek());
            case 0x80 -> in.get();
            case 0x95 -> in.getLong();
            default -> {
                return false;
            }
        }
        return true;
    }

    private static long place(String text) {
        if (decimal(text) instanceof Whole whole) {
            return whole.value();
        }
        throw new NotUnderstoodException("it stores a value under '" + text + "'");
    }

    private void remember(long place) {
        if (memo.size() >= MAX_VALUES) {
            throw new NotUnderstoodException("it stores more than " + MAX_VALUES + " values");
        }
        memo.put(place, peek());
    }

    private void recall(long place) {
        Pickled known = memo.get(place);
        if (known == null) {
            throw new NotUnderstoodException("it reads a value that it never stored");
        }
        push(known);
    }

    private void object(int code) {
        switch (code) {
            case 'c' -> {
                String module = line();
                push(new Global(module + "." + line()));
            }
            case 0x93 -> {
                List<Pickled> names = popSome(2);
                push(new Global(text(names.getFirst()) + "." + text(names.getLast())));
            }
            case 'R' -> {
                List<Pickled> call = popSome(2);
                push(TorchCalls.result(call.getFirst(), call.getLast()));
            }
            case 0x81 -> {
                List<Pickled> made = popSome(2);
                push(instance(made.getFirst(), made.getLast()));
            }
            case 0x92 -> {
                List<Pickled> made = popSome(3);
                push(instance(made.getFirst(), new Items(new ArrayList<>(made.subList(1, 3)))));
            }
            case 'b' -> {
                Pickled state = pop();
                if (peek() instanceof Instance object) {
                    object.state().add(state);
                }
            }
            case 'Q' -> push(TorchCalls.storage(pop()));
            default ->
                throw new NotUnderstoodException(
                        "byte " + (in.position() - 1) + " is the instruction " + code + ", which is not understood");
        }
    }

    private static Pickled instance(Pickled type, Pickled arguments) {
        if (type instanceof Global global) {
            return new Instance(global, arguments, new ArrayList<>());
        }
        throw new NotUnderstoodException("it makes an object of something that is not a class");
    }

    private static String text(Pickled value) {
        if (value instanceof Text text) {
            return text.value();
        }
        throw new NotUnderstoodException("the name of a class is not a text");
    }

    private void push(Pickled value) {
        if (++values > MAX_VALUES) {
            throw new NotUnderstoodException("it makes more than " + MAX_VALUES + " values");
        }
        stack.add(value);
    }

    private Pickled peek() {
        if (stack.isEmpty()) {
            throw empty();
        }
        return stack.getLast();
    }

    private Pickled pop() {
        Pickled value = peek();
        stack.removeLast();
        return value;
    }

    private List<Pickled> popSome(int count) {
        if (stack.size() < count) {
            throw empty();
        }
        List<Pickled> top = stack.subList(stack.size() - count, stack.size());
        List<Pickled> some = new ArrayList<>(top);
        top.clear();
        return some;
    }

    private List<Pickled> popToMark() {
        int mark = stack.lastIndexOf(Atom.MARK);
        if (mark < 0) {
            throw empty();
        }
        List<Pickled> some = popSome(stack.size() - mark - 1);
        stack.removeLast();
        return some;
    }

    private static NotUnderstoodException empty() {
        return new NotUnderstoodException("it takes more values than it made");
    }

    private long longLength() {
        return in.getLong();
    }

    private byte[] bytes(long length) {
        byte[] bytes = new byte[checked(length)];
        in.get(bytes);
        return bytes;
    }

    private int checked(long length) {
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        return (int) length;
    }

    private String line() {
        int start = in.position();
        while (in.get() != '\n') {
            // to the end of the line
        }
        return new String(in.array(), start, in.position() - 1 - start, StandardCharsets.UTF_8);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import java.util.Locale;

/// A description of a rank's call, as two numbers that ranks show each other, and in words.
final class CallDescription {
    private CallDescription() {}

    static long what(Operation operation, DType type, ReduceOp op, int root, boolean uneven) {
        return operation.code()
                | (long) type.code() << 8
                | (long) op.code() << 16
                | (uneven ? 1L << 24 : 0)
                | (long) root << 32;
    }

    static String text(long what, long howMuch) {
        Operation operation = Operation.ofCode((int) (what & 0xff)).orElse(null);
        DType type = DType.ofCode((int) (what >> 8 & 0xff)).orElse(null);
        ReduceOp op = ReduceOp.ofCode((int) (what >> 16 & 0xff)).orElse(null);
        if (operation == null || type == null || op == null) {
            return "something unknown";
        }
        boolean uneven = (what >> 24 & 1) != 0;
        StringBuilder text = new StringBuilder(operation.text());
        if (!operation.equals(Operation.BARRIER) && !operation.equals(Operation.EXCHANGE)) {
            text.append(" of ")
                    .append(uneven ? "uneven pieces of" : String.format(Locale.ROOT, "%,d", howMuch))
                    .append(' ')
                    .append(type.text());
        }
        if (operation.isReduction()) {
            text.append(", ").append(op.text());
        }
        if (operation.hasRoot()) {
            text.append(", root ").append(what >>> 32);
        }
        return text.toString();
    }
}

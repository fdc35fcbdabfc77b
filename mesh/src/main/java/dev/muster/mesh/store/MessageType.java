// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.StoreError;

/// The subject of a message. The codes are part of the protocol; its version changes with them.
enum MessageType {
    SET(1),
    FIND(2),
    AWAIT(3),
    CANCEL(4),
    ADD(5),
    SET_IF_ABSENT(6),
    COMPARE_AND_SET(7),
    DELETE(8),
    KEYS(9),
    AGE(10),
    WATCH(11),
    UNWATCH(12),
    SET_EPHEMERAL(13),
    SET_ON_LOSS(14),
    PING(15),
    BYE(16),
    /// The result of a call.
    ANSWER(32),
    /// The reason for which a call has no result.
    FAULT(33),
    /// A change that a watch hears.
    CHANGE(34),
    /// The end of a watch.
    END(35),
    PONG(36);

    private static final MessageType[] ALL = values();

    private final byte code;

    MessageType(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static MessageType of(byte code) {
        for (MessageType verb : ALL) {
            if (verb.code == code) {
                return verb;
            }
        }
        throw new StoreException(StoreError.GARBLED, "a message of unknown kind: " + code);
    }
}

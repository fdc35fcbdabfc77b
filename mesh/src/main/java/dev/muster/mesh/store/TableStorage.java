// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import java.util.function.Supplier;

/// The storage behind a table: nothing, or files that other processes write to as well.
interface TableStorage {
    /// Nothing: the table is all there is.
    TableStorage NONE = new TableStorage() {
        @Override
        public <T> T exclusively(Supplier<T> change) {
            return change.get();
        }

        @Override
        public void refresh() {}

        @Override
        public Backoff pace() {
            return Backoff.unhurried();
        }
    };

    /// Makes a change while no other does, with the table up to date.
    <T> T exclusively(Supplier<T> change);

    /// Brings the table up to date.
    void refresh();

    /// Returns the pause between looks of those who wait.
    Backoff pace();
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

/// A number of the cost model that a prediction rests on.
///
/// @param name its name in the table of coefficients
/// @param value its value
/// @param basis what it rests on itself
/// @since 0.1
public record UsedCoefficient(String name, double value, Basis basis) {
    /// What a coefficient rests on.
    public enum Basis {
        /// Measurements moved it from what was believed.
        MEASURED("fitted", "fitted to measurements"),
        /// No measurement tells it.
        PRIOR("prior", "a prior that no measurement moved"),
        /// Nothing was measured on this device or release, so it is taken as its kin.
        OF_FAMILY("family", "nothing measured; taken from its device family");

        private final String label;
        private final String display;

        Basis(String label, String display) {
            this.label = label;
            this.display = display;
        }

        /// The name in documents.
        public String label() {
            return label;
        }

        /// For people.
        public String display() {
            return display;
        }
    }
}

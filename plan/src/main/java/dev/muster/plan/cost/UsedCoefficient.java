// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// A number of the cost model that a prediction uses.
///
/// @param name its name in the table of coefficients
/// @param value its value
/// @param basis its own basis
/// @since 0.1
public record UsedCoefficient(String name, double value, CoefficientBasis basis) {
    /// The basis of a coefficient.
    public enum CoefficientBasis {
        /// Fitted to measurements.
        MEASURED("fitted", "fitted to measurements"),
        /// A prior without measurements.
        PRIOR("prior", "a prior that no measurement moved"),
        /// Taken from the device family or other releases, without measurements.
        OF_FAMILY("family", "nothing measured; taken from its device family");

        private final String label;
        private final String display;

        CoefficientBasis(String label, String display) {
            this.label = label;
            this.display = display;
        }

        /// Returns the name in documents.
        public String label() {
            return label;
        }

        /// Returns the display text.
        public String display() {
            return display;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonString;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A SKU of Compute Engine that is a part of machines, by the hour or until it is taken back.
///
/// @param part the kind of part
/// @param name its description without where it runs and how it is rented
/// @param isSpot true if it can be taken back
/// @param regions the regions that sell it
/// @param json the whole
record GcpSku(Part part, String name, boolean isSpot, List<String> regions, JsonValue json) {
    private static final String A_MONTH = "GiBy.mo";
    private static final BigDecimal HOURS_OF_A_MONTH = BigDecimal.valueOf(730);
    private static final int NANOS = 9;
    private static final BigDecimal NANOS_OF_A_UNIT = BigDecimal.ONE.movePointRight(NANOS);
    /// Commitments and reservations have others.
    private static final Set<String> USAGES = Set.of("OnDemand", "Preemptible");
    /// The longer ones first, since they hold the others.
    private static final List<String> WAYS_TO_RENT = List.of(
            " attached to Spot Preemptible VMs", " attached to Preemptible VMs", "Spot Preemptible ", "Preemptible ");

    /// Parts of machines.
    enum Part {
        CORE("core", "CPU", "h"),
        MEMORY("memory", "RAM", "GiBy.h"),
        ACCELERATOR("accelerator", "GPU", "h"),
        LOCAL_SSD("local-ssd", "LocalSSD", "GiBy.h", A_MONTH);

        private final String text;
        private final String group;
        private final List<String> units;

        Part(String text, String group, String... units) {
            this.text = text;
            this.group = group;
            this.units = List.of(units);
        }

        /// The name in the table of parts.
        String text() {
            return text;
        }
    }

    /// The SKU, where it is a part of machines.
    ///
    /// @throws DocumentException if it is not a SKU
    static Optional<GcpSku> find(JsonValue sku) {
        JsonValue category = sku.require("category");
        String group = category.requireText("resourceGroup");
        String description = sku.requireText("description");
        List<String> regions = sku.requireItems("serviceRegions").stream()
                .map(region -> region instanceof JsonString(String name) ? name : "")
                .toList();
        return USAGES.contains(category.requireText("usageType"))
                ? Arrays.stream(Part.values())
                        .filter(part ->
                                part.group.equals(group) || (part == Part.ACCELERATOR && description.contains("TpuV")))
                        .findFirst()
                        .map(part ->
                                new GcpSku(part, name(description), description.contains("Preemptible"), regions, sku))
                : Optional.empty();
    }

    private static String name(String description) {
        String name = description;
        for (String way : WAYS_TO_RENT) {
            name = name.replace(way, "");
        }
        int place = name.indexOf(" running in ");
        int at = place >= 0 ? place : name.indexOf(" in ");
        return (at >= 0 ? name.substring(0, at) : name).strip();
    }

    boolean isOf(String wanted) {
        return name.equalsIgnoreCase(wanted);
    }

    /// Adds its prices for an hour of a unit of the part.
    ///
    /// @throws DocumentException if it has tiers, or is sold by something else
    void addPrices(Effective prices) {
        for (JsonValue info : json.requireItems("pricingInfo")) {
            JsonValue expression = info.require("pricingExpression");
            String unit = expression.requireText("usageUnit");
            List<JsonValue> tiers = expression.requireItems("tieredRates");
            boolean isUnit = part.units.contains(unit);
            if (!isUnit || tiers.size() != 1) {
                throw DocumentException.of(
                        WRONG_VALUE,
                        "'" + json.requireText("description") + "' "
                                + (isUnit
                                        ? "has " + tiers.size() + " tiers, not one"
                                        : "is sold by '" + unit + "', not '" + String.join("' or '", part.units)
                                                + "'"));
            }
            BigDecimal price = money(tiers.getFirst().require("unitPrice"));
            prices.add(
                    unit.equals(A_MONTH) ? price.divide(HOURS_OF_A_MONTH, MathContext.DECIMAL64) : price,
                    info.requireText("effectiveTime"));
        }
    }

    /// Whole units as a text, and billionths of one as a number, which is left out when it is 0.
    private static BigDecimal money(JsonValue price) {
        if (!price.requireText("currencyCode").equals("USD")) {
            throw DocumentException.of(
                    WRONG_VALUE, "its prices are in " + price.requireText("currencyCode") + ", not in USD");
        }
        String units = price.find("units").isPresent() ? price.requireText("units") : "0";
        JsonNumber nanos = price.find("nanos").isPresent() ? price.requireNumber("nanos") : JsonNumber.of(0);
        boolean isMoney = units.matches("[0-9]{1,9}")
                && nanos.isWhole()
                && nanos.toDecimal().signum() >= 0
                && nanos.toDecimal().compareTo(NANOS_OF_A_UNIT) < 0;
        if (!isMoney) {
            throw DocumentException.of(
                    WRONG_VALUE, "'" + units + "' units and " + nanos.text() + " nanos are not a price");
        }
        return new BigDecimal(units).add(nanos.toDecimal().movePointLeft(NANOS));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

import java.util.List;

/// The reason why a request has no answer. Immutable.
///
/// @param cause the cause
/// @param values the values that it is about, in the order that the cause lists
/// @since 0.3
public record Shortfall(Cause cause, List<Object> values) {
    /// Copies the list.
    public Shortfall {
        values = List.copyOf(values);
    }

    /// Returns a shortfall.
    public static Shortfall of(Cause cause, Object... values) {
        return new Shortfall(cause, List.of(values));
    }

    /// Reports whether an engine or a framework refuses the request; another one may not.
    public boolean isRefusal() {
        return switch (cause) {
            case NOT_ON_DEVICE, FORMAT_NOT_READ, CACHE_FORMAT, RULE_BROKEN -> true;
            default -> false;
        };
    }

    /// The causes.
    public enum Cause {
        /// No device was found. No values.
        NO_DEVICE,
        /// No device is left. Values: the note on one that was left out, the number of others.
        NO_DEVICE_LEFT,
        /// There is a processor alone. No values.
        NO_ACCELERATOR,
        /// No framework was measured on the devices. No values.
        NO_FRAMEWORK,
        /// The model is of a kind that is not planned. Values: its name, its kind, whether it was to serve.
        OTHER_KIND,
        /// The parts of a model that does not write text are not known. Values: its name, its kind, the doubt about its
        /// configuration; blank without one.
        UNKNOWN_PARTS,
        /// The architecture of the model is unknown. Values: the doubt about its configuration; blank without one.
        UNKNOWN_ARCHITECTURE,
        /// A required fact is unknown. Values: its reading, with the reason.
        UNKNOWN_FACT,
        /// The memory, the bandwidth or the rate of operations is unknown. Values: the name of the devices.
        UNKNOWN_FIGURES,
        /// The power is unknown. Values: the name of the devices.
        UNKNOWN_POWER,
        /// An engine or a framework does not run on the devices. Values: its name, the name of the devices.
        NOT_ON_DEVICE,
        /// An engine does not read the weights. Values: its name, the weight format.
        FORMAT_NOT_READ,
        /// An engine is planned with a KV cache of 16 bits only. Values: its name.
        CACHE_FORMAT,
        /// The plan breaks a rule of an engine. Values: its name, its release, the rule, the source of the rule, the
        /// engine of the launch target if it has the rule.
        RULE_BROKEN,
        /// The devices have no units for a precision. Values: the name of the devices, the precision.
        NO_UNITS,
        /// No offer has such a mixture of devices. No values.
        NO_MIXED_OFFER,
        /// A framework offloads no such states. Values: its name.
        NO_OFFLOAD,
        /// PyTorch without a framework was measured on dense models only. No values.
        PYTORCH_DENSE_ONLY,
        /// PyTorch without a framework was measured in bf16 only. No values.
        PYTORCH_BF16_ONLY,
        /// The best plan does not fit. Values: the number of devices, their name, the bytes that it needs of each, the
        /// bytes that each has.
        DOES_NOT_FIT,
        /// The best plan exceeds limits. Values: the number of devices, their name, the list of breaches.
        LIMITS_EXCEEDED,
        /// The best plan is too slow. Values: the number of devices, their name, its seconds, those asked for.
        TOO_SLOW,
        /// No device of a fleet is free. No values.
        NO_FREE_DEVICE,
        /// No replica fits on the devices. No values.
        NO_REPLICA_FITS,
        /// No requested layout fits. No values.
        NO_LAYOUT_FITS,
        /// A tensor parallel degree does not divide the attention heads. Values: the degree, the heads.
        UNDIVIDED_HEADS,
        /// The devices have no room for the replicas. Values: replicas and tensor parallel degree asked for; 0 for any.
        NO_ROOM,
        /// The fleet has no host. No values.
        NO_HOST,
        /// No host of the fleet can be used. Values: a reason and the number of its hosts, and further such pairs.
        NO_USABLE_HOST,
        /// Too few hosts are free. Values: hosts asked for, devices of each, their name, free hosts.
        TOO_FEW_HOSTS,
        /// Every request of a load is rejected. Values: tokens of a prompt, of a step, of the KV cache of a replica.
        ALL_REJECTED,
        /// An engine refuses the context. Values: the name of the model, its tokens, the engine, the tokens asked for.
        CONTEXT_TOO_LONG,
        /// Replicas for prefill and for decode share hosts of which there are several. Values: replicas for prefill,
        /// replicas for decode.
        DISAGGREGATED,
        /// A target trains models, and the plan serves one. Values: its name.
        TRAINS_ONLY,
        /// A target serves models, and the plan trains one. Values: its name.
        SERVES_ONLY,
        /// No target starts the engine. Values: its name; blank if the plan names none.
        NO_TARGET,
        /// A replica takes part of a host. Values: devices of a replica, devices of a host.
        PART_OF_HOST,
        /// The release of a target cannot run the plan. Values: the assertion of its table.
        TARGET_LIMIT
    }
}

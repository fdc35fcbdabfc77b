// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

import dev.muster.plan.cost.Rental;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.training.OffloadStore.Place;
import dev.muster.plan.training.TrainingFramework;
import java.util.List;

/// A change with which a request can be met, or an input that an answer needs. Immutable.
///
/// @since 0.3
public sealed interface Remedy {
    /// Another value of a parameter of the question. Numbers are rounded so that the request with them is met.
    ///
    /// @param key key of the parameter in a question, such as `concurrency`
    /// @param value the value with which the request is met: a number, or a value of the parameter's type
    /// @param instead the value that was asked for, of the same type
    record Change(String key, Object value, Object instead) implements Remedy {}

    /// More devices of the same kind.
    ///
    /// @param devices number of devices
    /// @param instead number of devices that there are
    record MoreDevices(int devices, int instead) implements Remedy {}

    /// States of a training outside of the devices.
    ///
    /// @param states the states that lie outside
    /// @param place their place
    /// @param framework the framework, which can be another one than that of the request
    /// @param bytesPerDevice bytes outside for each device
    record OffloadedStates(Offload states, Place place, TrainingFramework framework, double bytesPerDevice)
            implements Remedy {}

    /// Another machine for rent.
    ///
    /// @param rental the machine and its price
    record RentedMachine(Rental rental) implements Remedy {}

    /// Several remedies, all of which are needed.
    ///
    /// @param all the remedies
    record Together(List<Remedy> all) implements Remedy {
        /// Copies the list.
        public Together {
            all = List.copyOf(all);
        }
    }

    /// An input that an answer needs, or a choice that was not tried.
    enum Advice implements Remedy {
        /// A hypothetical machine instead of the detected one.
        HYPOTHETICAL_DEVICES,
        /// A model that generates text.
        TEXT_MODEL,
        /// A model by name, file or folder.
        MODEL,
        /// A model by name, file or folder, and a weight format.
        MODEL_AND_FORMAT,
        /// Prices of machines with such devices.
        PRICES,
        /// Another goal.
        OTHER_GOAL,
        /// Another weight format, engine or devices.
        OTHER_FORMAT_ENGINE_OR_DEVICES,
        /// Another training framework, stated by name.
        FRAMEWORK,
        /// Fewer tokens, or other devices.
        FEWER_TOKENS_OR_OTHER_DEVICES,
        /// Shorter prompts, more tokens a step, or other devices.
        SHORTER_PROMPTS,
        /// Fewer replicas, or other devices.
        FEWER_REPLICAS_OR_OTHER_DEVICES,
        /// A tensor parallel degree that divides the attention heads.
        DIVIDING_DEGREE,
        /// Fewer hosts.
        FEWER_HOSTS,
        /// Hosts of a fleet that can be used.
        USABLE_HOSTS
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What templates can speak of. What is not known of a plan is absent, and an option that needs it is
/// left out.
enum LaunchFact {
    /// `serving` or `training`.
    PURPOSE,
    /// The model as its program is given it: a repository, a folder or a file.
    MODEL,
    /// The same where it is a GGUF file.
    MODEL_FILE,
    /// How its weights are stored, such as `bf16`.
    FORMAT,
    /// 1 where that format is one of GGUF alone, else 0.
    GGUF,
    /// The [LaunchTarget] that the plan was made for, by its label.
    ENGINE,
    /// The same, for people.
    ENGINE_NAME,
    /// The release of the program that is started, such as `0.27.1`: the one that knows the model and the devices.
    RELEASE,
    /// Kin of the devices, such as `nvidia-hbm`.
    FAMILY,
    /// The device for people.
    DEVICE,
    /// What CUDA calls the generation of the devices, such as `8.9`; absent for others.
    CAPABILITY,
    /// Machines that are used.
    HOSTS,
    /// Devices that each machine has.
    DEVICES_PER_HOST,
    /// Devices that share every matrix.
    TENSOR,
    /// Pipeline stages.
    STAGES,
    /// Devices that share the experts of a layer.
    EXPERT,
    /// Groups that each attend to sequences of their own, while experts are shared.
    ATTENTION_REPLICAS,
    /// Those of them on each machine of a replica that lies on several, where they divide.
    ATTENTION_PER_HOST,
    /// Replicas of the model beside each other; in training, replicas that each see other data.
    REPLICAS,
    /// Experts of a layer; 0 in a model without.
    EXPERTS,
    /// Experts that see each token.
    ACTIVE_EXPERTS,
    /// Tokens of a prompt and its answer together.
    CONTEXT,
    /// Sequences that one replica runs at once.
    SEQUENCES,
    /// Sequences that each group of a replica runs at once.
    SEQUENCES_EACH,
    /// Tokens of a step that an engine schedules at most, where a plan says so.
    TOKEN_BUDGET,
    /// Tokens of all sequences of a replica together.
    TOTAL_CONTEXT,
    /// Bits of a key or value.
    KV_BITS,
    /// Of a device's memory, what the engine may take.
    MEMORY_FRACTION,
    /// Of a device's memory, what weights and KV cache may take together.
    STATIC_FRACTION,
    /// GiB of all weights.
    WEIGHTS,
    /// GiB of weights on each device.
    WEIGHTS_EACH,
    /// GiB of 16-bit weights that lie on each device before they become a smaller format, where that is more than it
    /// has.
    LOAD_EACH,
    /// GiB of KV cache on each device.
    CACHE_EACH,
    /// Layers of the model.
    LAYERS,
    /// Layers, and the output as one more.
    OFFLOADED_LAYERS,
    /// Layers that stay in the memory of the host; absent where none does.
    HOST_LAYERS,
    /// Layers whose experts stay in the memory of the host; absent where none do.
    HOST_EXPERTS,
    /// Layers of each device of a replica, where they are not equal, such as `30,7`.
    UNEQUAL_SHARES,
    /// Width of the model.
    HIDDEN,
    /// Attention heads.
    HEADS,
    /// KV heads.
    KV_HEADS,
    /// Width of the feed-forward blocks.
    FEED_FORWARD,
    /// Head size (Megatron's kv-channels).
    HEAD_SIZE,
    /// Rank of the compressed KV cache; absent without latent attention.
    KV_RANK,
    /// Rank of the compressed queries.
    QUERY_RANK,
    /// Width of a head's unrotated part.
    PLAIN_HEAD_SIZE,
    /// Width of a head's rotated part.
    ROPE_HEAD_SIZE,
    /// Width of a head's values.
    VALUE_HEAD_SIZE,
    /// Inner width of one expert.
    EXPERT_SIZE,
    /// Inner width of all shared experts together.
    SHARED_SIZE,
    /// Which layers have experts, as a list of Python, where not all do.
    EXPERT_LAYERS,
    /// Layers that keep a state.
    STATE_LAYERS,
    /// A letter for each layer of a hybrid of Mamba-2, with a bar behind each stage.
    HYBRID_PATTERN,
    /// Heads of a layer that keeps a state.
    STATE_HEADS,
    /// Groups of those heads.
    STATE_GROUPS,
    /// Width of a state's keys.
    STATE_KEY_SIZE,
    /// Width of a state's values.
    STATE_VALUE_SIZE,
    /// What feed-forward blocks compute, such as `swiglu`; known of some families, as are the following.
    ACTIVATION,
    /// `rms` or `layer`.
    NORMALIZATION,
    /// 1 where products have a bias, else 0.
    LINEAR_BIAS,
    /// 1 where queries, keys and values have a bias, else 0.
    QKV_BIAS,
    /// 1 where queries and keys are normalised, else 0.
    QK_NORM,
    /// `rope`, `learned` or `none`.
    POSITIONS,
    /// The base of rotated positions.
    ROPE_BASE,
    /// How many times rotated positions are stretched; absent where they are not.
    ROPE_SCALING,
    /// How scores of experts are made: `sigmoid`; absent where by softmax.
    ROUTER,
    /// 1 where input and output embedding are the same, else 0.
    TIED,
    /// How a model is trained: `full`, `lora` or `qlora`.
    METHOD,
    /// Tokens of a training sequence.
    SEQUENCE,
    /// Sequences of one forward pass.
    MICRO_BATCH,
    /// Sequences of one step of the optimizer.
    GLOBAL_BATCH,
    /// Forward passes of each replica in one step of the optimizer.
    ACCUMULATION,
    /// Devices that share each sequence.
    CONTEXT_PARALLEL,
    /// Pieces of the model on each stage.
    VIRTUAL_STAGES,
    /// Layers of each such piece.
    LAYERS_PER_VIRTUAL_STAGE,
    /// What each stage holds, where layers do not divide: `E` the embedding, `t` a layer, `L` head and loss.
    STAGE_LAYERS,
    /// What lies next to each other: `replicas-first` or `stages-first`.
    ORDER,
    /// What replicas share: 0 nothing, 1 the optimizer's state, 2 gradients too, 3 weights too.
    ZERO_STAGE,
    /// What lies outside of the devices in training: `optimizer` or `all`; absent where nothing does.
    OFFLOAD,
    /// Where that lies: `cpu` or `nvme`.
    OFFLOAD_DEVICE,
    /// What is computed again in the backward pass: `none`, `selective` or `full`.
    RECOMPUTE,
    /// Numbers of the products: `bf16`, `fp16`, `fp8` or `fp32`.
    PRECISION,
    /// The training program; `train.py` where nobody said.
    SCRIPT,
    /// What stands around: `none`, or the label of a target that starts others.
    WRAPPER,
    /// Devices of one replica; in training, all of them.
    REPLICA_DEVICES,
    /// Machines that one replica lies on.
    HOSTS_PER_REPLICA,
    /// Copies on each machine.
    REPLICAS_PER_HOST,
    /// Machines that start together.
    HOSTS_TOGETHER,
    /// Devices of each machine that do something.
    DEVICES_USED_PER_HOST,
    /// Devices that start together.
    DEVICES_TOGETHER,
    /// How often the whole has to be started: once for each replica that lies on machines of its own.
    GROUPS,
    /// The number of the last of them, from 0.
    LAST_GROUP,
    /// Equal shares, one for each device of a replica, such as `1,1`.
    SHARES,
    /// Where a replica listens.
    PORT,
    /// The number of a machine, from 0.
    HOST,
    /// Devices that one replica sees, such as `0,1`.
    VISIBLE,
    /// The devices of a machine that the plan means, by number or UUID with commas between; absent where they are all
    /// devices of the machine, in order.
    DEVICE_NAMES,
    /// A name that clusters accept, made of the model's.
    JOB,
    /// The hosts that were planned, by name with commas between; absent where any will do.
    NODES,
    /// The partition of Slurm that has them; absent where the usual one does.
    PARTITION,
    /// The reservation of Slurm that has them.
    RESERVATION,
    /// The keys of taints that the hosts have and the plan tolerates, with commas between.
    TOLERATIONS,
    /// 1 where others use the rest of the hosts' devices; absent where the plan takes whole hosts.
    SHARED,
    /// What Kubernetes calls such a device.
    RESOURCE,
    /// The container image of the engine.
    IMAGE,
    /// The shell script that each machine runs.
    LAUNCH;

    private final String label;

    LaunchFact() {
        StringBuilder camel = new StringBuilder();
        for (String word : name().toLowerCase(Locale.ROOT).split("_", -1)) {
            camel.append(camel.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        this.label = camel.toString();
    }

    /// The name in templates, such as `devicesPerHost`.
    public String label() {
        return label;
    }

    static Optional<LaunchFact> find(String label) {
        return Arrays.stream(values()).filter(fact -> fact.label.equals(label)).findFirst();
    }
}

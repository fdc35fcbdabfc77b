# SPDX-License-Identifier: Apache-2.0
"""Asks accelerate's own parser and validation about emitted launches: check_accelerate.py SOURCE_TREE FOLDER.

The parser, the validation and the preparation of the processes' environment run as they are, of the tree that is given.
DeepSpeed, which some launches use, is taken to be installed; no process is started.
"""

import os
import re
import sys

import launches


def checker(tree):
    """Returns a function that raises what accelerate raises for a launch."""
    sys.path.insert(0, os.path.join(tree, "src"))
    # pylint: disable=import-error,import-outside-toplevel
    import accelerate
    from accelerate.commands import launch
    from accelerate.utils import launch as preparation

    if not accelerate.__file__.startswith(tree):
        raise ImportError("accelerate is not the one of the source tree")
    preparation.is_torch_xla_available = lambda *_, **__: False
    parser = launch.launch_command_parser()
    os.environ["HF_HOME"] = "/nonexistent"

    def check(words, environment, place):
        if words[:2] != ["accelerate", "launch"]:
            raise ValueError("not accelerate launch")
        read = parser.parse_args(words[2:])
        asked = re.search(r":(\d+) .*--hosts (\d+)", launches.question_of(place))
        if asked and read.num_processes > int(asked.group(1)) * int(asked.group(2)):
            raise ValueError(f"{read.num_processes} processes on fewer devices")
        if read.num_processes % read.num_machines:
            raise ValueError(f"{read.num_processes} processes do not divide among {read.num_machines} hosts")
        read, _, _ = launch._validate_launch_command(read)  # pylint: disable=protected-access
        os.environ.update({name: value for name, value in environment.items() if name.startswith("CUDA_")})
        if read.use_deepspeed:
            read.deepspeed_fields_from_accelerate_config = ""
            command, made = preparation.prepare_deepspeed_cmd_env(read)
            if command and "None" in command:
                raise ValueError("hosts are started by ssh from a list that is not there: " + " ".join(command))
            if made["ACCELERATE_USE_DEEPSPEED"] != "true":
                raise ValueError("DeepSpeed is not used")
        elif read.use_fsdp or read.multi_gpu:
            made = preparation.prepare_multi_gpu_env(read)
            if read.use_fsdp and made["FSDP_SHARDING_STRATEGY"] not in ("FULL_SHARD", "SHARD_GRAD_OP"):
                raise ValueError("FSDP shards in another way than planned")
        else:
            preparation.prepare_simple_launcher_cmd_env(read)
            if read.num_processes > 1:
                raise ValueError(f"{read.num_processes} processes, and nothing that starts several")

    return check


def without(option, values=0):
    """Returns a planted error that takes an option away."""

    def plant(words, environment):
        changed = launches.without(words, option, values)
        return None if changed is None else (changed, environment)

    return plant


def changed_to(option, value):
    """Returns a planted error that changes the value of an option."""

    def plant(words, environment):
        changed = launches.with_value(words, option, value)
        return None if changed is None else (changed, environment)

    return plant


def added(*more):
    """Returns a planted error that adds words behind the command."""
    return lambda words, environment: ([*words[:2], *more, *words[2:]], environment)


PLANTED = {
    "FSDP that is not asked for": without("--use_fsdp"),
    "replicas that are not started": without("--multi_gpu"),
    "an option that does not exist": added("--fsdp_stage", "3"),
    "TPU besides": lambda words, environment: (
        added("--tpu")(words, environment) if {"--use_fsdp", "--multi_gpu", "--use_deepspeed"} & set(words) else None
    ),
    "a precision that does not exist": changed_to("--mixed_precision", "bf8"),
    "processes that are not there": changed_to("--num_processes", "100000"),
    "hosts without a way to start": without("--deepspeed_multinode_launcher", 1),
    "a ZeRO stage that is not a number": changed_to("--zero_stage", "three"),
}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(launches.judge(sys.argv[2], checker(os.path.abspath(sys.argv[1])), PLANTED))

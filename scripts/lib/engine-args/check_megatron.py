# SPDX-License-Identifier: Apache-2.0
"""Asks Megatron-LM's own parser and validation about emitted launches: check_megatron.py SOURCE_TREE FOLDER.

parse_args, validate_args and the construction of the transformer configuration run as they are, of the tree that is given,
with PyTorch for the processor. Not asked: Transformer Engine, which is not there; its version is taken to be 2.9.0. The
capability of the devices is that of the synthetic device that was asked for. The data, the tokenizer and the learning rate,
which no plan knows, are added as a user would (--mock-data).
"""

import argparse
import importlib.abc
import importlib.machinery
import os
import re
import sys
import types

import launches

TRANSFORMER_ENGINE = "2.9.0"
# Packages that validation imports and does not use.
UNUSED = ("triton", "einops")
CAPABILITIES = {"a100": (8, 0), "l40s": (8, 9), "h100": (9, 0), "h200": (9, 0), "b200": (10, 0), "mi300x": (9, 4)}
USERS = (
    "--mock-data --tokenizer-type NullTokenizer --vocab-size 128000 --lr 1e-4 --train-iters 10 --no-gradient-accumulation-fusion"
).split()


# What a launch asks its user to append for a model whose family it does not know.
ASKED = "--swiglu, --normalization, --position-embedding-type, --disable-bias-linear"
APPENDED = "--swiglu --normalization RMSNorm --position-embedding-type rope --disable-bias-linear".split()


class SwitchOfOlderPython(argparse.BooleanOptionalAction):
    """The action with the parameters that Python 3.14 took away, all of which did nothing."""

    def __init__(self, *words, **options):
        for name in ("type", "choices", "metavar"):
            options.pop(name, None)
        super().__init__(*words, **options)


class Unused(types.ModuleType):
    """A module in which everything is there and does nothing."""

    __version__ = "3.4.0"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


class Anything:
    """An object that can be called, indexed and asked for anything, and serves as a decorator."""

    def __call__(self, *words, **options):
        return words[0] if len(words) == 1 and callable(words[0]) and not options else self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __getitem__(self, _):
        return self

    def __mro_entries__(self, _):
        return (object,)


class UnusedFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the packages that are not used."""

    def find_spec(self, name, path=None, target=None):
        """Returns a module for a package that is listed."""
        if name.split(".")[0] in UNUSED:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        """Returns an empty module."""
        return Unused(spec.name)

    def exec_module(self, module):
        """Runs nothing."""


def load(tree):
    """Imports Megatron-LM of a source tree."""
    # pylint: disable=import-error,import-outside-toplevel
    argparse.BooleanOptionalAction = SwitchOfOlderPython
    os.environ["TORCH_COMPILE_DISABLE"] = "1"
    import torch

    torch.compile = lambda function=None, **_: function or (lambda other: other)
    sys.meta_path.append(UnusedFinder())
    sys.path.insert(0, tree)
    import megatron.core.utils as utils
    from packaging.version import Version

    utils.get_te_version = lambda: Version(TRANSFORMER_ENGINE)
    utils._te_version = Version(TRANSFORMER_ENGINE)  # pylint: disable=protected-access
    import megatron.core.models.common.embeddings.rope_utils as rope_utils

    for name in ("fused_apply_rotary_pos_emb", "fused_apply_rotary_pos_emb_thd"):
        setattr(rope_utils, name, getattr(rope_utils, name, None) or Anything())
    import megatron.training.argument_utils as argument_utils
    import megatron.training.arguments as arguments

    return torch, arguments, argument_utils


def split(words):
    """Returns the options of torchrun, the script and its own options."""
    at = next(i for i, word in enumerate(words) if word.endswith(".py"))
    return words[1:at], words[at], words[at + 1 :]


def is_incomplete(place):
    """Reports whether a launch asks its user for the architecture of the model."""
    with open(os.path.join(place, "launch.sh"), encoding="utf-8") as file:
        return ASKED in file.read()


def checker(tree):
    """Returns a function that raises what Megatron-LM raises for a launch."""
    torch, arguments, argument_utils = load(tree)
    from torch.distributed.run import get_args_parser

    def check(words, environment, place):
        launcher, script, options = split(words)
        if not os.path.exists(os.path.join(tree, script)):
            raise FileNotFoundError(script)
        started = get_args_parser().parse_args([*launcher, script])
        hosts, each = int(started.nnodes), int(started.nproc_per_node)
        asked = re.search(r"\[([a-z0-9]+)\S*:(\d+) .*--hosts (\d+)", launches.question_of(place))
        if asked:
            if hosts > int(asked.group(3)) or each > int(asked.group(2)):
                raise ValueError(f"{hosts} hosts with {each} devices, which are not there")
            capability = CAPABILITIES[asked.group(1)]
        else:
            capability = (9, 0)
        torch.cuda.get_device_capability = lambda *_: capability
        torch.cuda.get_device_properties = lambda *_: types.SimpleNamespace(major=capability[0], minor=capability[1])
        os.environ.pop("CUDA_DEVICE_MAX_CONNECTIONS", None)
        os.environ.update({name: value for name, value in environment.items() if name.startswith("CUDA_")})
        # The last rank: the first one prints all arguments.
        os.environ["RANK"] = os.environ["WORLD_SIZE"] = str(hosts * each)
        sys.argv = [script, *options, *USERS, *(APPENDED if is_incomplete(place) else [])]
        read = arguments.parse_args()
        arguments.validate_args(read)
        read.padded_vocab_size = read.vocab_size
        replicas = hosts * each // (
            read.tensor_model_parallel_size * read.pipeline_model_parallel_size * read.context_parallel_size
        )
        if read.data_parallel_size != replicas:
            raise ValueError(f"{read.data_parallel_size} replicas, not {replicas}")
        if read.num_experts and not read.moe_grouped_gemm and capability[0] >= 8:
            raise ValueError("experts without --moe-grouped-gemm run one after the other")
        argument_utils.core_transformer_config_from_args(read)

    return check


def options_of(change):
    """Returns a planted error that changes the words alone."""

    def plant(words, environment):
        changed = change(words)
        return None if changed is None else (changed, environment)

    return plant


def unbound(words, environment):
    """Takes away the variable that TP and CP need before Blackwell."""
    if environment.pop("CUDA_DEVICE_MAX_CONNECTIONS", None) is None:
        return None
    return words, environment


def ungrouped_recompute(words):
    """Recomputes the activation of experts without a grouped product."""
    return launches.without(words, "--moe-grouped-gemm") if "moe_act" in words else None




PLANTED = {
    "moe_act without --moe-grouped-gemm": options_of(ungrouped_recompute),
    "no --moe-grouped-gemm": options_of(lambda words: launches.without(words, "--moe-grouped-gemm")),
    "a host that is not there": options_of(lambda words: launches.with_value(words, "--nnodes", "1000")),
    "stages that do not divide the devices": options_of(
        lambda words: launches.with_value(words, "--pipeline-model-parallel-size", "1009")
    ),
    "an option that does not exist": options_of(lambda words: [*words, "--moe-router-groups", "8"]),
    "group-limited routing without groups": options_of(lambda words: launches.without(words, "--moe-router-num-groups", 1)),
    "--overlap-param-gather alone": options_of(
        lambda words: launches.without(words, "--overlap-grad-reduce") if "--overlap-param-gather" in words else None
    ),
    "no CUDA_DEVICE_MAX_CONNECTIONS": unbound,
    "stages without their layout": options_of(lambda words: launches.without(words, "--pipeline-model-parallel-layout", 1)),
}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(launches.judge(sys.argv[2], checker(os.path.abspath(sys.argv[1])), PLANTED))

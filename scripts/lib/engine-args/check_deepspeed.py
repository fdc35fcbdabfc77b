# SPDX-License-Identifier: Apache-2.0
"""Asks DeepSpeed's own parser about emitted launches: check_deepspeed.py SOURCE_TREE FOLDER.

The package imports more than can be expected here, so that two parts are read from its source: the function that parses the
launcher's options runs as it is written there, with nothing else of its file; the settings of ds_config.json are held to the
names and the fields that the source declares (runtime/constants.py, runtime/zero/config.py, zero/offload_config.py,
runtime/precision_config.py and runtime/tensor_parallel/config.py).
"""

import argparse
import ast
import json
import os
import re
import sys

import launches

SECTIONS = {
    "zero_optimization": ("runtime/zero/config.py", "DeepSpeedZeroConfig"),
    "zero_optimization/offload_optimizer": ("runtime/zero/offload_config.py", "DeepSpeedZeroOffloadOptimizerConfig"),
    "zero_optimization/offload_param": ("runtime/zero/offload_config.py", "DeepSpeedZeroOffloadParamConfig"),
    "bf16": ("runtime/precision_config.py", "DeepSpeedBF16Config"),
    "fp16": ("runtime/precision_config.py", "DeepSpeedFP16Config"),
    "tensor_parallel": ("runtime/tensor_parallel/config.py", "TPTrainingConfig"),
}


def parsed(tree, path):
    """Returns the syntax of a file of the package."""
    with open(os.path.join(tree, "deepspeed", path), encoding="utf-8") as file:
        return ast.parse(file.read())


def parser_of(tree):
    """Returns the launcher's own function that parses its options, and nothing else of its file."""
    source = parsed(tree, "launcher/runner.py")
    wanted = [
        node
        for node in source.body
        if (isinstance(node, ast.FunctionDef) and node.name == "parse_args")
        or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant))
    ]
    constants = parsed(tree, "constants.py").body + parsed(tree, "launcher/constants.py").body
    constants = [node for node in constants if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)]
    space = {"argparse": argparse, "os": os, "json": json}
    exec(compile(ast.Module(constants + wanted, []), "runner.py", "exec"), space)  # pylint: disable=exec-used
    return space["parse_args"]


def fields_of(tree, path, name):
    """Returns the names that a class of settings declares, with their aliases."""
    found = set()
    for node in ast.walk(parsed(tree, path)):
        if isinstance(node, ast.ClassDef) and node.name == name:
            for one in node.body:
                if isinstance(one, ast.AnnAssign):
                    found.add(one.target.id)
                    for key in getattr(one.value, "keywords", []):
                        if key.arg == "alias":
                            found.add(key.value.value)
    if not found:
        raise LookupError(f"{name} in {path}")
    return found


def checker(tree):
    """Returns a function that raises what DeepSpeed raises for a launch."""
    parse = parser_of(tree)
    constants = {
        node.value.value
        for node in ast.walk(parsed(tree, "runtime/constants.py"))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    }
    declared = {section: fields_of(tree, *place) for section, place in SECTIONS.items()}

    def held(settings, section, place):
        for name, value in settings.items():
            path = f"{section}/{name}" if section else name
            known = declared.get(section, constants | set(SECTIONS))
            if name not in known:
                raise ValueError(f"{path} is not a setting of DeepSpeed ({place})")
            if isinstance(value, dict):
                held(value, path, place)

    def check(words, environment, place):
        del environment
        if words[0] != "deepspeed":
            raise ValueError("not deepspeed")
        read = parse(words[1:])
        asked = re.search(r":(\d+) .*--hosts (\d+)", launches.question_of(place))
        if asked and (read.num_gpus > int(asked.group(1)) or read.num_nodes > int(asked.group(2))):
            raise ValueError(f"{read.num_nodes} hosts with {read.num_gpus} devices, which are not there")
        if "--deepspeed_config" not in read.user_args:
            raise ValueError("no settings")
        with open(os.path.join(place, "ds_config.json"), encoding="utf-8") as file:
            settings = json.load(file)
        held(planted_settings.get("settings", lambda one: one)(settings), "", place)

    return check


planted_settings = {}


def of_settings(change):
    """Returns a planted error in ds_config.json."""

    def plant(words, environment):
        planted_settings["settings"] = change
        return words, environment

    return plant


def of_words(change):
    """Returns a planted error in the words."""

    def plant(words, environment):
        planted_settings.clear()
        changed = change(words)
        return None if changed is None else (changed, environment)

    return plant


class Planted(dict):
    """Planted errors; those of settings are over when the next launch is asked about."""

    def items(self):
        """Returns them, and cleans up behind the last."""
        yield from super().items()
        planted_settings.clear()


PLANTED = Planted(
    {
        "an option that does not exist": of_words(lambda words: [words[0], "--num_hosts", "2", *words[1:]]),
        "devices that are not there": of_words(lambda words: launches.with_value(words, "--num_gpus", "64")),
        "no settings": of_words(lambda words: launches.without(words, "--deepspeed_config", 1)),
        "a setting that does not exist": of_settings(lambda one: {**one, "micro_batch": 1}),
        "a setting of ZeRO that does not exist": of_settings(
            lambda one: {**one, "zero_optimization": {**one["zero_optimization"], "offload": "cpu"}}
        ),
    }
)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(launches.judge(sys.argv[2], checker(os.path.abspath(sys.argv[1])), PLANTED))

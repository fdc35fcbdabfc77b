# SPDX-License-Identifier: Apache-2.0
"""Draws launches of trainings, and reads back how their scripts call a launcher.

launches.py draw PROGRAM TARGET COUNT FOLDER: emits drawn plans, each into a folder of its own.
"""

import os
import random
import shutil
import subprocess
import sys

MODELS = {
    "megatron-lm": "llama-3.1-8b llama-3.1-70b llama-3.1-405b llama-3.2-1b qwen2.5-7b qwen3-8b qwen3-32b mistral-7b-v0.3 "
    "phi-4 mixtral-8x7b mixtral-8x22b qwen3-30b-a3b qwen3-235b-a22b deepseek-v2-lite deepseek-v3 kimi-k2 "
    "nemotron-3-nano-30b-a3b gpt3-175b gpt2-xl gpt-oss-20b glm-4.5-air minimax-m2".split(),
    "accelerate": "llama-3.1-8b llama-3.1-70b llama-3.2-1b qwen2.5-7b qwen3-8b qwen3-32b mistral-7b-v0.3 gemma-2-9b "
    "phi-4 gpt2-xl".split(),
}
MODELS["deepspeed"] = MODELS["accelerate"]
MODELS["torchrun"] = MODELS["accelerate"]
DEVICES = "h100-sxm h200-sxm b200-sxm a100-sxm4-80 l40s mi300x".split()
FRAMEWORKS = {"megatron-lm": "megatron", "accelerate": "pytorch", "deepspeed": "pytorch", "torchrun": "torchtitan"}
NETWORK = "ib:8x400"
ATTEMPTS = 20


def draw(program, target, count, folder):
    """Emits COUNT launches; the same ones each time. What does not fit is drawn again."""
    numbers = random.Random(20261119)
    emitted = attempts = 0
    while emitted < count and attempts < ATTEMPTS * count:
        attempts += 1
        hosts = numbers.choice([1, 1, 1, 2, 4, 8, 16, 32, 64])
        devices = numbers.choice([1, 2, 4, 8]) if hosts == 1 else 8
        device = numbers.choice(DEVICES)
        method = "full" if target == "megatron-lm" else numbers.choice(["full", "full", "lora", "qlora"])
        precision = numbers.choice(["bf16", "bf16", "fp8"] + (["mxfp8"] if device == "b200-sxm" else []))
        words = ["train", numbers.choice(MODELS[target])]
        words += ["--seq", str(numbers.choice([1024, 2048, 4096, 8192, 16384]))]
        words += ["--batch", str(numbers.choice([16, 32, 64, 128, 256, 512]))]
        words += ["--method", method, "--precision", precision, "--framework", FRAMEWORKS[target]]
        words += ["--goal", numbers.choice(["speed", "speed", "devices", "energy"])]
        words += ["--synthetic", f"[{device}:{devices} nvswitch {NETWORK}]", "--hosts", str(hosts)]
        if method == "full" and target != "megatron-lm":
            words += ["--offload", numbers.choice(["none", "none", "optimizer", "all"])]
        place = os.path.join(folder, f"{emitted + 1:04}")
        done = subprocess.run(
            [program, *words, "--emit", target, "--write", place], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            with open(os.path.join(place, "question"), "w", encoding="utf-8") as file:
                file.write(" ".join(words) + "\n")
            emitted += 1
        else:
            shutil.rmtree(place, ignore_errors=True)
    print(f"{emitted} launches of {attempts} drawn plans")
    return emitted == count


def call_of(place, rank=0):
    """Returns how the script in a folder calls its launcher, on a host: words and variables."""
    here = os.path.dirname(os.path.abspath(__file__))
    record = os.path.join(place, "record")
    stubs = os.path.join(place, "stubs")
    os.makedirs(stubs, exist_ok=True)
    for name in ("torchrun", "accelerate", "deepspeed"):
        shutil.copy(os.path.join(here, "record_command.sh"), os.path.join(stubs, name))
    if os.path.exists(record):
        os.remove(record)
    variables = {
        "PATH": stubs + ":/usr/bin:/bin",
        "RECORD": record,
        "HEAD_ADDRESS": "host-0",
        "NODE_RANK": str(rank),
    }
    subprocess.run(["sh", "launch.sh"], cwd=place, env=variables, check=True)
    with open(record, "rb") as file:
        words, _, rest = file.read().decode().partition("\0\0")
    environment = dict(one.split("=", 1) for one in rest.split("\0") if "=" in one)
    for name in ("RECORD", "PATH"):
        environment.pop(name, None)
    return words.split("\0"), environment


def places(folder):
    """Returns the folders of launches."""
    return [
        os.path.join(folder, name)
        for name in sorted(os.listdir(folder))
        if os.path.exists(os.path.join(folder, name, "launch.sh"))
    ]


def question_of(place):
    """Returns the words that were asked for the launch, if it was drawn."""
    try:
        with open(os.path.join(place, "question"), encoding="utf-8") as file:
            return file.read().strip()
    except FileNotFoundError:
        return ""


def judge(folder, check, planted):
    """Checks each launch, and that each planted error is refused wherever it can be planted.

    check(words, environment, place) raises what the engine raises; planted maps a name to a function that returns the
    changed words and environment, or None where there is nothing to change. Returns the exit status.
    """
    refused = 0
    caught = {name: [0, 0] for name in planted}
    all_places = places(folder)
    for place in all_places:
        words, environment = call_of(place)
        try:
            check(words, environment, place)
        except (Exception, SystemExit) as problem:  # pylint: disable=broad-except
            refused += 1
            print(f"REFUSED {os.path.basename(place)}: {question_of(place)}\n    {type(problem).__name__}: {problem}")
            continue
        for name, plant in planted.items():
            changed = plant(list(words), dict(environment))
            if changed is None:
                continue
            caught[name][1] += 1
            try:
                check(changed[0], changed[1], place)
            except (Exception, SystemExit):  # pylint: disable=broad-except
                caught[name][0] += 1
    print(f"{len(all_places)} launches, {refused} refused")
    missed = 0
    for name, (found, tried) in caught.items():
        print(f"planted {name}: refused {found} of {tried}")
        missed += tried - found + (tried == 0)
    return 1 if refused or missed or not all_places else 0


def without(words, option, values=0):
    """Returns the words without an option, or None where it is not among them."""
    if option not in words:
        return None
    at = words.index(option)
    return words[:at] + words[at + 1 + values :]


def with_value(words, option, value):
    """Returns the words with another value of an option, or None where it is not among them."""
    if option not in words:
        return None
    at = words.index(option)
    return words[: at + 1] + [value] + words[at + 2 :]


if __name__ == "__main__":
    if len(sys.argv) != 6 or sys.argv[1] != "draw" or sys.argv[3] not in MODELS:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(0 if draw(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5]) else 1)

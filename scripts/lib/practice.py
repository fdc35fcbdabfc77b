# SPDX-License-Identifier: Apache-2.0
"""Compares launches with the benchmark scripts of InferenceX, option by option: practice.py SOURCE-TREE PROGRAM REASONS"""

import collections
import csv
import pathlib
import re
import subprocess
import sys

SOURCE, PROGRAM, REASONS = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
MODELS = {
    "dsr1": "deepseek-r1-0528", "dsv4": "deepseek-v4-pro", "qwen3.5": "qwen3.5-397b-a17b", "glm5": "glm-5",
    "kimik2.5": "kimi-k2.5", "minimaxm2.5": "minimax-m2.5", "gptoss": "gpt-oss-120b",
}  # fmt: skip
DEVICES = {
    "b200": "b200-sxm", "b300": "b300-sxm", "h100": "h100-sxm", "h200": "h200-sxm", "mi300x": "mi300x", "mi325x": "mi325x",
    "mi355x": "mi355x", "rtx6000pro": "rtx-pro-6000-blackwell-server",
}  # fmt: skip
SWITCH = {"-sxm": " nvswitch"}
# Checkpoints of the scripts (configs/*-master.yaml), as formats of ours. DeepSeek-V4 is published in its own mixture.
FORMATS = {("dsr1", "fp8"): "fp8-block", ("dsv4", "fp4"): "", ("dsv4", "fp8"): "", ("qwen3.5", "fp8"): "fp8-block"}
ENGINES = {"sglang.launch_server": "sglang", "sglang serve": "sglang", "vllm serve": "vllm", "trtllm-serve": "tensorrt-llm"}
ALIASES = {
    "--tp": "--tp-size", "--tensor-parallel-size": "--tp-size", "--data-parallel-size": "--dp-size", "--dp": "--dp-size",
    "--expert-parallel-size": "--ep-size", "--ep": "--ep-size", "--model": "--model-path", "--enable-ep": "--ep-size",
    "--tp_size": "--tp-size", "--ep_size": "--ep-size", "--pp_size": "--pp-size",
}  # fmt: skip


def theirs_of(text):
    """Returns the engine of a script and the options that it may give to its server."""
    for words, engine in ENGINES.items():
        if words in text:
            part = "\n".join(line for line in text.split("run_benchmark_serving")[0].splitlines() if not line.lstrip().startswith("#"))
            options = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9_.-]*[a-z0-9]", part))
            return engine, {ALIASES.get(option, option) if engine != "vllm" else option for option in options}
    return None, set()


def ours_of(name, engine):
    """Returns the launch of the same model on the same devices, or why there is none."""
    model, precision, device = name.split("_")[:3]
    words = [PROGRAM, "plan", MODELS[model], "--engine", engine, "--synthetic", f"[{DEVICES[device]}:8{SWITCH.get(DEVICES[device][-4:], str())}]"]
    chosen = FORMATS.get((model, precision), {"fp4": "mxfp4" if device.startswith("mi") else "nvfp4", "fp8": "fp8"}[precision])
    words += ["--quant", chosen] if chosen else []
    words += ["--users", "8", "--requests", "16", "--speculative", "3:0.7"] if "_mtp" in name else ["--concurrency", "64"]
    done = subprocess.run([*words, "--emit", engine], capture_output=True, text=True, check=False)
    return done.stdout, done.stderr.strip().splitlines()[-1] if done.returncode else ""


def main():
    reasons = {(row["engine"], row["option"]): row["reason"] for row in csv.DictReader(open(REASONS, encoding="utf-8"))}
    theirs_only, ours_only = collections.Counter(), collections.Counter()
    compared, unexplained = 0, set()
    for script in sorted((SOURCE / "benchmarks/single_node/fixed_seq_len").glob("*.sh")):
        name = script.stem
        engine, theirs = theirs_of(script.read_text())
        if not engine or name.split("_")[0] not in MODELS:
            continue
        text, problem = ours_of(name, engine)
        if problem:
            print(f"{name}\t{engine}\tnot launched: {problem}")
            continue
        command = [line for line in text.splitlines() if not line.startswith("#")]
        ours = {ALIASES.get(word, word) if engine != "vllm" else word for word in re.findall(r"(?<!\S)--[a-z][\w.-]*", "\n".join(command))}
        compared += 1
        for option in theirs - ours:
            theirs_only[engine, option] += 1
        for option in ours - theirs:
            ours_only[engine, option] += 1
        print(f"{name}\t{engine}\ttheirs: {' '.join(sorted(theirs - ours))}\tours: {' '.join(sorted(ours - theirs))}")
    for title, counts in (("theirs alone", theirs_only), ("ours alone", ours_only)):
        for (engine, option), count in sorted(counts.items()):
            reason = reasons.get((engine, option)) or reasons.get(("", option))
            print(f"{title}\t{engine}\t{option}\t{count}\t{reason or 'NO REASON'}")
            if not reason:
                unexplained.add((engine, option))
    print(f"{compared} scripts compared, {len(unexplained)} differences without a reason")
    sys.exit(1 if unexplained or not compared else 0)


if __name__ == "__main__":
    main()

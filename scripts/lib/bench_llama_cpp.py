#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures llama.cpp on this machine: bench-llama-cpp BIN OUT.csv SECONDS STEP...

BIN is the folder of a build of llama.cpp, OUT.csv gets a row for each figure as it is measured, and no step begins after SECONDS. A
STEP is KINDS:MODEL:FORMAT. Kinds: b batches of 1 to 64 sequences, d behind long contexts, s llama-server under closed load, g the
same with greedy sampling, c the processor alone. Files have random weights in the shapes of MODELS, lie in $MODELS_AT (default:
/tmp/models), are written all at once, and go after their last step. Needs python3-numpy and gguf; $GGUF_AT may name the folder of
gguf's package.
"""

import csv
import http.client
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

LLAMA = {"vocabulary": 128256}
QWEN = {"norms": 1, "head": 128, "vocabulary": 151936}
MODELS = {
    "llama-3.2-1b": LLAMA | {"layers": 16, "hidden": 2048, "inner": 8192, "heads": 32, "kv_heads": 8, "tied": 1},
    "llama-3.2-3b": LLAMA | {"layers": 28, "hidden": 3072, "inner": 8192, "heads": 24, "kv_heads": 8, "tied": 1},
    "llama-3.1-8b": LLAMA | {"layers": 32, "hidden": 4096, "inner": 14336, "heads": 32, "kv_heads": 8},
    "mistral-7b-v0.2": {"layers": 32, "hidden": 4096, "inner": 14336, "heads": 32, "kv_heads": 8, "vocabulary": 32000},
    "qwen3-4b": QWEN | {"layers": 36, "hidden": 2560, "inner": 9728, "heads": 32, "kv_heads": 8, "tied": 1},
    "qwen3-14b": QWEN | {"layers": 40, "hidden": 5120, "inner": 17408, "heads": 40, "kv_heads": 8},
    "qwen3-32b": QWEN | {"layers": 64, "hidden": 5120, "inner": 25600, "heads": 64, "kv_heads": 8},
    "qwen3-30b-a3b": QWEN | {"layers": 48, "hidden": 2048, "inner": 768, "heads": 32, "kv_heads": 4, "experts": 128, "active": 8},
    "gpt-oss-20b": {"layers": 24, "hidden": 2880, "inner": 2880, "heads": 64, "kv_heads": 8, "head": 64, "experts": 32, "active": 4,
                    "window": 1, "vocabulary": 201088},
    "mixtral-8x7b": {"layers": 32, "hidden": 4096, "inner": 14336, "heads": 32, "kv_heads": 8, "experts": 8, "active": 2,
                     "vocabulary": 32000},
    "tiny": {"layers": 4, "hidden": 512, "inner": 1024, "heads": 8, "kv_heads": 4, "vocabulary": 4096},
    "tiny-moe": QWEN | {"layers": 4, "hidden": 512, "inner": 256, "heads": 8, "kv_heads": 4, "experts": 8, "active": 2, "vocabulary": 4096},
    "tiny-oss": {"layers": 4, "hidden": 512, "inner": 512, "heads": 8, "kv_heads": 4, "head": 64, "experts": 8, "active": 4, "window": 1,
                 "vocabulary": 4096},
}
PORT = 18097
PROMPT, ANSWER = 256, 64

start = time.monotonic()
programs, out, limit = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), float(sys.argv[3])
steps = [step.split(":") for step in sys.argv[4:]]
folder = Path(os.environ.get("MODELS_AT", "/tmp/models"))
folder.mkdir(parents=True, exist_ok=True)
threads = os.environ.get("THREADS", str(os.cpu_count()))
environment = os.environ | {"LD_LIBRARY_PATH": f"{programs}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
alone = environment | {"CUDA_VISIBLE_DEVICES": ""}
sheet = csv.writer(out.open("a", newline="", buffering=1))
sheet.writerow("device model format load batch input output depth metric value".split())


def say(*words):
    print(f"{time.monotonic() - start:6.1f}", *words, flush=True)


def generator(model, form):
    path = folder / f"{model}-{form}.gguf"
    if path.exists():
        return path, None
    command = [sys.executable, str(Path(os.environ.get("RANDOM_GGUF", Path(__file__).parent / "random_gguf.py"))), f"{path}.part", form]
    command += [f"{key}={number}" for key, number in MODELS[model].items()]
    return path, subprocess.Popen(command, env=os.environ | {"PYTHONPATH": os.environ.get("GGUF_AT", "")})


def finished(file):
    """Returns a file's path when it has been written."""
    path, process = pending[file]
    if process is not None:
        if process.wait() != 0:
            raise SystemExit(f"no file {path}")
        Path(f"{path}.part").rename(path)
        pending[file] = path, None
    return path


def output(command, env=environment):
    try:
        done = subprocess.run([str(each) for each in command], env=env, capture_output=True, text=True, timeout=180)
    except (OSError, subprocess.TimeoutExpired) as failure:
        say("failed", repr(failure))
        return ""
    if done.returncode != 0:
        say("failed", *command, done.stderr[-1500:])
    return done.stdout


def batches(device, model, form, path, counts, prompt, answer, options, env=environment):
    size = max(counts) * (prompt + answer + 16)
    text = output([programs / "llama-batched-bench", "-m", path, "-c", size, "-b", 2048, "-ub", 512, "-npp", prompt, "-ntg", answer,
                   "-npl", ",".join(map(str, counts)), "--output-format", "jsonl", *options], env)
    for line in text.splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            sheet.writerow([device, model, form, "static", row["pl"], prompt, answer, prompt, "decode_tok_s", row["speed_tg"]])
            sheet.writerow([device, model, form, "static", row["pl"], prompt, 0, 0, "prefill_tok_s", row["speed_pp"]])


def single(device, model, form, path, options, env=environment):
    for row in csv.DictReader(output([programs / "llama-bench", "-m", path, "-o", "csv", *options], env).splitlines()):
        prompt, answer = int(row["n_prompt"]), int(row["n_gen"])
        sheet.writerow([device, model, form, "single", 1, prompt, answer, row["n_depth"],
                        "prefill_tok_s" if prompt else "decode_tok_s", row["avg_ts"]])


def request(tokens, options, times):
    body = {"prompt": tokens, "n_predict": ANSWER, "ignore_eos": True, "stream": True, "cache_prompt": False} | options
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=120)
    begin = time.monotonic()
    connection.request("POST", "/completion", json.dumps(body), {"Content-Type": "application/json"})
    stamps = [time.monotonic() for line in connection.getresponse() if line.startswith(b"data:")]
    connection.close()
    times.append((begin, stamps[0], stamps[-1], len(stamps)))


def user(seed, count, options, times):
    for turn in range(count):
        request([3 + (seed * 7919 + turn * 104729 + each * 31) % 250 for each in range(PROMPT)], options, times)


def serve(model, form, path, kind):
    server = subprocess.Popen([str(each) for each in (programs / "llama-server", "-m", path, "-ngl", 999, "-np", 16, "-c", 16 * 512,
                               "-fa", "on", "--port", PORT)], env=environment, stdout=subprocess.DEVNULL,
                              stderr=open(out.parent / "server.log", "w"))
    try:
        for _ in range(1200):
            try:
                probe = http.client.HTTPConnection("127.0.0.1", PORT, timeout=5)
                probe.request("GET", "/health")
                if probe.getresponse().status == 200:
                    break
            except OSError:
                pass
            time.sleep(0.05)
        options = {"temperature": 0, "samplers": ["temperature"]} if kind == "g" else {}
        user(99, 1, options, [])
        for users, count in ((1, 3), (4, 3), (16, 4)) if kind == "s" else ((16, 3),):
            times = []
            crowd = [threading.Thread(target=user, args=(seed, count, options, times)) for seed in range(users)]
            for each in crowd:
                each.start()
            for each in crowd:
                each.join()
            spans = sorted(first - begin for begin, first, _, _ in times)
            # Incomplete characters are held back, so that some answers come in a few pieces.
            gaps = [(last - first) / (ANSWER - 1) for _, first, last, many in times if many > ANSWER / 2]
            whole = max(last for _, _, last, _ in times) - min(begin for begin, _, _, _ in times)
            for name, value in (("ttft_ms", 1e3 * sum(spans) / len(spans)), ("ttft_p50_ms", 1e3 * spans[len(spans) // 2]),
                                ("tpot_ms", 1e3 * sum(gaps) / len(gaps)), ("output_tok_s", len(times) * ANSWER / whole)):
                sheet.writerow(["gpu", model, form, "greedy" if kind == "g" else "closed", users, PROMPT, ANSWER, len(times), name, value])
    finally:
        server.terminate()
        server.wait()


files = list(dict.fromkeys((model, form) for _, model, form in steps))
pending = {file: generator(*file) for file in files}
for file in files:
    finished(file)
say("files are written")
for place, (kinds, model, form) in enumerate(steps):
    path = finished((model, form))
    if time.monotonic() - start > limit:
        say("out of time before", model, form)
        break
    say(kinds, model, form)
    for kind in kinds:
        if kind == "b":
            batches("gpu", model, form, path, (1, 2, 4, 8, 16, 32, 64), 128, 32, ["-ngl", 999, "-fa", "on"])
        elif kind == "d":
            single("gpu", model, form, path, ["-ngl", 999, "-fa", 1, "-p", 512, "-n", 32, "-d", "0,32768", "-r", 1])
        elif kind == "c":
            single("cpu", model, form, path, ["-ngl", 0, "-t", threads, "-p", 256, "-n", 16, "-r", 1], alone)
        else:
            try:
                serve(model, form, path, kind)
            except Exception as failure:  # a server that fails costs its own rows alone
                say("server", repr(failure))
    if (model, form) not in [(later[1], later[2]) for later in steps[place + 1 :]]:
        path.unlink()
say("done")

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what configurations of transformers' families are where they say nothing: family-defaults.txt.

scripts/model-family-defaults runs it with the transformers of a Debian sid (5.12.1 made the file in the repository;
docs/models.md).
A value that changes when another one does is derived by the family's code, and so no default: it is left out.
"""
import json
import math
import pathlib
import re
import sys

from transformers.models.auto.configuration_auto import CONFIG_MAPPING

HOME = pathlib.Path(__file__).resolve().parent.parent.parent / "model/src/main"
TENSOR = HOME / "resources/dev/muster/model/tensor"
KEYS = HOME / "java/dev/muster/model/checkpoint/ConfigKeys.java"
CHANGED = (
    "hidden_size n_embd d_model num_attention_heads n_head num_hidden_layers n_layer n_layers num_layers"
    " intermediate_size vocab_size head_dim num_key_value_heads decoder_layers d_ff ffn_dim n_heads num_heads expand"
    " embedding_dim"
).split()
MORE = {
    "tie_word_embeddings", "multi_query", "new_decoder_architecture", "use_sliding_window", "num_nextn_predict_layers",
    "full_attention_interval", "sliding_window_pattern",
}


def flat(config, path="", found=None, depth=0):
    """All whole numbers and flags by their paths, and the kinds of parts."""
    found = {} if found is None else found
    for key, value in config.items():
        if key in ("id2label", "label2id", "transformers_version", "rope_parameters"):
            continue
        if isinstance(value, dict):
            if depth < 3:
                flat(value, path + key + ".", found, depth + 1)
        elif isinstance(value, (bool, int)):
            found[path + key] = int(value)
        elif isinstance(value, float) and math.isfinite(value) and value == int(value):
            found[path + key] = int(value)
        elif isinstance(value, str) and key == "model_type" and path:
            found[path + key] = value
    return found


def defaults(kind):
    """The defaults of a kind of configuration, without what is derived from others."""
    stated = flat(kind().to_dict())
    derived = set()
    for key in CHANGED:
        if isinstance(stated.get(key), int):
            try:
                other = flat(kind(**{key: stated[key] * 2}).to_dict())
            except Exception:  # a family may refuse the value; then it says nothing of others
                continue
            derived |= {name for name in stated if name != key and stated[name] != other.get(name)}
    return {name: value for name, value in stated.items() if name not in derived}


def wanted(name, asked):
    """Whether formulas or the reader ask for it."""
    plain = name.rsplit(".", 1)[-1]
    if name.startswith(("vision_config.", "audio_config.")):
        return name in asked or plain == "model_type"
    if name.startswith("text_config."):
        return plain == "model_type"
    if name.startswith(("attn_config.", "ffn_config.")):
        return plain in asked or name in asked
    return name in asked


def main():
    lines = [line for line in (TENSOR / "families.txt").read_text().splitlines() if line.strip() and line[0] != "#"]
    names = [name for line in lines if line[0] != " " for name in line.split("<")[0].split()]
    words = set(re.findall(r"[A-Za-z_][A-Za-z0-9_.]*", "\n".join(line for line in lines if line[0] == " ")))
    asked = words | MORE | set(re.findall(r'"([a-z_]+)"', KEYS.read_text()))
    asked |= {"vision_config." + word[2:] for word in words if word.startswith("v.")}
    asked |= {word[2:] for word in words if word.startswith("v.")}
    text = [
        "# What configurations of transformers' families are where they say nothing (transformers 5.12.1), for the keys that",
        "# formulas of families.txt and the reader of configurations ask for. Made by scripts/model-family-defaults.",
    ]
    for name in sorted(set(names)):
        if name in CONFIG_MAPPING:
            try:
                found = defaults(CONFIG_MAPPING[name])
            except Exception as error:  # some families have no defaults that work
                print(f"{name}: {error!r}"[:200], file=sys.stderr)
                continue
            text.append(" ".join([name] + [f"{key}={found[key]}" for key in sorted(found) if wanted(key, asked)]))
    (TENSOR / "family-defaults.txt").write_text("\n".join(text) + "\n")
    print(json.dumps({"families": len(text) - 2}))


if __name__ == "__main__":
    main()

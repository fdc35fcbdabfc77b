# SPDX-License-Identifier: Apache-2.0
"""Counts the parameters of every decoder that transformers knows, each with its default config.

Usage: oracle.py FOLDER [CONFIG.json ...]. Models are made on the meta device, so none takes memory. Writes
FOLDER/families.csv and, for each family, FOLDER/FAMILY.json: its config as transformers saves it. With files of configs,
those are counted instead of the families, and only the table is written.
"""

import collections
import csv
import json
import os
import re
import signal
import sys
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")

import torch
import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES as CAUSAL
from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES as WITH_PICTURES

transformers.logging.set_verbosity_error()

LIMIT_SECONDS = 120
COLUMNS = ["family", "class", "parameters", "parameters_without_vision", "layers", "heads", "kv_heads", "head_size",
           "layer_types", "layer_parts", "config", "skipped"]

# Defaults that a model of the family cannot be made of, and what published models of it say instead.
FILLED = {
    "dbrx": {"attn_config": {"rope_theta": 500000.0}},
    "dots1": {"n_routed_experts": 128, "num_experts_per_tok": 6, "n_shared_experts": 2},
    "hunyuan_v1_dense": {"head_dim": 128},
    "hunyuan_v1_moe": {"head_dim": 128, "num_experts": 64, "moe_topk": 8},
    "lfm2_moe": {"layer_types": ["full_attention" if i in (2, 6, 10, 14, 18, 21) else "conv" for i in range(32)]},
    "ministral": {"head_dim": 128},
    "nemotron": {"num_key_value_heads": 8, "head_dim": 128},
    "reformer": {"is_decoder": True},
}
# Modules that read pictures, sound or speech, or lead from there to the language model.
VISION = re.compile(r"vision|visual|image|img|audio|speech|multi_modal|multimodal|connector|projector|vqmodel|perceiver"
                    r"|resampler|qformer|aligner|patch_embed\b")
# Within these, a part for pictures is one of the language model.
LANGUAGE = re.compile(r"language_model\.|^lm_head|text_model\.layers")
# What concerns neither the shape of a model nor its layers.
NOISE = re.compile(r"id2label|label2id|_name_or_path|transformers_version|return_dict|output_(hidden_states|attentions)"
                   r"|torchscript|problem_type|.*_token_id|.*_token_index|.*dropout.*|initializer_.*|.*_init_.*"
                   r"|_commit_hash|chunk_size_feed_forward|finetuning_task|.*_drop|.*_pdrop|use_cache|rope_.*|.*_eps"
                   r"|.*epsilon.*|_attn_implementation.*|_experts_implementation.*|pruned_heads|prefix"
                   r"|task_specific_params|tokenizer_class")


def layer_parts(model):
    """What each layer of the longest list of layers of the language model is made of, and how many are alike."""
    stacks = [module for name, module in model.named_modules()
              if isinstance(module, torch.nn.ModuleList) and "expert" not in name
              and (LANGUAGE.search(name) or not VISION.search(name))]
    kinds = collections.Counter()
    for layer in max(stacks, key=len, default=[]):
        parts = [type(child).__name__ for name, child in layer.named_children()
                 if not re.search(r"norm|ln_|drop|act|residual", name, re.IGNORECASE)]
        kinds[type(layer).__name__ + "(" + "+".join(parts) + ")"] += 1
    return dict(kinds)


def number(config, *names):
    for name in names:
        value = getattr(config, name, None)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return ""


def compact(value):
    if isinstance(value, dict):
        return {key: compact(each) for key, each in value.items() if not NOISE.fullmatch(key)}
    if isinstance(value, list):
        return [compact(each) for each in value]
    return value


def model_of(config, names):
    """A model without memory; as transformers does, a class for the text alone gets the config of the text."""
    name = names if isinstance(names, str) else names[0]
    model_class = getattr(transformers, name)
    if model_class.config_class == config.sub_configs.get("text_config"):
        config = config.get_text_config()
    with torch.device("meta"):
        return model_class(config)


def facts(config, text):
    family = config.model_type
    try:
        model = model_of(config, WITH_PICTURES.get(family) or CAUSAL[family])
    except Exception:
        if family not in WITH_PICTURES or family not in CAUSAL:
            raise
        model = model_of(config, CAUSAL[family])
    saved = json.loads(text)
    # It is written where a model is saved, not where a config is.
    saved.setdefault("architectures", None)
    saved["architectures"] = saved["architectures"] or [type(model).__name__]
    counts = {name: each.numel() for name, each in model.named_parameters(remove_duplicate=True)}
    language = config.get_text_config(decoder=True)
    types = getattr(language, "layer_types", None)
    heads = number(language, "num_attention_heads", "n_head", "num_heads", "n_heads")
    width = number(language, "hidden_size", "n_embd", "d_model")
    return {
        "class": type(model).__name__,
        "parameters": sum(counts.values()),
        "parameters_without_vision": sum(count for name, count in counts.items()
                                         if LANGUAGE.search(name) or not VISION.search(name)),
        "layers": number(language, "num_hidden_layers", "n_layer", "num_layers", "n_layers"),
        "heads": heads,
        "kv_heads": number(language, "num_key_value_heads", "n_head_kv", "num_kv_heads") or heads,
        "head_size": number(language, "head_dim", "attention_head_size", "d_kv")
                     or (width // heads if width and heads else ""),
        "layer_types": json.dumps(dict(collections.Counter(types))) if types else "",
        "layer_parts": json.dumps(layer_parts(model)),
        "config": json.dumps(compact(saved), separators=(",", ":"), sort_keys=True),
    }


def of_family(family, folder):
    config = CONFIG_MAPPING[family](**FILLED.get(family, {}))
    text = config.to_json_string(use_diff=False)
    with open(os.path.join(folder, family + ".json"), "w", encoding="utf-8") as out:
        out.write(text)
    return facts(config, text)


def of_file(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    fields = json.loads(text)
    return facts(CONFIG_MAPPING[fields["model_type"]].from_dict(fields), text)


def too_long(number, frame):
    raise TimeoutError(f"not made within {LIMIT_SECONDS} s")


def main():
    folder, files = sys.argv[1], sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    signal.signal(signal.SIGALRM, too_long)
    made = 0
    all_of_them = files or sorted({**WITH_PICTURES, **CAUSAL})
    with open(os.path.join(folder, "families.csv"), "w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        for each in all_of_them:
            signal.alarm(LIMIT_SECONDS)
            try:
                row = of_file(each) if files else of_family(each, folder)
                made += 1
            except Exception as e:  # any failure of a family on a config, its own included
                row = {"skipped": f"{type(e).__name__}: {e}".replace("\n", " ")[:200]}
            finally:
                signal.alarm(0)
            writer.writerow({"family": os.path.basename(each).removesuffix(".json"), **row})
    print(f"transformers {transformers.__version__}, torch {torch.__version__}: {made} of {len(all_of_them)} counted")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Stands for what engines import and do not need to judge arguments: libraries for GPUs, and a GPU itself."""

import ctypes
import importlib.abc
import importlib.machinery
import os
import sys
import types


class Constants(type):
    """A class with any constant."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return cls

    def __or__(cls, other):
        return cls

    def __ror__(cls, other):
        return cls


def _new(cls, *words, **named):
    # As a decorator it leaves what it decorates as it is.
    if len(words) == 1 and not named and isinstance(words[0], (types.FunctionType, type)):
        return words[0]
    return object.__new__(cls)


def _schema(cls, source, handler):
    from pydantic_core import core_schema

    return core_schema.any_schema()


def _attribute(self, name):
    if name.startswith("__"):
        raise AttributeError(name)
    return self


MEMBERS = {
    "__members__": {},
    "__new__": _new,
    "__init__": lambda self, *words, **named: None,
    "__call__": lambda self, *words, **named: words[0] if len(words) == 1 else self,
    "__class_getitem__": classmethod(lambda cls, item: cls),
    "__get_pydantic_core_schema__": classmethod(_schema),
    "__getattr__": _attribute,
}


class Stub(types.ModuleType):
    """A module whose names are classes without function."""

    __path__ = []
    __version__ = "99.0"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = Constants(name, (), MEMBERS)
        setattr(self, name, made)
        return made


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the packages that are stubs, and modules below them."""

    def __init__(self, packages, modules=()):
        self.packages, self.modules = set(packages), tuple(modules)

    def find_spec(self, name, path, target=None):
        """Returns a stub for what is listed."""
        if name.split(".")[0] in self.packages or name.startswith(self.modules):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        """Returns an empty module."""
        return Stub(spec.name)

    def exec_module(self, module):
        """Runs nothing."""


class Gpu:
    """Eight devices that do not exist."""

    capability = (9, 0)


def load_libraries():
    """Imports what has to see a machine without a GPU."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch._inductor.compile_fx
    import torch.distributed
    import torchvision  # noqa: F401
    from transformers import AutoProcessor, PreTrainedModel  # noqa: F401


def pretend_gpu():
    """Lets PyTorch report eight devices of 80 GiB."""
    import torch

    properties = lambda *_, **__: types.SimpleNamespace(  # noqa: E731
        major=Gpu.capability[0], minor=Gpu.capability[1], total_memory=80 << 30, multi_processor_count=132, name="synthetic"
    )
    torch.version.cuda = "12.9"
    for name, value in {
        "is_available": True,
        "device_count": 8,
        "current_device": 0,
        "get_device_name": "synthetic",
        "mem_get_info": (80 << 30, 80 << 30),
        "set_device": None,
        "empty_cache": None,
    }.items():
        setattr(torch.cuda, name, lambda *_, value=value, **__: value)
    torch.cuda.get_device_capability = lambda *_, **__: Gpu.capability
    torch.cuda.get_device_properties = properties


def allow_kernels(prefixes):
    """Lets compiled kernels answer every question with yes."""
    import torch

    known = torch._ops._OpNamespace.__getattr__

    def anything(self, name):
        try:
            return known(self, name)
        except AttributeError:
            if name.startswith("__") or not self.name.startswith(prefixes):
                raise
            return lambda *words, **named: True

    torch._ops._OpNamespace.__getattr__ = anything
    torch.library.register_fake = lambda *words, **named: lambda function: function


def allow_libraries():
    """Lets compiled libraries load that are not there."""
    real = ctypes.CDLL

    def load(name=None, *words, **named):
        try:
            return real(name, *words, **named)
        except OSError:
            return Stub("library")

    ctypes.CDLL = ctypes.cdll.LoadLibrary = load


def package(name, folder):
    """Makes a package whose modules are real and whose own names are stubs."""
    made = Stub(name)
    made.__path__ = [str(folder)]
    sys.modules[name] = made
    return made

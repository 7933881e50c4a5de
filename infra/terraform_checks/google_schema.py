"""A provider of schemas only, in place of Google's, whose binary no package registry has.

Names, types, nesting and required flags are read out of the JavaScript that the PyPI package
`cdktn-provider-google` carries, and served over Terraform's plugin protocol (stubs of the PyPI
package `tf`). `terraform validate` and `terraform test` with a mock need no more than that.

    python google_schema.py RESOURCE... --data NAME... --ready-file FILE

FILE receives what belongs into `TF_REATTACH_PROVIDERS`. It serves until its input ends.
"""

import argparse
import importlib.util
import io
import json
import os
import re
import sys
import tarfile
from collections.abc import Iterable
from concurrent import futures
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ADDRESS = "registry.terraform.io/hashicorp/google"
_FIELD = re.compile(
    r"// (\w+) - computed: (true|false), optional: (true|false), required: (true|false)\n"
)
_NESTED = re.compile(r"new (\w+?)(List|Map|OutputReference)\(this, \"(\w+)\"")
_SIMPLE = {
    "getStringAttribute": "string",
    "getNumberAttribute": "number",
    "getBooleanAttribute": "bool",
    "getListAttribute": ["list", "string"],
    "getNumberListAttribute": ["list", "number"],
    "getStringMapAttribute": ["map", "string"],
    "getNumberMapAttribute": ["map", "number"],
    "getBooleanMapAttribute": ["map", "bool"],
}
_GETTER = re.compile(r"this\.(get\w+Attribute)\('(\w+)'\)")


@dataclass(frozen=True)
class Field:
    """`type` is Terraform's own; `block` names the class of a nested block instead."""

    name: str
    computed: bool
    optional: bool
    required: bool
    type: Any = None
    block: str | None = None
    is_single: bool = False


def fields_of(source: str) -> dict[str, list[Field]]:
    """Every class of a module, by name, with the fields that its comments tell of."""
    found: dict[str, list[Field]] = {}
    starts = [(one.start(), one[1]) for one in re.finditer(r"^class (\w+)", source, re.MULTILINE)]
    ends = [*(start for start, _ in starts[1:]), len(source)]
    for (start, name), end in zip(starts, ends, strict=True):
        body = source[start:end]
        marks = list(_FIELD.finditer(body))
        stops = [*(mark.start() for mark in marks[1:]), len(body)][: len(marks)]
        found[name] = [
            _field(mark, body[mark.end() : stop]) for mark, stop in zip(marks, stops, strict=True)
        ]
    return found


def _field(mark: re.Match[str], text: str) -> Field:
    name = mark[1]
    computed, optional, required = (told == "true" for told in mark.groups()[1:])
    nested = _NESTED.search(text)
    if nested and nested[3] == name:
        if computed and not optional:
            return Field(name, computed, optional, required, type="dynamic")
        single = nested[2] == "OutputReference"
        return Field(name, computed, optional, required, block=nested[1], is_single=single)
    getter = _GETTER.search(text)
    type_ = _SIMPLE.get(getter[1] if getter else "", "dynamic")
    return Field(name, computed, optional, required, type=type_)


class Package:
    """The JavaScript inside the wheel."""

    def __init__(self) -> None:
        found = importlib.util.find_spec("cdktn_provider_google")
        assert found is not None, "pip install cdktn-provider-google"
        assert found.origin is not None
        (archive,) = (Path(found.origin).parent / "_jsii").glob("*.tgz")
        self._tar = tarfile.TarFile.gzopen("package", fileobj=io.BytesIO(archive.read_bytes()))

    def classes(self, kind: str) -> tuple[str, dict[str, list[Field]]]:
        """Of `google_cloud_tasks_queue`, or with `data-` before it: the class, and all of them."""
        is_data = kind.startswith("data-")
        plain = kind.removeprefix("data-").removeprefix("google_").replace("_", "-")
        folder = f"data-google-{plain}" if is_data else plain
        member = self._tar.extractfile(f"package/lib/{folder}/index.js")
        assert member is not None
        source = member.read().decode()
        (name,) = re.findall(r"class (\w+) extends cdktn\.Terraform(?:Resource|DataSource)", source)
        return name, fields_of(source)


def schema_of(name: str, classes: dict[str, list[Field]]) -> Any:
    from tf.gen import tfplugin_pb2 as wire

    return wire.Schema(version=0, block=_block(name, classes, wire))


def _block(name: str, classes: dict[str, list[Field]], wire: Any) -> Any:
    made = wire.Schema.Block(version=0)
    for field in classes.get(name, ()):
        if field.block is None:
            made.attributes.append(
                wire.Schema.Attribute(
                    name=field.name,
                    type=json.dumps(field.type).encode(),
                    required=field.required,
                    optional=field.optional,
                    computed=field.computed,
                )
            )
        else:
            inner = next(
                one for one in (f"{field.block}OutputReference", field.block) if one in classes
            )
            made.block_types.append(
                wire.Schema.NestedBlock(
                    type_name=field.name,
                    block=_block(inner, classes, wire),
                    nesting=wire.Schema.NestedBlock.LIST,
                    min_items=1 if field.required else 0,
                    max_items=1 if field.is_single else 0,
                )
            )
    return made


def serve(resources: Iterable[str], data: Iterable[str], ready: Path) -> None:
    import grpc
    from tf.gen import tfplugin_pb2 as wire
    from tf.gen import tfplugin_pb2_grpc as plugin

    package = Package()
    text = json.dumps("string").encode()
    optional = [
        wire.Schema.Attribute(name=name, type=text, optional=True)
        for name in ("project", "region", "credentials")
    ]
    answer = wire.GetProviderSchema.Response(
        provider=wire.Schema(block=wire.Schema.Block(attributes=optional)),
        resource_schemas={one: schema_of(*package.classes(one)) for one in resources},
        data_source_schemas={one: schema_of(*package.classes(f"data-{one}")) for one in data},
    )

    class Provider(plugin.ProviderServicer):  # type: ignore[misc]
        """Only what validation asks for; everything else is unimplemented."""

        def GetProviderSchema(self, *_: Any) -> Any:  # noqa: N802
            return answer

        def ValidateProviderConfig(self, *_: Any) -> Any:  # noqa: N802
            return wire.ValidateProviderConfig.Response()

        def ValidateResourceConfig(self, *_: Any) -> Any:  # noqa: N802
            return wire.ValidateResourceConfig.Response()

        def ValidateDataResourceConfig(self, *_: Any) -> Any:  # noqa: N802
            return wire.ValidateDataResourceConfig.Response()

        def StopProvider(self, *_: Any) -> Any:  # noqa: N802
            return wire.StopProvider.Response()

    large = [("grpc.max_send_message_length", -1)]
    server = grpc.server(futures.ThreadPoolExecutor(4), options=large)
    plugin.add_ProviderServicer_to_server(Provider(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    place = {"Network": "tcp", "String": f"127.0.0.1:{port}"}
    told = {"Protocol": "grpc", "ProtocolVersion": 6, "Pid": os.getpid(), "Test": True}
    ready.write_text(json.dumps({ADDRESS: {**told, "Addr": place}}), "utf-8")
    sys.stdin.read()
    server.stop(0).wait()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("resources", nargs="+")
    arguments.add_argument("--data", nargs="*", default=[])
    arguments.add_argument("--ready-file", type=Path, required=True)
    given = arguments.parse_args()
    serve(given.resources, given.data, given.ready_file)

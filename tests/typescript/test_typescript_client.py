"""@stowboard/client as it is published: built, packed, and used against the service in Node and in a browser."""

import base64
import json
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.api.examples import DOCS, examples, pages_with, token_for
from support.console.visitor import AXE, PATIENCE_MS, chromium
from support.media.unique_images import png
from support.servers.stowboard import PROGRAM, Server

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "sdk" / "typescript"
TOOLS = ROOT / "tests" / "tools"
SECONDS = 600
CHECKED = ["--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"]
#: The beginning of a page's examples, as the manual describes it.
BEGINNING = """import {{ Stowboard }} from '@stowboard/client'
const origin = {origin}
const stow = new Stowboard({{ url: origin, token: {token} }})
"""
#: The part of Node's own types that examples use.
OF_NODE = """declare module 'node:fs/promises' {
  export function readFile(path: string): Promise<Uint8Array<ArrayBuffer>>
}
"""
#: Runs every sentence in a page of another origin than the service's.
RUN_SENTENCES = """async (given) => {
  const [client, { failures }] = await Promise.all([import('/client/index.js'), import('/sentences.mjs')])
  return failures(client, given)
}"""


def run(*words: str | Path, at: Path, **environment: str) -> str:
    """The program's output. It has to go well."""
    settings = {**os.environ, "NO_COLOR": "1", **environment}
    done = subprocess.run(words, cwd=at, env=settings, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it is installed: packed, and unpacked again."""
    npm = shutil.which("npm")
    if npm is None or not (TOOLS / "node_modules" / ".bin" / "publint").exists():
        pytest.skip("NOT TESTED: the client for TypeScript; install Node, and run `npm ci` in tests/tools")
    folder = tmp_path_factory.mktemp("typescript")
    shutil.copytree(
        SOURCES, folder / "sdk" / "typescript", ignore=shutil.ignore_patterns("node_modules", "dist", "schema.d.ts")
    )
    shutil.copy(ROOT / "LICENSE", folder)
    at = folder / "sdk" / "typescript"
    (at / "node_modules").symlink_to(TOOLS / "node_modules")
    run(npm, "run", "build", at=at, OPENAPI_FROM=str(PROGRAM))
    run(npm, "pack", "--silent", at=at)
    [packed] = at.glob("*.tgz")
    scope = folder / "site" / "node_modules" / "@stowboard"
    with tarfile.open(packed) as archive:
        archive.extractall(scope, filter="data")
    shutil.copy(packed, folder / "package.tgz")
    shutil.copytree(SOURCES / "examples", folder / "site" / "examples")
    return (scope / "package").rename(scope / "client")


@pytest.fixture(scope="module")
def web_server(make_server: Callable[[dict[str, str]], Server]) -> Server:
    return make_server({"STOWBOARD_RATE_LIMIT_PER_MINUTE": "6000000"})


def test_the_package_has_what_it_should_and_depends_on_nothing(package: Path) -> None:
    names = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    assert {"LICENSE", "README.md", "package.json", "dist/index.js", "dist/index.d.ts", "dist/schema.d.ts"} <= names
    assert "dist/elements/index.d.ts" in names
    assert {name.partition("/")[0] for name in names} == {"LICENSE", "README.md", "package.json", "dist"}
    described = json.loads((package / "package.json").read_text())
    assert "dependencies" not in described


def test_publint_and_arethetypeswrong_have_nothing_to_say(package: Path) -> None:
    tools = TOOLS / "node_modules" / ".bin"
    assert "All good!" in run(tools / "publint", "run", "--strict", package, at=package)
    run(tools / "attw", package.parents[3] / "package.tgz", "--profile", "esm-only", at=package)


def test_types_of_the_package_find_wrong_calls(package: Path) -> None:
    """Each line but the first two has one error; a checker that finds nothing at all would be no proof."""
    (package / "use.ts").write_text(
        "import { Stowboard } from './dist/index.js'\n"
        "const stow = new Stowboard({ url: 'https://stow.test', token: () => 'x' })\n"
        "await stow.tasks.create({ titel: 'x' })\n"
        "await stow.request('get', '/media/asset')\n"
        "await stow.request('get', '/media/assets/{asset_id}')\n"
        "for await (const task of stow.tasks.list({ sort: 'newest' })) console.log(task.id)\n"
        "const url: number = (await stow.upload(new Blob([]), { kind: 'image' })).url\n"
    )
    compiler = TOOLS / "node_modules" / ".bin" / "tsc"
    done = subprocess.run(
        [compiler, "--noEmit", *CHECKED, "use.ts"], cwd=package, capture_output=True, text=True, check=False
    )
    assert [line.partition("(")[2].partition(",")[0] for line in done.stdout.splitlines() if line[:3] == "use"] == [
        "3", "4", "5", "6", "7",
    ], done.stdout  # fmt: skip


def test_examples_of_the_manual_have_right_types_and_work(package: Path, web_server: Server) -> None:
    """All are checked together. Those of the API's pages are run, in one Node, each page for an owner of its own."""
    folder = package.parents[2] / "documented"
    folder.mkdir()
    # Two pages about the client itself. An example that begins with an import is a file of its own.
    for page in (ROOT / "docs" / "typescript.md", SOURCES / "README.md"):
        files: list[str] = []
        for block in examples(page, "ts"):
            # Each in braces, so that names may come again.
            files += [block] if block.startswith("import") else []
            files[-1] += "" if block.startswith("import") else f"{{\n{block}}}\n"
        for number, text in enumerate(files):
            (folder / f"{page.stem}{number}.mts").write_text(
                text.replace("declare const file: File //", "const file = new File([], '') //")
            )
    (folder / "node.d.ts").write_text(OF_NODE)
    pages = pages_with("ts run")
    for page in pages:
        token = token_for(web_server, page, "typescript")
        begin = BEGINNING.format(origin=json.dumps(web_server.origin), token=json.dumps(token))
        shown = "".join(f"export async function shown() {{\n{block}}}\n" for block in examples(page, "ts"))
        (folder / f"{page.stem}.mts").write_text(begin + "".join(examples(page, "ts run")) + shown)
    run(TOOLS / "node_modules" / ".bin" / "tsc", *CHECKED, *sorted(path.name for path in folder.iterdir()), at=folder)
    (clip,) = re.findall(r"base64 -d > clip.mp4 <<'END'\n(.*?)END", (DOCS / "api" / "videos.md").read_text(), re.DOTALL)
    (folder / "clip.mp4").write_bytes(base64.b64decode(clip))
    run("node", TOOLS / "client" / "run_examples.mjs", *(folder / f"{page.stem}.mjs" for page in pages), at=folder)


@pytest.mark.cluster_in_soak(reason="the client sees the same API, whose own tests run on both")
def test_every_sentence_holds_in_node(package: Path, server: Server) -> None:
    image = base64.b64encode(png(40, 30)).decode()
    there = {"ORIGIN": server.origin, "TOKEN": server.admin_token, "IMAGE": image, "PACKAGE": str(package)}
    run("node", TOOLS / "client" / "in_node.mjs", at=package, **there)


@pytest.fixture(scope="module")
def site(package: Path, web_server: Server) -> Iterator[str]:
    """The origin of the examples, served by the one that is a server."""
    examples = package.parents[2] / "examples"
    shutil.copy(TOOLS / "client" / "sentences.mjs", examples)
    there = {"STOWBOARD_URL": web_server.origin, "STOWBOARD_TOKEN": web_server.admin_token, "PORT": "0"}
    words = ["node", str(examples / "server.mjs")]
    with subprocess.Popen(words, env={**os.environ, **there}, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


@pytest.fixture(scope="module")
def page(site: str) -> Iterator[Any]:
    with chromium() as browser:
        page = browser.new_page(base_url=site)
        page.set_default_timeout(PATIENCE_MS)
        yield page


def test_every_sentence_holds_in_a_page_of_another_origin(page: Any, web_server: Server) -> None:
    page.goto("/plain.html")
    image = base64.b64encode(png(40, 30)).decode()
    given = {"origin": web_server.origin, "token": web_server.admin_token, "image": image}
    assert page.evaluate(RUN_SENTENCES, given) == []


def test_a_page_takes_photos_without_a_token_and_shows_them(page: Any, tmp_path: Path) -> None:
    """The example in plain HTML."""
    (tmp_path / "harbour.png").write_bytes(png(900, 600))
    (tmp_path / "notes.txt").write_text("no photo")
    page.goto("/plain.html")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add your photos").click()
    chooser.value.set_files([tmp_path / "harbour.png", tmp_path / "notes.txt"])
    page.get_by_text("Files of this type are not taken here.", exact=True).wait_for()
    page.wait_for_function("document.querySelector('stow-image img')?.naturalWidth > 0")
    image = page.locator("stow-image img")
    assert image.get_attribute("alt") == "harbour.png"
    widths = [part.split()[1] for part in image.get_attribute("srcset").split(", ")]
    assert widths == ["320w", "768w", "900w"]
    [value] = page.evaluate("new FormData(document.querySelector('form')).getAll('photos')")
    assert f"/cdn/{value}/" in image.get_attribute("src")
    assert page.get_by_role("progressbar", name="harbour.png").get_attribute("value") is not None
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate("axe.run(document).then(({ violations }) => violations.map(({ id }) => id))") == []


def test_react_vue_and_svelte_take_photos_and_show_them(package: Path, page: Any, tmp_path: Path) -> None:
    """Their examples, built by the tools of the console."""
    tools = ROOT / "console" / "node_modules"
    if not (tools / ".bin" / "vite").exists():
        pytest.skip("NOT TESTED: the examples for React, Vue and Svelte; run `npm ci` in console")
    modules = package.parents[1]
    for folder, names in ((tools, ["@sveltejs", "svelte"]), (TOOLS / "node_modules", ["react", "react-dom", "vue"])):
        for name in names:
            (modules / name).symlink_to(folder / name)
    run(tools / ".bin" / "vite", "build", "--logLevel=warn", at=modules.parent / "examples" / "frameworks")
    for framework in ("react", "vue", "svelte"):
        photo = tmp_path / f"{framework}.png"
        photo.write_bytes(png(900, 600))
        page.goto(f"/built/{framework}.html")
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Add your photos").click()
        chooser.value.set_files(photo)
        page.wait_for_function("document.querySelector('stow-image img')?.naturalWidth > 0")
        assert f"/{framework}.png" in page.locator("stow-image img").get_attribute("src")


def test_an_upload_that_a_reload_interrupts_goes_on_with_the_same_file(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "large.png"
    file.write_bytes(os.urandom(12_000_000))
    asked: list[str] = []

    def is_second_piece(request: Any) -> bool:
        return bool(request.method == "PATCH" and request.headers["upload-offset"] != "0")

    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    page.goto("/plain.html")
    # The first piece arrives, and the second never does.
    page.route("**/uploads/tus/**", lambda route: None if is_second_piece(route.request) else route.continue_())
    with page.expect_request(is_second_piece):
        page.locator("stow-upload input").set_input_files(file)
    page.reload()
    page.unroute_all(behavior="ignoreErrors")
    page.evaluate("document.addEventListener('stow-uploaded', ({ detail }) => (window.uploaded = detail.id))")
    page.locator("stow-upload input").set_input_files(file)
    page.wait_for_function("window.uploaded")
    assert sum("/upload-address" in each for each in asked) == 1
    assert sum(each.startswith("PATCH") for each in asked) == 3


def test_an_image_shows_the_asset_that_it_was_given_last_or_before_it_was_defined(page: Any) -> None:
    page.goto("/sentences.mjs")  # a page without elements
    found = page.evaluate(
        """async () => {
          const image = document.body.appendChild(document.createElement('stow-image'))
          const upload = document.createElement('stow-upload')
          const asset = (id, width) => ({ url: `/cdn/${id}/v1/original/a.jpg`, width, height: 9, alt: id || null })
          image.asset = asset('first', 900)
          upload.announce = () => 'mine'
          await import('/client/elements/index.js')
          customElements.upgrade(upload)
          const shown = () => {
            const { alt, srcset } = image.querySelector('img')
            return [alt, srcset.split(', ').length, srcset.includes('first')]
          }
          const first = shown()
          image.asset = { ...asset('second', 200), url: '/second.jpg', alt: null }
          return [first, shown(), upload.announce()]
        }"""
    )
    assert found == [["first", 3, True], ["", 1, False], "mine"]

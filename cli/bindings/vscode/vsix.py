#!/usr/bin/env python3
"""vsix.py VERSION OUT [PLATFORM PROGRAM] - the extension of this folder as a .vsix: with a PROGRAM for a PLATFORM such as
linux-x64 or win32-x64 and the THIRD-PARTY beside it, or without one, for all systems.

A .vsix is a zip with a manifest, as `vsce package` writes it. The same input gives the same bytes.
The addresses of mk/home.def are in the environment.
"""
import json
import os
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).resolve().parent
TREE = HERE.parents[2]
SCHEMAS = ("xdscope.conf", "test-file", "scenario")
TYPES = {".json": "application/json", ".js": "application/javascript", ".md": "text/markdown", ".txt": "text/plain",
         ".vsixmanifest": "text/xml"}


def manifest(package, platform, home):
    links = "".join(f'\n      <Property Id="Microsoft.VisualStudio.Services.Links.{kind}" Value={quoteattr(home)} />'
                    for kind in ("Source", "Learn") if home)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(package["name"])} Version={quoteattr(package["version"])} Publisher={quoteattr(package["publisher"])}{f' TargetPlatform="{platform}"' if platform else ""} />
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Tags>{escape(",".join(package["keywords"]))}</Tags>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(package["engines"]["vscode"])} />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value={quoteattr(",".join(package["extensionKind"]))} />{links}
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code" /></Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
"""


def content_types(names):
    suffixes = sorted({Path(name).suffix for name in names} & set(TYPES))
    rows = "".join(f'<Default Extension="{suffix}" ContentType="{TYPES[suffix]}" />' for suffix in suffixes)
    programs = "".join(f'<Override PartName="/{name}" ContentType="application/octet-stream" />'
                       for name in names if name.startswith("extension/server/"))
    return ('<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'{rows}{programs}</Types>\n')


def main():
    version, out, *server = sys.argv[1:]
    platform = server[0] if server else ""
    home = os.environ.get("PROJECT_URL", "")
    package = {**json.loads((HERE / "package.json").read_text(encoding="utf-8")), "version": version}
    if home:
        package.update(homepage=os.environ.get("SITE_URL") or home, repository={"type": "git", "url": home})
    files = {"extension/package.json": json.dumps(package, indent=2).encode() + b"\n"}
    for name in ("extension.js", "client.js", "README.md"):
        files[f"extension/{name}"] = (HERE / name).read_bytes()
    files["extension/LICENSE.txt"] = (TREE / "LICENSE").read_bytes()
    for name in SCHEMAS:
        files[f"extension/schema/{name}.schema.json"] = (TREE / f"man/schema/{name}.schema.json").read_bytes()
    if server:
        files["extension/THIRD-PARTY.txt"] = Path(server[1]).with_name("THIRD-PARTY").read_bytes()
        files[f"extension/server/xdscope{'.exe' if platform.startswith('win32') else ''}"] = Path(server[1]).read_bytes()
    files = {"extension.vsixmanifest": manifest(package, platform, home).encode(), **files}
    files = {"[Content_Types].xml": content_types(files).encode(), **files}
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # modes are those of Unix
            entry.external_attr = (0o100755 if name.startswith("extension/server/") else 0o100644) << 16
            archive.writestr(entry, content)
    print(out)


main()

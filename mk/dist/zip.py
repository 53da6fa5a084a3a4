"""zip.py OUT FOLDER TIME - the files in FOLDER as a zip, the same bytes for the same content."""

import pathlib
import sys
import time
import zipfile

out, folder, seconds = sys.argv[1:]
root = pathlib.Path(folder)
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        entry = zipfile.ZipInfo(str(path.relative_to(root)), time.gmtime(int(seconds))[:6])
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3
        entry.external_attr = 0o100644 << 16
        archive.writestr(entry, path.read_bytes())

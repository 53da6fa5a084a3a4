"""python -m xdscope: the program itself."""

import os
import subprocess
import sys

from xdscope import _program


def main() -> None:
    if not _program.is_there():
        sys.exit("xdscope: this wheel has no program for this system: it has the Python module alone, see xdscope-python(7)")
    if sys.platform == "win32":  # whose execv() does not wait for the program
        sys.exit(subprocess.call([_program.path(), *sys.argv[1:]]))
    os.execv(_program.path(), ["xdscope", *sys.argv[1:]])


if __name__ == "__main__":
    main()

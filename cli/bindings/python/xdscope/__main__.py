"""python -m xdscope: the program itself."""

import os
import sys

from xdscope import _program


def main() -> None:
    if not _program.is_there():
        sys.exit("xdscope: this wheel has no program for this system: it has the Python module alone, see xdscope-python(7)")
    os.execv(_program.path(), ["xdscope", *sys.argv[1:]])


if __name__ == "__main__":
    main()

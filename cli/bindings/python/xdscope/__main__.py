"""python -m xdscope: the program itself."""

import os
import sys

from xdscope import _program


def main() -> None:
    os.execv(_program.path(), ["xdscope", *sys.argv[1:]])


if __name__ == "__main__":
    main()

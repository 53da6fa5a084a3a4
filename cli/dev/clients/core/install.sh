#!/bin/sh
# install.sh RELEASE FOLDER - gRPC C-core as grpcio in a virtual environment.
set -eu
python3 -m venv "$2"
"$2/bin/python" -m pip install -q --no-deps --only-binary :all: "grpcio==$1" typing-extensions

#!/bin/sh
# install_plane.sh RELEASE FOLDER - java-control-plane as a program, with its jars in FOLDER/lib.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
sed "s/RELEASE/$1/" "$here/pom.xml.in" >"$2/pom.xml"
(cd "$2" && mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib)
javac -nowarn -Xlint:-deprecation -cp "$2/lib/*" -d "$2" "$here/ControlPlane.java"

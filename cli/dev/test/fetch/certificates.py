"""Certificates for the time of a test, by openssl(1), and tokens."""
import base64
import json
import subprocess
import time

NAMES = {
    "server": "DNS:localhost,IP:127.0.0.1",
    "other": "DNS:shop.example.com,DNS:*.shop.example.com",
    "expired": "DNS:localhost",
    "client": "DNS:client.example.com",
    "spiffe": "URI:spiffe://cluster.local/ns/shop/sa/plane",
    "common": "",
}
COMMON = {"common": "localhost"}


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def request(folder, name):
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={COMMON.get(name, name)}")


def token(claims):
    """A JWT that nobody signed."""
    def part(data):
        return base64.urlsafe_b64encode(data).decode().rstrip("=")

    return f'{part(b"{}")}.{part(json.dumps(claims).encode())}.{part(b"signature")}'


def make_tokens(folder):
    good = token({"exp": int(time.time()) + 3600})
    texts = {"good": good, "line": good + "\n", "expired": token({"exp": 1600000000}), "endless": token({}),
             "parts": "a.b", "digits": "a.!!.c", "empty": "", "inner": f"{good}\nx"}
    for name, text in texts.items():
        (folder / f"{name}.jwt").write_text(text)


def make(folder):
    """ca.pem, and NAME.pem with NAME.key for each of NAMES; expired is no longer valid."""
    make_tokens(folder)
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=test authority")
    (folder / "index.txt").touch()
    for number, (name, names) in enumerate(NAMES.items()):
        request(folder, name)
        (folder / "serial").write_text(f"{number + 10}\n")
        (folder / f"{name}.conf").write_text(
            f"[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\n"
            f"default_md=sha256\npolicy=p\nx509_extensions=x\nunique_subject=no\n"
            f"[p]\ncommonName=supplied\n[x]\n" + (f"subjectAltName={names}\n" if names else "basicConstraints=CA:FALSE\n"))
        end = "20200102000000Z" if name == "expired" else "20991231000000Z"
        openssl(folder, "ca", "-batch", "-notext", "-config", f"{name}.conf", "-cert", "ca.pem",
                "-keyfile", "ca.key", "-in", f"{name}.csr", "-out", f"{name}.pem",
                "-startdate", "20200101000000Z", "-enddate", end)

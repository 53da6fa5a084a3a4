"""Certificates for the time of a test, by openssl(1)."""
import subprocess

NAMES = {
    "server": "DNS:localhost,IP:127.0.0.1",
    "other": "DNS:shop.example.com,DNS:*.shop.example.com",
    "expired": "DNS:localhost",
    "client": "DNS:client.example.com",
}


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def request(folder, name):
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")


def make(folder):
    """ca.pem, and NAME.pem with NAME.key for each of NAMES; expired is no longer valid."""
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=test authority")
    (folder / "index.txt").touch()
    for number, (name, names) in enumerate(NAMES.items()):
        request(folder, name)
        (folder / "serial").write_text(f"{number + 10}\n")
        (folder / f"{name}.conf").write_text(
            f"[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\n"
            f"default_md=sha256\npolicy=p\nx509_extensions=x\nunique_subject=no\n"
            f"[p]\ncommonName=supplied\n[x]\nsubjectAltName={names}\n")
        end = "20200102000000Z" if name == "expired" else "20991231000000Z"
        openssl(folder, "ca", "-batch", "-notext", "-config", f"{name}.conf", "-cert", "ca.pem",
                "-keyfile", "ca.key", "-in", f"{name}.csr", "-out", f"{name}.pem",
                "-startdate", "20200101000000Z", "-enddate", end)

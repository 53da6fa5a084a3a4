"""Certificates that a run makes with openssl: of servers, and of peers by what names they have."""
import pathlib
import subprocess

DAYS = "30"
# Name: subject, subject alternative names, CA.
CERTIFICATES = {
    "server": ("/O=mesh/CN=server", "DNS:server.test,IP:127.0.0.1", "ca"),
    "server2": ("/O=mesh/CN=server2", "DNS:second.test", "ca"),
    "shop": ("/O=mesh/CN=shop", "URI:spiffe://mesh/ns/a/sa/shop", "ca"),
    "dns": ("/O=mesh/CN=dns", "DNS:a.example.com,DNS:*.b.example.com", "ca"),
    "both": ("/O=mesh/CN=both", "URI:spiffe://mesh/ns/b/sa/Both,DNS:a.example.com", "ca"),
    "uris": ("/O=mesh/CN=uris", "URI:spiffe://mesh/first,URI:spiffe://mesh/second", "ca"),
    "odd": ("/O=mesh/CN=odd", "email:u@example.com,IP:10.77.0.2", "ca"),
    "none": ("/O=mesh/CN=none", "", "ca"),
    "stranger": ("/O=other/CN=stranger", "URI:spiffe://mesh/ns/a/sa/shop", "ca2"),
}
PROVIDERS = {"first": ("server", "ca"), "second": ("server2", "ca2")}    # certificate, CA
PEERS = [n for n in CERTIFICATES if not n.startswith("server")]


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def make(folder):
    """NAME.pem and NAME.key of each, and the two CAs, in a folder."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    new = ("req", "-newkey", "rsa:2048", "-nodes")    # java before 1.66 reads no other key
    for ca in ("ca", "ca2"):
        openssl(folder, *new, "-x509", "-days", DAYS, "-subj", "/CN=" + ca, "-keyout", ca + ".key",
                "-out", ca + ".pem")
    for name, (subject, sans, ca) in CERTIFICATES.items():
        openssl(folder, *new, "-subj", subject, "-keyout", name + ".key", "-out", name + ".csr")
        (folder / "san").write_text("subjectAltName=%s\n" % sans if sans else "\n")
        openssl(folder, "x509", "-req", "-days", DAYS, "-in", name + ".csr", "-CA", ca + ".pem",
                "-CAkey", ca + ".key", "-CAcreateserial", "-extfile", "san", "-out", name + ".pem")


def providers(folder):
    """certificate_providers of a bootstrap."""
    def watched(name, ca):
        files = {"certificate_file": name + ".pem", "private_key_file": name + ".key",
                 "ca_certificate_file": ca + ".pem"}
        return {"plugin_name": "file_watcher", "config": {
            **{k: str(pathlib.Path(folder) / v) for k, v in files.items()},
            "refresh_interval": "600s"}}

    return {instance: watched(*files) for instance, files in PROVIDERS.items()}

#!/bin/sh
# check_stream.sh PROGRAM - lint --stream under the engines of xdscope-lint(1): results are
# compared with those of a single run. GNU parallel over two hosts, which are sshd of our own
# on 127.0.0.1; what Hadoop streaming does with a mapper and a reducer; what rdd.pipe() of
# Spark does, and Spark itself where python3 can import pyspark. And: answers come while a
# pipe stays open, and memory does not grow with the number of lines.
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
sshd_pids=
cleanup() {
    for pid in $sshd_pids; do kill "$pid" 2>/dev/null; done
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM
count=0 failed=0
same() { # NAME, EXPECTED, GOT
    count=$((count + 1))
    cmp -s "$2" "$3" && [ -s "$3" ] && return
    failed=$((failed + 1))
    echo "$1: differs from a single run:"
    diff "$2" "$3" | cut -c1-200 | head -n 6
}

# ---- a fleet: good, bad, with a tab inside, blank, no JSON ----------------------------------
python3 - >"$work/fleet.ndjson" <<'EOF'
import json
for i in range(5000):
    cluster = {"@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster", "name": "c%d" % i,
               "type": "EDS" if i % 10 else "STATIC", "edsClusterConfig": {"edsConfig": {"ads": {}}}}
    if i % 100 == 7:
        cluster["lbPolicie"] = "ROUND_ROBIN"
    print(json.dumps(cluster).replace(", ", ",\t") if i % 50 == 3 else json.dumps(cluster))
    if i % 1000 == 999:
        print("no\tjson\n")
EOF
cd "$work" || exit
# The number of a line is that of the piece that a worker sees; everything else is compared.
numberless() { jq -c 'del(.line, .file) | del(.resources[].line, .resources[].file, .findings[].line, .findings[].end_line, .findings[].file)'; }
rules() { jq -r '.findings[].rule' | sort | uniq -c; }
"$program" lint --stream --exit-zero - <fleet.ndjson >single.out || exit
numberless <single.out >single
sort single >single.sorted
rules <single.out >single.rules

# ---- GNU parallel over two hosts -------------------------------------------------------------
# A host of our own: an sshd of the present user, with keys that are thrown away.
start_sshd() { # PORT
    cat >"sshd_$1" <<EOF
Port $1
ListenAddress 127.0.0.1
HostKey $work/host_key
AuthorizedKeysFile $work/client_key.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 100
EOF
    "$(command -v sshd || echo /usr/sbin/sshd)" -D -f "$work/sshd_$1" -E "$work/log_$1" &
    sshd_pids="$sshd_pids $!"
}
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
answers() { # HOST
    tries=0
    until ssh -F "$work/ssh_config" "$1" true 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 50 ] || { cat "$work"/log_*; return 1; }
        sleep 0.2
    done
}
ssh-keygen -q -t ed25519 -N '' -f host_key && ssh-keygen -q -t ed25519 -N '' -f client_key || exit
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
for host in host1 host2; do
    port=$(free_port)
    start_sshd "$port"
    cat >>ssh_config <<EOF
Host $host
    HostName 127.0.0.1
    Port $port
    User $(id -un)
    IdentityFile $work/client_key
    IdentitiesOnly yes
    UserKnownHostsFile /dev/null
    StrictHostKeyChecking no
    LogLevel ERROR
EOF
done
if answers host1 && answers host2; then
    export PARALLEL_HOME="$work/parallel"
    mkdir "$PARALLEL_HOME" && : >"$PARALLEL_HOME/will-cite"
    spread() { parallel --ssh "ssh -F $work/ssh_config" --pipe --recend '\n' --block 100k "$@" -S 2/host1,2/host2 "$program" lint --stream --exit-zero - <fleet.ndjson; }
    spread -k --joblog jobs | tee ordered.out | numberless >ordered
    same 'GNU parallel -k over two hosts' single ordered
    rules <ordered.out >ordered.rules
    same 'GNU parallel, summed up' single.rules ordered.rules
    spread | numberless | sort >unordered
    same 'GNU parallel over two hosts, in any order' single.sorted unordered
    [ "$(awk 'NR > 1 { print $2 }' jobs | sort -u | wc -l)" -eq 2 ] || { echo 'only one host was asked'; failed=$((failed + 1)); }
else
    echo 'sshd does not answer'
    failed=$((failed + 1))
fi

# ---- Hadoop streaming ----------------------------------------------------------------------
# The mapper gets the lines of one split; what it prints is key, tab, value, or all key; the
# reducer gets these sorted by key. Recipe of the man page: lines of "RULE 1", and their sum.
cat >mapper.sh <<EOF
set -o pipefail
"$program" lint --stream --exit-zero - | jq -r '.findings[] | [.rule, 1] | @tsv'
EOF
cat >reducer.sh <<'EOF'
awk -F '\t' '{ n[$1] += $2 } END { for (rule in n) print rule "\t" n[rule] }'
EOF
split -n l/3 fleet.ndjson split.
for piece in split.a?; do bash mapper.sh <"$piece"; done | LC_ALL=C sort -k1,1 | sh reducer.sh | sort >hadoop
awk '{ print $2 "\t" $1 }' single.rules | sort >hadoop.expected
same 'Hadoop streaming' hadoop.expected hadoop

# ---- Spark -----------------------------------------------------------------------------------
cat >pipe.py <<'EOF'
# What rdd.pipe() does: a process for each partition, lines in, lines out, in their order.
import subprocess, sys
lines = open("fleet.ndjson", encoding="utf-8").read().split("\n")[:-1]
step = len(lines) // 4 + 1
for begin in range(0, len(lines), step):
    text = "".join(line + "\n" for line in lines[begin:begin + step])
    done = subprocess.run(sys.argv[1:], input=text.encode(), stdout=subprocess.PIPE, check=True)
    sys.stdout.write(done.stdout.decode())
EOF
python3 pipe.py "$program" lint --stream --exit-zero - | numberless >pipe
same 'rdd.pipe, played' single pipe
if python3 -c 'import pyspark' 2>/dev/null; then
    cat >spark.py <<'EOF'
import sys
from pyspark import SparkContext
sc = SparkContext("local[2]", "xdscope")
for line in sc.textFile("file://" + sys.argv[1], 4).pipe(sys.argv[2] + " lint --stream --exit-zero -", checkCode=True).collect():
    print(line)
EOF
    python3 spark.py "$work/fleet.ndjson" "$program" 2>spark.err | numberless >spark
    same 'Spark, local[2]' single spark
else
    echo '  SKIP	Spark itself: no pyspark'
fi

# ---- a pipe that stays open ------------------------------------------------------------------
mkfifo fifo
"$program" lint --stream --exit-zero - <fifo >live.out &
lint=$!
exec 3>fifo
head -n 1 fleet.ndjson >&3
tries=0
while [ ! -s live.out ] && [ $tries -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
head -n 1 single.out >live.expected
same 'an answer while the pipe is open' live.expected live.out
exec 3>&-
wait $lint

# ---- memory ------------------------------------------------------------------------------------
lines=200000
python3 - $lines >many.ndjson <<'EOF'
import sys
for i in range(int(sys.argv[1])):
    print('{"@type":"type.googleapis.com/envoy.config.route.v3.RouteConfiguration","name":"r%d","virtualHosts":[{"name":"v%d",'
          '"domains":["d%d.example.com"],"routes":[{"match":{"safeRegex":{"regex":"/a%d[0-9]+"}},"route":{"cluster":"c%d"}}]}]}' % (i, i, i, i, i))
EOF
python3 - "$program" "$lines" <<'EOF' || failed=$((failed + 1))
import resource, subprocess, sys
done = subprocess.run([sys.argv[1], "lint", "--stream", "-o", "many.out", "many.ndjson"])
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
n = sum(1 for _ in open("many.out"))
print("  MEMORY\t%d lines, at most %d KB" % (n, peak))
sys.exit(done.returncode != 0 or n != int(sys.argv[2]) or peak > 40 * 1024)
EOF
count=$((count + 1))

echo "  STREAM	$count runs, $failed wrong"
[ "$failed" -eq 0 ]

// node_server.js FOLDER PATH...: an xDS server of grpc-js-xds of the release in FOLDER, with these
// methods. A line of JSON in starts one and stops the one before, a line out says what its
// listener is. See servers.py.
'use strict';
const path = require('path');
const readline = require('readline');

const [folder, ...paths] = process.argv.slice(2);
const packages = path.join(folder, 'node_modules/@grpc');
const grpc = require(packages + '/grpc-js');
const xds = require(packages + '/grpc-js-xds');

const same = (x) => x;

// Until the peer has sent all that it has.
function serve(stream) {
  const metadata = new grpc.Metadata();
  metadata.set('x-served', '1');
  stream.sendMetadata(metadata);
  stream.on('error', () => {});
  stream.on('data', () => {});
  stream.on('end', () => stream.end());
}

function start(asked, modes) {
  const server = new xds.XdsServer('grace' in asked ? { drainGraceTimeMs: 1000 * asked.grace } : {});
  for (const name of paths) {
    server.register(name, serve, same, same, 'bidi');
  }
  return new Promise((resolve) => {
    let isDone = false;
    const done = (error) => {
      if (!isDone) {
        resolve([server, { modes: modes.splice(0), ...(error ? { error } : {}) }]);
      }
      isDone = true;
    };
    setTimeout(done, 1000 * asked.seconds);
    try {
      server.bindAsync(asked.address,
        new xds.XdsServerCredentials(grpc.ServerCredentials.createInsecure()), () => {});
      server.addServingStateListener(asked.address, (status) => {
        modes.push(status.code === grpc.status.OK ? 'SERVING' : 'NOT_SERVING: ' + status.details);
        done();
      });
    } catch (e) {
      done(String(e));
    }
  });
}

async function main() {
  xds.register();
  let server = null;
  let modes = [];
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    if (asked.modes) {
      process.stdout.write(JSON.stringify({ modes: modes.splice(0) }) + '\n');
      continue;
    }
    const before = server;
    let told;
    modes = [];
    [server, told] = await start(asked, modes);
    if (before) {
      before.forceShutdown();
    }
    process.stdout.write(JSON.stringify(told) + '\n');
  }
  process.exit(0);
}

main();

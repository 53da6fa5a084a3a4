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

function serve(call, callback) {
  const metadata = new grpc.Metadata();
  metadata.set('x-served', '1');
  call.sendMetadata(metadata);
  callback(null, Buffer.alloc(0));
}

function start(asked) {
  const server = new xds.XdsServer();
  for (const name of paths) {
    server.register(name, serve, same, same, 'unary');
  }
  const modes = [];
  return new Promise((resolve) => {
    const done = (error) => resolve([server, { modes, ...(error ? { error } : {}) }]);
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
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const before = server;
    let told;
    [server, told] = await start(JSON.parse(line));
    if (before) {
      before.forceShutdown();
    }
    process.stdout.write(JSON.stringify(told) + '\n');
  }
  process.exit(0);
}

main();

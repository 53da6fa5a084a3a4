// node_handshake.js FOLDER: opens channels with XdsChannelCredentials of the release in FOLDER: a
// line of JSON in for each, one out. See handshakes.py.
'use strict';
const path = require('path');
const readline = require('readline');

const packages = path.join(process.argv[2], 'node_modules/@grpc');
const grpc = require(packages + '/grpc-js');
const xds = require(packages + '/grpc-js-xds');

const same = (x) => x;

function call(asked) {
  const client = new grpc.Client(asked.target,
    new xds.XdsChannelCredentials(grpc.credentials.createInsecure()));
  return new Promise((resolve) => {
    client.makeUnaryRequest('/s/m', same, same, Buffer.alloc(0),
      { deadline: Date.now() + 1000 * asked.seconds }, (error) => {
        client.close();
        resolve(String(error));
      });
  });
}

async function main() {
  xds.register();
  for await (const line of readline.createInterface({ input: process.stdin })) {
    console.log(JSON.stringify({ error: await call(JSON.parse(line)) }));
  }
  process.exit(0);
}

main();

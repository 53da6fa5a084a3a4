// words.js FOLDER TARGET...: an RPC to each xds:///TARGET with grpc-js-xds of the folder; a line
// of JSON with its status.
'use strict';
const path = require('path');

const [folder, ...targets] = process.argv.slice(2);
const packages = path.join(folder, 'node_modules/@grpc');
const grpc = require(packages + '/grpc-js');
require(packages + '/grpc-js-xds').register();

const empty = { serialize: () => Buffer.alloc(0), deserialize: () => ({}) };
const DEADLINE_MS = 60000;

process.on('uncaughtException', (error) => console.error(error));

Promise.all(targets.map((target) => new Promise((resolve) => {
  const client = new grpc.Client('xds:///' + target, grpc.credentials.createInsecure());
  const deadline = Date.now() + DEADLINE_MS;
  client.makeUnaryRequest('/s.S/M', empty.serialize, empty.deserialize, {}, { deadline }, (error) => {
    console.log(JSON.stringify({ target, code: error ? grpc.status[error.code] : 'OK', text: error ? error.details : '' }));
    resolve();
  });
}))).then(() => process.exit(0));

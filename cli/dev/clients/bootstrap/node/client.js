// client.js: does grpc-node start with a bootstrap? Reads lines of JSON, each a text, and answers
// with what it says, null when it starts. It is run in the folder of the release.
'use strict';
const path = require('path');
const source = path.join(process.cwd(), 'node_modules/@grpc/grpc-js-xds/build/src');

require(source).register();
const file = require.resolve(source + '/xds-bootstrap.js');

// What it has read it keeps: each text has a module of its own.
function answer(text) {
  delete require.cache[file];
  process.env.GRPC_XDS_BOOTSTRAP_CONFIG = text;
  try {
    require(file).loadBootstrapInfo();
    return null;
  } catch (e) {
    return e.message;
  }
}

const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  console.log(JSON.stringify(answer(JSON.parse(line))));
});

// client.js: the parser of grpc-node's XdsClient. Over the wire it skips each resource whose
// name it has not asked for, and would use those it has asked for. It is run in the folder of
// the release and reads a line of JSON for each resource: nonce, type_url (of the response),
// url (of the Any) and value (base64). It answers with nonce and error, null for an ACK.
'use strict';
const path = require('path');

// A regex that does not fit into the memory of re2-wasm keeps what it has taken of it, until
// no other fits either: each is judged with a memory of its own.
let isFull = false;
for (const name of ['warn', 'error']) {
  console[name] = (text) => { isFull = isFull || /enlarge memory/.test(text); };
}
const source = path.join(process.cwd(), 'node_modules/@grpc/grpc-js-xds/build/src');

require(source).register();
const { loadBootstrapInfo } = require(source + '/xds-bootstrap.js');
const { parseXdsResourceName } = require(source + '/resources.js');

const bootstrap = loadBootstrapInfo();
const context = { server: bootstrap.xdsServers[0], bootstrap };
const types = new Map();
for (const [file, name] of [
  ['listener', 'Listener'], ['route-config', 'RouteConfiguration'], ['cluster', 'Cluster'],
  ['endpoint', 'Endpoint']]) {
  const module = require(`${source}/xds-resource-type/${file}-resource-type.js`);
  const type = module[name + 'ResourceType'].get();
  types.set(type.getFullTypeUrl(), type);
}

// In the order of AdsResponseParser.parseResource().
function error(asked) {
  const type = types.get(asked.type_url);
  if (asked.url !== asked.type_url) {
    return `incorrect resource type "${asked.url}" (should be "${asked.type_url}")`;
  }
  try {
    const value = Buffer.from(asked.value, 'base64');
    const decoded = type.decode(context, { type_url: asked.url, value });
    parseXdsResourceName(decoded.name, type.getTypeUrl());
    return decoded.error || null;
  } catch (e) {
    return e.message;
  }
}

const re2 = require(require.resolve('re2-wasm', { paths: [source] }));

function emptyRe2() {
  const loaded = Object.keys(require.cache).filter((file) => /[\\/]re2-wasm[\\/]/.test(file));
  for (const file of loaded) {
    delete require.cache[file];
  }
  re2.RE2 = require(require.resolve('re2-wasm', { paths: [source] })).RE2;
  // These would keep the memory before.
  process.removeAllListeners('uncaughtException');
  process.removeAllListeners('unhandledRejection');
  isFull = false;
}

function answer(line) {
  const asked = JSON.parse(line);
  let text = error(asked);
  if (isFull) {
    emptyRe2();
    text = error(asked);
  }
  if (isFull) {
    emptyRe2();
  }
  console.log(JSON.stringify({ nonce: asked.nonce, error: text }));
}

require('readline').createInterface({ input: process.stdin }).on('line', answer);

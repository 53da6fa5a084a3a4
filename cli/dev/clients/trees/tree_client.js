// tree_client.js FOLDER: prints what the parser of grpc-js-xds of the release in FOLDER makes of
// the LB policies of clusters: a line of JSON in for each cluster, one out. See trees.py.
'use strict';
const path = require('path');
const source = path.join(path.resolve(process.argv[2]), 'node_modules/@grpc/grpc-js-xds/build/src');

require(source).register();
const { experimental } = require(path.join(source, '../../../grpc-js'));
const { loadBootstrapInfo } = require(source + '/xds-bootstrap.js');
const { ClusterResourceType } = require(source + '/xds-resource-type/cluster-resource-type.js');

const bootstrap = loadBootstrapInfo();
const context = { server: bootstrap.xdsServers[0], bootstrap };
const type = ClusterResourceType.get();

function decode(value) {
  try {
    return type.decode(context, { type_url: type.getFullTypeUrl(),
      value: Buffer.from(value, 'base64') });
  } catch (e) {
    return { error: e.message };
  }
}

// As its policy has it, with the defaults.
function inUse(update) {
  const config = { ...update, child_policy: [{ round_robin: {} }] };
  const parsed = experimental.parseLoadBalancingConfig({ outlier_detection: config });
  return parsed.toJsonObject().outlier_detection;
}

function answer(line) {
  const { name, value: bytes } = JSON.parse(line);
  const { error, value } = decode(bytes);
  console.log(JSON.stringify(error ? { name, nack: error }
    : { name, policy: value.lbPolicyConfig, outlier: inUse(value.outlierDetectionUpdate) }));
}

require('readline').createInterface({ input: process.stdin }).on('line', answer);

/*
 * decode.js FOLDER BOOTSTRAP FILE - what the Node client does with a response: decode and
 * validate each resource, by its own functions.
 *
 * Takes:  FOLDER that @grpc/grpc-js-xds is installed in, a gRPC bootstrap, and a
 *         DiscoveryResponse in binary whose resources may be of several types.
 * Gives:  a line on standard output: how many resources there are, how many it rejects.
 */
'use strict';
const fs = require('fs');
const path = require('path');
const wire = require('./wire');

const [folder, bootstrapFile, file] = process.argv.slice(2);
const source = path.join(path.resolve(folder), 'node_modules/@grpc/grpc-js-xds/build/src');
const load = (name) => require(path.join(source, name));

load('index').register();
const types = new Map(
    [
        load('xds-resource-type/listener-resource-type').ListenerResourceType,
        load('xds-resource-type/route-config-resource-type').RouteConfigurationResourceType,
        load('xds-resource-type/cluster-resource-type').ClusterResourceType,
        load('xds-resource-type/endpoint-resource-type').EndpointResourceType,
    ].map((type) => [type.get().getFullTypeUrl(), type.get()]));

const bootstrap = load('xds-bootstrap').validateBootstrapConfig(
    JSON.parse(fs.readFileSync(bootstrapFile, 'utf8')));
const context = {server: bootstrap.xdsServers[0], bootstrap};

function isRejected(resource)
{
    try {
        return Boolean(types.get(resource.type_url).decode(context, resource).error);
    } catch {
        return true;
    }
}

let resources = 0, rejected = 0;
for (const resource of wire.resources(fs.readFileSync(file))) {
    resources++;
    rejected += isRejected(resource);
}
console.log(`${resources} resources, ${rejected} rejected`);

/*
 * routes.js FOLDER RESOURCE CALLS - how long the Node client looks for the route of an RPC.
 *
 * Takes:  FOLDER that @grpc/grpc-js-xds is installed in, a RouteConfiguration in binary (in
 *         a DiscoveryResponse) whose first virtual host is asked, and RPCs, one in JSON a line.
 * Gives:  "node-lookup-N NS ns" on standard output, N routes: processor time, the median of
 *         rounds. The matchers and the loop over them are those of the client's resolver.
 */
'use strict';
const fs = require('fs');
const path = require('path');
const wire = require('./wire');

const WARM_UP = 1, ROUNDS = 5, CALLS = 400;
const [folder, resourceFile, callsFile] = process.argv.slice(2);
const modules = path.join(path.resolve(folder), 'node_modules');
const {Metadata} = require(path.join(modules, '@grpc/grpc-js'));
const source = path.join(modules, '@grpc/grpc-js-xds/build/src');
const {decodeSingleResource} = require(path.join(source, 'resources'));
const {getPredicateForMatcher} = require(path.join(source, 'route'));

function readMatchers()
{
    const {value: {type_url: url, value}} = wire.resources(fs.readFileSync(resourceFile)).next();
    const config = decodeSingleResource(url, value);
    return config.virtual_hosts[0].routes.map((route) => getPredicateForMatcher(route.match));
}

function readCall(line)
{
    const call = JSON.parse(line), metadata = new Metadata();
    for (const [name, value] of call.headers)
        metadata.add(name, value);
    return {path: call.path, metadata};
}

// As configSelector.invoke does in resolver-xds.js.
function lookUp(matchers, call)
{
    for (const matcher of matchers)
        if (matcher.apply(call.path, call.metadata))
            return matcher;
    return null;
}

function round(matchers, calls)
{
    const start = process.cpuUsage();
    for (const call of calls)
        lookUp(matchers, call);
    const {user, system} = process.cpuUsage(start);
    return (user + system) * 1000 / calls.length;
}

const matchers = readMatchers();
const calls = fs.readFileSync(callsFile, 'utf8').trim().split('\n').slice(0, CALLS).map(readCall);
const rounds = Array.from({length: WARM_UP + ROUNDS}, () => round(matchers, calls)).slice(WARM_UP);
const median = rounds.sort((a, b) => a - b)[ROUNDS >> 1];
console.log(`node-lookup-${matchers.length} ${median.toFixed(0)} ns`);

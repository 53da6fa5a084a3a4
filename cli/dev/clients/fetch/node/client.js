// client.js FOLDER TARGET: a channel of grpc-node, of the installation in FOLDER, and its CSDS,
// whose port it prints, until stdin closes. A line of stdin is the path of an RPC, and another target
// if it is not for that; it prints the status.
'use strict';
const path = require('path');
const readline = require('readline');
const modules = path.join(process.argv[2], 'node_modules/@grpc');
const grpc = require(path.join(modules, 'grpc-js'));

require(path.join(modules, 'grpc-js-xds')).register();

const server = new grpc.Server();
grpc.addAdminServicesToServer(server);
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
  client(process.argv[3]).getChannel().getConnectivityState(true);
});

const clients = {};
function client(target) {
  clients[target] ??= new grpc.Client(target, grpc.credentials.createInsecure());
  return clients[target];
}

const bytes = (value) => value;
const lines = readline.createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [rpc, target] = line.split(' ');
  client(target ?? process.argv[3]).makeUnaryRequest(
    rpc, bytes, bytes, Buffer.alloc(0), { deadline: Date.now() + 8000 },
    (error) => console.log(error ? grpc.status[error.code] : 'OK'));
});
lines.on('close', () => process.exit(0));

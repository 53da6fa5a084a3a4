// client.js FOLDER TARGET: a channel of grpc-node, of the installation in FOLDER, and its CSDS,
// whose port it prints, until stdin closes.
'use strict';
const path = require('path');
const modules = path.join(process.argv[2], 'node_modules/@grpc');
const grpc = require(path.join(modules, 'grpc-js'));

require(path.join(modules, 'grpc-js-xds')).register();

const server = new grpc.Server();
grpc.addAdminServicesToServer(server);
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
  const channel = new grpc.Client(process.argv[3], grpc.credentials.createInsecure()).getChannel();
  channel.getConnectivityState(true);
});
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));

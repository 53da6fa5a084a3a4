// undeclared_fields.js: writes undeclared_fields.txt. Run it in this folder, with the package
// that is named there installed in FOLDER:
//
//     npm install --prefix FOLDER @grpc/grpc-js-xds
//     node undeclared_fields.js FOLDER >undeclared_fields.txt
'use strict';
const fs = require('fs'), path = require('path');
const modules = path.resolve(process.argv[2], 'node_modules');
const home = path.join(modules, '@grpc/grpc-js-xds');
const version = JSON.parse(fs.readFileSync(path.join(home, 'package.json'))).version;
const protobuf = require(path.join(modules, 'protobufjs'));
require(path.join(modules, '@grpc/proto-loader/build/src/util.js')).addCommonProtos();

const roots = ['envoy-api', 'xds', 'googleapis', 'protoc-gen-validate'].map(name => path.join(home, 'deps', name));
const root = new protobuf.Root();
root.resolvePath = (origin, target) =>
  [target, ...roots.map(folder => path.join(folder, target))].find(file => fs.existsSync(file)) || target;
for (const folder of roots.slice(0, 2))
  for (const file of fs.readdirSync(folder, { recursive: true }))
    if (file.endsWith('.proto'))
      try { root.loadSync(path.join(folder, file)); } catch { /* of an older version that is not there */ }

const numbers = {};  // by message: of the fields that we know
const lines = file => fs.readFileSync(path.join(__dirname, file), 'utf8').split('\n').filter(l => l && l[0] !== '#');
const add = (message, number) => { if (/^\d+$/.test(number)) (numbers[message] ||= []).push(Number(number)); };
for (const line of lines('../testdata/proto/fields.tsv')) add(...line.split('\t'));
for (const line of lines('unread_fields.txt')) {
  const [message, ...fields] = line.split(' ');
  for (const field of fields) add(message, field.split(':')[0]);
}
console.log(`# Fields that the messages of @grpc/grpc-js-xds ${version} do not declare. Made by undeclared_fields.js.`);
for (const message of Object.keys(numbers).sort()) {
  let type;
  try { type = root.lookupType(message); } catch { continue; }
  const missing = numbers[message].filter(number => !type.fieldsById[number]).sort((a, b) => a - b);
  if (missing.length) console.log(message, ...missing);
}

#!/usr/bin/env node
// cli.js - npx xdscope lint: the findings of files and folders, with the options that the module has. The program has more.
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { XdscopeError, explain, explainAs, lint, lintAs } from './index.js';

const USAGE = `Usage: xdscope lint [--client LIST] [--format NAME] [--type TYPE] [--env NAME=VALUE] [--partial] PATH...
       xdscope explain --path /package.Service/Method [--target URI] [--header 'NAME: VALUE'] [--client NAME] [--format NAME] PATH...
lint: check whether gRPC clients accept a snapshot; NAME is text (default), gcc, json, sarif, github, junit, checkstyle, html,
gitlab or rdjson.
explain: say where an RPC goes, and why; NAME is text (default) or json.
The exit status is 1 for errors and failing RPCs, 2 for bad usage, 3 if the input cannot be read.`;

const ENDINGS = /\.(json|ndjson|jsonl|yaml|yml|pb|binpb|txtpb|textproto|pb_text|pbtxt|prototxt)(\.gz|\.zst)?$/;
const options = {
  client: { type: 'string', multiple: true }, format: { type: 'string', short: 'f' }, type: { type: 'string' },
  env: { type: 'string', multiple: true }, partial: { type: 'boolean' }, path: { type: 'string' }, target: { type: 'string' },
  header: { type: 'string', short: 'H', multiple: true }, help: { type: 'boolean', short: 'h' },
};

const read = (path) => ({ name: path, content: readFileSync(path) });

// As the program does, in byte order of the names. above: the folders that it is in, to which a link may lead back.
function filesOf(folder, above = []) {
  const real = realpathSync(folder);
  if (above.includes(real)) return [];
  return readdirSync(folder).filter((name) => !name.startsWith('.')).sort().flatMap((name) => {
    const inner = (folder.endsWith('/') ? folder : folder + '/') + name, status = statSync(inner);
    if (status.isDirectory()) return filesOf(inner, [...above, real]);
    return status.isFile() && ENDINGS.test(name) ? [read(inner)] : [];
  });
}

const inputOf = (path) => statSync(path).isDirectory() ? { name: path, files: filesOf(path) } : read(path);

function header(text) {
  const at = text.indexOf(':');
  return [text.slice(0, at), text.slice(at + 1).trim()];
}

async function main() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command, ...paths] = positionals;
  if (values.help) return console.log(USAGE), 0;
  if (!['lint', 'explain'].includes(command) || paths.length === 0) return console.error(USAGE), 2;
  const inputs = paths.map(inputOf);
  const asked = { clients: values.client?.flatMap((list) => list.split(',')), env: values.env, type: values.type, partial: values.partial };
  if (command === 'explain') {
    const rpc = { path: values.path, target: values.target, headers: values.header?.map(header) };
    process.stdout.write(await explainAs(values.format ?? 'text', inputs, rpc, asked));
    return (await explain(inputs, rpc, asked)).outcome === 'routed' ? 0 : 1;
  }
  process.stdout.write(await lintAs(values.format ?? 'text', inputs, asked));
  return (await lint(inputs, asked)).summary.errors > 0 ? 1 : 0;
}

main().then((status) => { process.exitCode = status; }, (error) => {
  console.error(`xdscope: ${error.message}`);
  process.exitCode = error instanceof XdscopeError ? error.status : error.code?.startsWith('ERR_PARSE_ARGS') ? 2 : 3;
});

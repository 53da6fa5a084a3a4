// command.js - what npx xdscope does: files and folders to the module, and what it prints, with the options that the module has.
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { XdscopeError, headerOf, run } from './index.js';

const USAGE = `Usage: xdscope lint [--client LIST] [--format NAME] [--type TYPE] [--env NAME=VALUE] [--partial] PATH...
       xdscope explain --path /package.Service/Method [--target URI] [--header 'NAME: VALUE'] [--client NAME] [--format NAME] PATH...
lint: check whether gRPC clients accept a snapshot; NAME is text (default), gcc, json, sarif, github, junit, checkstyle, html,
gitlab or rdjson.
explain: say where an RPC goes, and why; NAME is text (default) or json; --listener, --route-config and --authority as in the program.
Both: --with PART, --allow-unknown-fields.
The exit status is 1 for errors and failing RPCs, 2 for bad usage, 3 if the input cannot be read.
`;

const ENDINGS = /\.(json|ndjson|jsonl|yaml|yml|pb|binpb|txtpb|textproto|pb_text|pbtxt|prototxt)(\.gz|\.zst)?$/;
const text = { type: 'string' }, list = { type: 'string', multiple: true }, flag = { type: 'boolean' };
const both = {
  client: list, format: { ...text, short: 'f' }, type: text, env: list, with: list, partial: flag, 'allow-unknown-fields': flag,
  help: { ...flag, short: 'h' },
};
const rpc = { path: text, target: text, listener: text, 'route-config': text, authority: text, header: { ...list, short: 'H' } };
const OPTIONS = { lint: both, explain: { ...both, ...rpc } };

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

const REASONS = { ENOENT: 'No such file or directory', EACCES: 'Permission denied' };

// Those that can be read are judged, the others are said.
function inputsOf(paths, command) {
  const files = [], complaints = [];
  for (const path of paths)
    try {
      files.push(statSync(path).isDirectory() ? { name: path, files: filesOf(path) } : read(path));
    } catch (error) {
      complaints.push(`xdscope: ${command}: ${path}: ${REASONS[error.code] ?? error.message}\n`);
    }
  return { files, complaint: complaints.join('') };
}

function requestOf(values) {
  if (values.path === undefined) throw new XdscopeError('needs --path /package.Service/Method', 2);
  return {
    path: values.path, target: values.target, listener: values.listener, route_config: values['route-config'],
    authority: values.authority, headers: values.header?.map((text) => headerOf(text, '-H')),
  };
}

async function answer(command, args) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS[command], allowPositionals: true });
  if (values.help) return { status: 0, output: USAGE, complaint: '' };
  if (positionals.length === 0) throw new XdscopeError('needs a PATH', 2);
  const options = {
    clients: values.client?.flatMap((names) => names.split(',')), env: values.env, with: values.with, type: values.type,
    partial: values.partial, allow_unknown_fields: values['allow-unknown-fields'], format: values.format ?? 'text',
  };
  if (command === 'explain') options.request = requestOf(values);
  const { files, complaint } = inputsOf(positionals, command);
  if (complaint && (command === 'explain' || files.length === 0)) return { status: 3, output: '', complaint };
  const { status, output } = await run(command, { files }, options);
  return { status: complaint ? 3 : status, output, complaint };
}

/** The words after "xdscope": what goes to the two streams, and the exit status. */
export async function main([command, ...args]) {
  if (['-h', '--help', 'help'].includes(command)) return { status: 0, output: USAGE, complaint: '' };
  if (!Object.hasOwn(OPTIONS, command ?? '')) return { status: 2, output: '', complaint: USAGE };
  try {
    return await answer(command, args);
  } catch (error) {
    const status = error instanceof XdscopeError ? error.status : error.code?.startsWith('ERR_PARSE_ARGS') ? 2 : 3;
    return { status, output: '', complaint: `xdscope: ${command}: ${error.message.trimEnd()}\n` };
  }
}

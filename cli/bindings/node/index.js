// index.js - lint, explain and diff in Node and browsers: xdscope.wasm and what it needs of a system, which is nothing.
// The contract is that of ../README.md; index.d.ts has the types.

/** What could not be judged: status 2 for a request, 3 for an input that cannot be read, or a lack of memory. */
export class XdscopeError extends Error {
  constructor(message, status) {
    super(message);
    this.name = 'XdscopeError';
    this.status = status;
  }
}

const NO_FILE = 8, NO_ENTRY = 44; // errno of WASI
const nothing = {
  fd_close: () => NO_FILE, fd_fdstat_get: () => NO_FILE, fd_filestat_get: () => NO_FILE, fd_pread: () => NO_FILE,
  fd_prestat_get: () => NO_FILE, fd_prestat_dir_name: () => NO_FILE, fd_read: () => NO_FILE, fd_seek: () => NO_FILE,
  fd_write: () => NO_FILE, path_filestat_get: () => NO_ENTRY, path_open: () => NO_ENTRY,
  proc_exit: () => { throw new Error('exit'); },
};

let compiled, instance;

async function read() {
  const url = new URL('./xdscope.wasm', import.meta.url);
  if (url.protocol === 'file:') return (await import('node:fs')).readFileSync(url);
  return (await fetch(url)).arrayBuffer();
}

/** Compiles the module; lint, explain and diff do so themselves. */
export async function load(bytes) {
  compiled ??= WebAssembly.compile(bytes ?? await read());
  compiled = await compiled;
}

function open() {
  instance = new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: nothing }).exports;
  instance._initialize();
  return instance;
}

const encoder = new TextEncoder(), decoder = new TextDecoder();
const bytesOf = (content) => typeof content === 'string' ? encoder.encode(content) : content;

// Each input becomes an entry of the request and the bytes of it.
function add(inputs, blobs) {
  return inputs.map((input, i) => {
    if (input.files) return { name: input.name, files: add(input.files, blobs) };
    if (input.typeUrl) {
      blobs.push(...input.resources);
      return { name: input.name ?? 'snapshot', type_url: input.typeUrl, sizes: input.resources.map((r) => r.length) };
    }
    const content = bytesOf(input.content ?? JSON.stringify(input));
    blobs.push(content);
    return { name: input.content === undefined ? `resources[${i}]` : input.name, size: content.length };
  });
}

function call(name, request, blobs) {
  const head = encoder.encode(JSON.stringify(request) + '\n');
  const parts = [head, ...blobs], size = parts.reduce((sum, part) => sum + part.length, 0);
  try {
    const x = instance ?? open(), at = x.xdscope_alloc(size);
    if (!at) throw new Error('out of memory');
    let to = at;
    for (const part of parts) {
      new Uint8Array(x.memory.buffer).set(part, to);
      to += part.length;
    }
    const status = x[`xdscope_${name}`](at, size);
    const output = decoder.decode(new Uint8Array(x.memory.buffer, x.xdscope_output(), x.xdscope_output_size()));
    x.xdscope_free(at);
    if (status > 1) throw new XdscopeError(output, status);
    return { status, output };
  } catch (error) {
    if (error instanceof XdscopeError) throw error;
    instance = undefined; // The next call gets another one.
    throw new XdscopeError(`the module stopped, maybe out of memory: ${error.message}`, 3);
  }
}

/** What the command prints, and its exit status: 0, or 1 for errors and failing RPCs. */
export async function run(command, { files, old }, options = {}) {
  const blobs = [], request = { ...options, files: add(files, blobs) };
  if (old) request.old = add(old, blobs);
  await load();
  return call(command, request, blobs);
}

const documentOf = async (...asked) => JSON.parse((await run(...asked)).output);

/** Would gRPC clients accept these resources? The document of `xdscope lint --format json`. */
export const lint = (inputs, options = {}) => documentOf('lint', { files: inputs }, { ...options, format: 'json' });

/** The same in another format, such as text or sarif. */
export async function lintAs(format, inputs, options = {}) {
  return (await run('lint', { files: inputs }, { ...options, format })).output;
}

/** Where does this RPC go, and why? The document of `xdscope explain --format json`. */
export const explain = (inputs, request, options = {}) => documentOf('explain', { files: inputs }, { ...options, request, format: 'json' });

/** The same in another format: text, for people. */
export async function explainAs(format, inputs, request, options = {}) {
  return (await run('explain', { files: inputs }, { ...options, request, format })).output;
}

/** What changes from old to inputs; without old, between two clients. The document of `xdscope diff --format json`. */
export const diff = (old, inputs, options = {}) => documentOf('diff', { files: inputs, old }, options);

/** The findings of a report for which a client rejects a resource; without any it is accepted. */
export const errors = (report) => report.findings.filter((finding) => finding.level === 'error');

/** Does the RPC go to a host? As the program's exit status says: gaps, such as a fault that may happen, fail none. */
export const routed = (decision) => ['routed', 'routed_with_gaps'].includes(decision.outcome);

/** A finding as a line: resource, field, what is wrong, rule. */
export function findingLine({ resource, file, path, level, message, rule }) {
  const where = resource ? `${resource.type.slice(resource.type.lastIndexOf('.') + 1)} "${resource.name}"` : file ?? '';
  return `${where}${path ? `: ${path}` : ''}: ${level}: ${message} [${rule}]`;
}

/** Rejects with an AssertionError that has a line for each error; else gives the report. */
export async function assertAccepted(inputs, options = {}) {
  const report = await lint(inputs, options);
  if (errors(report).length === 0) return report;
  const error = new Error(['rejected by gRPC clients:', ...errors(report).map(findingLine)].join('\n  '));
  error.name = 'AssertionError';
  throw error;
}

/** "NAME: VALUE" as a header of a request, as -H reads it: a name may begin with a colon. what: it is in the message of an error. */
export function headerOf(text, what = 'header') {
  const at = text.indexOf(':', 1);
  if (at < 1) throw new XdscopeError(`${what}: '${text}' is not 'name: value'`, 2);
  return [text.slice(0, at), text.slice(at + (text[at + 1] === ' ' ? 2 : 1))];
}

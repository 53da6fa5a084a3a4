// What gRPC clients make of an xDS snapshot. The documents are those of the program, with --format json (man/schema).

/** A file as xdscope reads it: YAML, JSON, text proto or binary. */
export interface File { name: string; content: string | Uint8Array }
/** A folder: what is not xDS in it is no fault, and its bootstrap.json is used if it is the only input. */
export interface Folder { name: string; files: File[] }
/** Messages of one type, on the wire. */
export interface Messages { typeUrl: string; resources: Uint8Array[]; name?: string }
/** A resource as JSON, with its type. */
export interface Json { '@type': string; [field: string]: unknown }
export type Input = File | Folder | Messages | Json;

export interface Options {
  /** "go@1.72", "core@1.60..1.72", "all@3y"; all where none is named. explain: one, else C-core; diff: two without an old input, else one. */
  clients?: string[];
  /** "NAME=VALUE": a gRPC environment variable of the client. */
  env?: string[];
  /** Packages that the client links: "rls". */
  with?: string[];
  /** Of files that do not name the type of their resource. */
  type?: string;
  /** A gRPC bootstrap. */
  bootstrap?: object;
  /** References may lead out of the input. */
  partial?: boolean;
  /** Fields that xdscope does not know are no fault. */
  allow_unknown_fields?: boolean;
}

export interface ResourceId { type: string; name: string }
export type Level = 'error' | 'warning' | 'note';
export interface Finding {
  rule: string;
  level: Level;
  message: string;
  /** The field: "virtual_hosts[0].routes[2].match". */
  path: string;
  resource: ResourceId | null;
  file: string | null;
  line: number | null;
  column: number | null;
  clients: Record<string, 'ACCEPT' | 'IGNORE' | 'SKIP' | 'NACK' | 'CRASH'>;
}
export interface Report {
  clients: string[];
  resources: (ResourceId & { verdict: 'ACK' | 'NACK' | 'CRASH'; clients: Record<string, string> })[];
  /** gRPC bootstraps that a client refuses; absent where there are none. */
  bootstraps?: Report['resources'];
  findings: Finding[];
  summary: { resources: number; nacked: number; errors: number; warnings: number; notes: number };
}
export interface Rpc {
  /** "/package.Service/Method" */
  path: string;
  /** "xds:///name"; not needed with one listener. */
  target?: string;
  listener?: string;
  /** Where it is not that of the target. */
  authority?: string;
  headers?: [string, string][];
}
export interface Decision {
  client: string;
  /** "routed", "routed_with_gaps"; else the RPC fails: see routed(). */
  outcome: string;
  status: { code: string; message: string; failure: string | null } | null;
  route_config: { name: string } | null;
  [field: string]: unknown;
}
export interface Difference {
  resources: (ResourceId & { change: 'added' | 'removed' | 'changed' })[];
  summary: Record<string, number>;
  [field: string]: unknown;
}

export class XdscopeError extends Error {
  /** 2: the request is wrong; 3: the input cannot be read, or memory ran out. */
  status: number;
}

export function lint(inputs: Input[], options?: Options): Promise<Report>;
export function lintAs(format: 'text' | 'gcc' | 'json' | 'github' | 'gitlab' | 'sarif' | 'junit' | 'checkstyle' | 'html' | 'rdjson', inputs: Input[], options?: Options): Promise<string>;
export function explain(inputs: Input[], request: Rpc, options?: Options): Promise<Decision>;
export function explainAs(format: 'text' | 'json', inputs: Input[], request: Rpc, options?: Options): Promise<string>;
/** The findings for which a client rejects a resource; without any all are accepted. */
export function errors(report: Report): Finding[];
/** Does the RPC go to a host? As the exit status of the program says. */
export function routed(decision: Decision): boolean;
/** 'Cluster "shop": type: error: unknown discovery type STRICT_DNS ... [cluster-discovery-type]' */
export function findingLine(finding: Finding): string;
/** For tests: rejects with an AssertionError that has a line for each error; else gives the report. */
export function assertAccepted(inputs: Input[], options?: Options): Promise<Report>;
/** "NAME: VALUE" as a header of an Rpc. what: it is in the message of an error, in place of "header". */
export function headerOf(text: string, what?: string): [string, string];
/** What the command prints, and its exit status: 0, or 1 for errors, failing RPCs and differences. options: with format and request. */
export function run(command: 'lint' | 'explain' | 'diff', inputs: { files: Input[]; old?: Input[] }, options?: Options & { format?: string; request?: Rpc }): Promise<{ status: 0 | 1; output: string }>;
export function diff(old: Input[] | undefined, inputs: Input[], options?: Options): Promise<Difference>;
/** Compiles the module before the first call, from these bytes where it is not beside index.js. */
export function load(bytes?: BufferSource): Promise<void>;

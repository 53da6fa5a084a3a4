// node_client.js FOLDER: makes the RPCs of cases with grpc-js-xds of the release in FOLDER: a
// line of JSON in for each case, one out. See live.py.
//
// What grpc-js-xds does not survive ends its process. So channels are opened by a process of
// their own, a new one after each death; RPCs that it died of have the status CRASH. Each case
// has a process too: once the last channel is closed, the end of its ADS stream can make the
// client lose the stream of the next channel, which then waits for name resolution.
'use strict';
const childProcess = require('child_process');
const path = require('path');

const SETTLE_MS = 300;      // for connections that the first RPCs have begun
const RESOLVE_MS = 20000;
const LONGEST_S = 3;        // an RPC that waits for name resolution does so until its deadline
const HANG_MS = 60000;
const CHANCES = 200;

const counted = (list) => list.reduce((n, k) => ({ ...n, [k]: (n[k] || 0) + 1 }), {});
const different = (list) => [...new Set(list.map((x) => JSON.stringify(x)))].map((x) => JSON.parse(x));
const alike = (list) => different(list).length === 1;

// ---- the process with the channels ----

function worker(folder) {
  const packages = path.join(folder, 'node_modules/@grpc');
  const grpc = require(packages + '/grpc-js');
  const { experimental } = grpc;
  let chosen = null; // by the config selector, for the RPC that is made
  let resolved = null; // null: not yet; else whether it succeeded

  const names = (codes) => codes.map((c) => (typeof c === 'number' ? grpc.status[c] : c)).sort();
  const seconds = (d) => Number(d.seconds) + d.nanos / 1e9;
  const retries = (p) => p && { attempts: Math.min(5, p.maxAttempts),
    initial: parseFloat(p.initialBackoff), max: parseFloat(p.maxBackoff),
    codes: names(p.retryableStatusCodes) };

  // The hash of an RPC if another channel chooses the same one, else null. It is asked until
  // chance takes it to the same route, whose config is an object of its own.
  function hashOfRequest(result, invokeElsewhere) {
    for (let i = 0; i < CHANCES; i++) {
      const other = invokeElsewhere();
      if (other.methodConfig === result.methodConfig) {
        const { hash } = result.pickInformation;
        return hash === other.pickInformation.hash ? hash : null;
      }
    }
    return null;
  }

  function watched(invoke) {
    return (method, metadata, channelId) => {
      const result = invoke(method, metadata, channelId);
      const { timeout, retryPolicy } = result.methodConfig;
      const routed = result.status === grpc.status.OK;
      const elsewhere = () => invoke(method, metadata, channelId + 1);
      chosen = { routed, cluster: result.pickInformation.cluster,
        hash: routed ? hashOfRequest(result, elsewhere) : null,
        timeout: timeout ? seconds(timeout) : null, retry: retries(retryPolicy) || null };
      return result;
    };
  }

  function watchedSelector(selector) {
    resolved = Boolean(selector);
    if (!selector) {
      return selector;
    }
    process.send({ resolved });
    return typeof selector === 'function' ? watched(selector)
      : { invoke: watched(selector.invoke), unref: () => selector.unref() };
  }

  function watchedListener(listener) {
    const key = experimental.CHANNEL_ARGS_CONFIG_SELECTOR_KEY;
    if (typeof listener === 'function') {
      return (endpoints, attributes, ...rest) => listener(
        endpoints, { ...attributes, [key]: watchedSelector(attributes[key]) }, ...rest);
    }
    return {
      onError: (e) => {
        resolved = false;
        listener.onError(e);
      },
      onSuccessfulResolution: (addresses, config, error, selector, attributes) =>
        listener.onSuccessfulResolution(addresses, config, error, watchedSelector(selector),
          attributes),
    };
  }

  const resolvers = require(packages + '/grpc-js/build/src/resolver.js');
  const { registerResolver } = resolvers;
  resolvers.registerResolver = (scheme, Resolver) => registerResolver(scheme,
    class extends Resolver {
      constructor(target, listener, options) {
        super(target, watchedListener(listener), options);
      }
    });
  require(packages + '/grpc-js-xds').register();

  function metadata(headers) {
    const out = new grpc.Metadata();
    for (const [k, v] of headers) {
      out.add(k, k.endsWith('-bin') ? Buffer.from(v, 'base64') : v);
    }
    return out;
  }

  function rpc(client, request) {
    const wait = Math.min(request.deadline || LONGEST_S, LONGEST_S) * 1000;
    return new Promise((done) => {
      const seen = {};
      chosen = null;
      const call = client.makeUnaryRequest(request.path, (x) => x, (x) => x, Buffer.alloc(0),
        metadata(request.headers), { deadline: Date.now() + wait }, (error) => {
          const attempt = error && error.metadata && error.metadata.get('x-attempt')[0];
          done({ ...seen, chosen, attempt,
            failure: error && grpc.status[error.code], message: error && error.details });
        });
      call.on('metadata', (got) => {
        seen.host = String(got.get('x-host')[0]);
        seen.cookies = got.get('set-cookie').map(String);
      });
    });
  }

  function summary(rpcs) {
    const failed = rpcs.filter((r) => r.failure), served = rpcs.filter((r) => !r.failure);
    const decided = rpcs.map((r) => r.chosen).filter((c) => c);
    const routed = decided.filter((c) => c.routed);
    const out = { hosts: counted(served.map((r) => r.host)),
      failures: counted(failed.map((r) => r.failure)),
      attempts: counted(failed.map((r) => r.attempt).filter((a) => a)),
      set_cookie: different(served.map((r) => r.cookies)),
      message: failed.length ? failed[0].message : null };
    if (routed.length === rpcs.length) {
      out.clusters = counted(routed.map((c) => c.cluster));
      out.choices = different(routed.map(({ routed: _, ...choice }) => choice));
      out.hash = alike(routed.map((c) => c.hash)) ? routed[0].hash : null;
    }
    return out;
  }

  async function ask(client, request) {
    const rpcs = [];
    for (let i = 0; i < request.repeat; i++) {
      rpcs.push(await rpc(client, request));
    }
    return summary(rpcs);
  }

  async function resolution(client) {
    const end = Date.now() + RESOLVE_MS;
    resolved = null;
    client.getChannel().getConnectivityState(true);
    while (resolved === null && Date.now() < end) {
      await new Promise((done) => { setTimeout(done, 10); });
    }
  }

  process.on('message', async ({ target, authority, requests }) => {
    const options = authority ? { 'grpc.default_authority': authority } : {};
    const client = new grpc.Client(target, grpc.credentials.createInsecure(), options);
    await resolution(client);
    const first = await rpc(client, requests[0]);
    // Name resolution that failed stays so.
    const waits = !first.chosen && first.failure === 'DEADLINE_EXCEEDED';
    for (const request of waits ? [] : requests) {
      await rpc(client, request);
    }
    await new Promise((done) => { setTimeout(done, SETTLE_MS); });
    for (const request of requests) {
      process.send({ answer: waits ? summary(Array(request.repeat).fill(first))
        : await ask(client, request) });
    }
    process.send({ done: true });
  });
}

// ---- the process that is asked ----

class Channels {
  constructor(folder) {
    this.folder = folder;
    this.process = null;
  }

  start() {
    this.process = childProcess.fork(__filename, [this.folder, 'worker'],
      { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  }

  stop() {
    if (this.process) {
      this.process.kill('SIGKILL');
    }
    this.process = null;
  }

  // What the process answered before it ended.
  ask(task) {
    if (!this.process) {
      this.start();
    }
    return new Promise((done) => {
      const out = { resolved: false, answers: [], died: false };
      const { process: child } = this;
      const end = (died) => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (died) {
          this.stop();
        }
        done({ ...out, died });
      };
      let timer = setTimeout(() => end(true), HANG_MS);
      child.on('exit', () => end(true));
      child.on('message', (m) => {
        clearTimeout(timer);
        timer = setTimeout(() => end(true), HANG_MS);
        out.resolved = out.resolved || Boolean(m.resolved);
        if (m.answer) {
          out.answers.push(m.answer);
        }
        if (m.done) {
          end(false);
        }
      });
      child.send(task);
    });
  }
}

const dead = (request) => ({ hosts: {}, failures: { CRASH: request.repeat } });

async function askAuthority(channels, target, authority, requests) {
  const answers = [];
  while (answers.length < requests.length) {
    const rest = requests.slice(answers.length);
    const got = await channels.ask({ target, authority, requests: rest });
    answers.push(...got.answers);
    if (got.died && !got.resolved) {
      answers.push(...rest.slice(got.answers.length).map(dead));
    } else if (got.died) {
      answers.push(dead(rest[got.answers.length]));
    }
  }
  return answers;
}

async function run(channels, { case: number, target, requests }) {
  const answers = Array(requests.length);
  for (const authority of new Set(requests.map((r) => r.authority || null))) {
    const places = requests.flatMap((r, i) => ((r.authority || null) === authority ? [i] : []));
    const got = await askAuthority(channels, target, authority, places.map((i) => requests[i]));
    places.forEach((place, i) => { answers[place] = got[i]; });
  }
  channels.stop();
  return { case: number, answers };
}

async function main(folder) {
  const channels = new Channels(folder);
  for await (const line of require('readline').createInterface({ input: process.stdin })) {
    process.stdout.write(JSON.stringify(await run(channels, JSON.parse(line))) + '\n');
  }
  process.exit(0);
}

if (process.argv[3] === 'worker') {
  worker(path.resolve(process.argv[2]));
} else {
  main(process.argv[2]);
}

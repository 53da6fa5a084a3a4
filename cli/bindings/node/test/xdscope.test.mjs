// The package, installed from its file: what it says is what the program says. XDSCOPE_CORPUS is set by make check-bindings.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { XdscopeError, assertAccepted, diff, explain, explainAs, headerOf, lint, lintAs, routed } from 'xdscope';

const { XDSCOPE_COMMANDS, XDSCOPE_CORPUS, XDSCOPE_PROGRAM, XDSCOPE_TREE } = process.env;
const corpus = JSON.parse(readFileSync(XDSCOPE_CORPUS));
const shop = `${XDSCOPE_TREE}/testdata/snapshots/shop`;
const snapshot = readdirSync(shop).sort().filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ name: `${shop}/${name}`, content: readFileSync(`${shop}/${name}`) }));
const program = (...words) => JSON.parse(spawnSync(XDSCOPE_PROGRAM, words, { encoding: 'utf8' }).stdout);
const cluster = (type) => ({
  '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster', name: 'c', type, eds_cluster_config: { eds_config: { ads: {} } },
});

test('findings are those of the program', async (t) => {
  assert.equal(corpus.length, 100);
  for (const entry of corpus)
    await t.test(entry.case, async () => {
      const report = await lint([{ name: entry.name, content: Buffer.from(entry.content, 'base64') }], entry.options);
      assert.deepEqual(report, entry.document);
    });
});

test('explain and diff are those of the program', async () => {
  assert.deepEqual(await explain(snapshot, { path: '/shop.Cart/Add', headers: [['x-user', 'alice']] }),
    program('explain', '-f', 'json', '--path', '/shop.Cart/Add', '-H', 'x-user: alice', shop));
  await assert.rejects(explainAs('html', snapshot, { path: '/shop.Cart/Add' }), { status: 2, message: /format: 'html' is not known/ });
  assert.deepEqual(await diff(undefined, snapshot, { clients: ['core@1.50', 'core@1.85'] }),
    program('diff', '-f', 'json', '--client', 'core@1.50,core@1.85', shop));
  const [old, now] = ['EDS', 'STRICT_DNS'].map((type) => [cluster(type)]);
  assert.deepEqual((await diff(old, now)).resources.map((r) => [r.change, r.name]), [['changed', 'c']]);
});

test('a resource is JSON or a message', async () => {
  assert.equal((await lint([cluster('EDS')])).summary.errors, 0);
  const name = Buffer.from('c'), strictDns = Buffer.from([0x0a, name.length, ...name, 0x10, 1]);
  for (const input of [cluster('STRICT_DNS'), { typeUrl: cluster()['@type'], resources: [strictDns] }]) {
    const [finding] = (await lint([input], { clients: ['go'] })).findings;
    assert.deepEqual([finding.rule, finding.path, finding.resource.name], ['cluster-discovery-type', 'type', 'c']);
  }
});

test('after a fault the next call works', async () => {
  const many = '[' + '{"@type":"envoy.config.cluster.v3.Cluster","name":"a"},'.repeat(3 << 20) + '{}]';
  await assert.rejects(lint([{ name: 'many.json', content: many }]), (error) => error instanceof XdscopeError && error.status === 3);
  assert.equal((await lint([cluster('EDS')])).summary.errors, 0);
  await assert.rejects(lint([], { clients: ['nobody'] }), { status: 2, message: /nobody/ });
  await assert.rejects(explain([{ name: 'x.yaml', content: 'a: [' }], { path: '/a.B/C' }), { status: 3, message: /could not be read/ });
});

// In this process: 1,400 of them.
test('npx xdscope prints and returns what the program does', async () => {
  const { main } = await import(pathToFileURL(join(process.cwd(), 'node_modules/xdscope/command.js')));
  const commands = JSON.parse(readFileSync(XDSCOPE_COMMANDS)), here = process.cwd();
  assert.ok(commands.length > 1000 && [0, 1, 2, 3].every((status) => commands.some((entry) => entry.status === status)));
  for (const { case: name, words, files, status, stdout } of commands) {
    const folder = mkdtempSync(join(tmpdir(), 'xdscope-'));
    try {
      for (const [file, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), Buffer.from(content, 'base64'));
      }
      process.chdir(folder);
      const said = await main(words);
      assert.deepEqual([said.status, said.output], [status, stdout], `${name}: ${words.join(' ')}`);
      assert.equal(said.complaint.endsWith('\n'), said.status > 1, name);
    } finally {
      process.chdir(here);
      rmSync(folder, { recursive: true });
    }
  }
});

test('npx xdscope starts what was tested', () => {
  const npx = (...words) => spawnSync('npx', ['xdscope', ...words], { encoding: 'utf8' });
  const own = (...words) => spawnSync(XDSCOPE_PROGRAM, words, { encoding: 'utf8' });
  for (const line of [['explain', '--path', '/shop.Cart/Add', shop], ['explain', '--path', '/a/b', '-H', 'no colon', shop], ['lint', 'missing']]) {
    const [there, here] = [npx(...line), own(...line)];
    assert.deepEqual([there.status, there.stdout, there.stderr], [here.status, here.stdout, here.stderr]);
  }
  assert.equal(npx('lint').status, 2);
  assert.equal(npx().status, 2);
});

test('a header is a name, a colon and a value', () => {
  for (const [text, header] of [['a: b', ['a', 'b']], ['a:b', ['a', 'b']], [':path: /x', [':path', '/x']], ['a:  b', ['a', ' b']]])
    assert.deepEqual(headerOf(text), header);
  for (const wrong of ['', 'a', ':', ':a']) assert.throws(() => headerOf(wrong), { status: 2, message: `header: '${wrong}' is not 'name: value'` });
});

test('assertAccepted names resource and field', async () => {
  assert.equal((await assertAccepted([cluster('EDS')])).summary.errors, 0);
  await assert.rejects(assertAccepted([cluster('STRICT_DNS')], { clients: ['go@1.72'] }),
    { name: 'AssertionError', message: /^rejected by gRPC clients:\n {2}Cluster "c": type: error: unknown discovery type STRICT_DNS/ });
});

test('an RPC is of one client, and goes to a host with gaps, too', async () => {
  await assert.rejects(explain(snapshot, { path: '/a.B/C' }, { clients: ['go', 'java'] }), { status: 2, message: /several are named/ });
  assert.ok(routed({ outcome: 'routed_with_gaps' }) && routed(await explain(snapshot, { path: '/shop.Cart/Add' })));
  assert.ok(!routed(await explain(snapshot, { path: '/a.B/C', authority: 'nobody' })));
});

test('a folder is read as the program reads it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'xdscope-'));
  const write = (name, content) => writeFileSync(join(folder, name), content);
  const clusterOf = (name) => JSON.stringify({ ...cluster('STRICT_DNS'), name });
  try {
    write('a.jsonl', clusterOf('a'));
    write('b.json.gz', gzipSync(clusterOf('b')));
    write('c.clusters.pbtxt', 'name: "c" type: STRICT_DNS');
    write('d.prototxt', '# proto-message: envoy.config.cluster.v3.Cluster\nname: "d" type: STRICT_DNS');
    write('notes.txt', clusterOf('e'));
    write('.hidden.json', clusterOf('f'));
    write('values.yaml', 'replicas: 2\n');
    write('bootstrap.json', '{"xds_servers": [{"server_uri": "a:1", "channel_creds": [{"type": "insecure"}]}], "node": {"id": "n"}}');
    mkdirSync(join(folder, 'empty'));
    symlinkSync('.', join(folder, 'loop'));
    const trees = ['istio', 'traffic-director', 'ci'].map((name) => `${XDSCOPE_TREE}/testdata/examples/${name}`);
    for (const path of [folder, join(folder, 'empty'), ...trees])
      for (const format of ['json', 'gcc']) {
        const [npx, own] = [['npx', 'xdscope', 'lint'], [XDSCOPE_PROGRAM, 'lint', '--no-config']].map(([word, ...words]) =>
          spawnSync(word, [...words, '-f', format, path], { encoding: 'utf8' }));
        assert.deepEqual([npx.status, npx.stdout], [own.status, own.stdout]);
      }
    assert.equal(JSON.parse(spawnSync('npx', ['xdscope', 'lint', '-f', 'json', folder], { encoding: 'utf8' }).stdout).resources.length, 4);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the licenses of what is linked are in the package', () => {
  assert.match(readFileSync('node_modules/xdscope/THIRD-PARTY', 'utf8'), /^==== protobuf-c$/m);
});

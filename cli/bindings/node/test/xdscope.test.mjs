// The package, installed from its file: what it says is what the program says. XDSCOPE_CORPUS is set by make check-bindings.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { XdscopeError, diff, explain, explainAs, lint, lintAs } from 'xdscope';

const { XDSCOPE_CORPUS, XDSCOPE_PROGRAM, XDSCOPE_TREE } = process.env;
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

test('npx xdscope prints what the program prints', () => {
  for (const line of [['lint', '--client', 'go', '-f', 'gcc', shop], ['explain', '--path', '/shop.Cart/Add', shop],
    ['explain', '--path', '/nobody/takes', '--client', 'go', shop]]) {
    const [npx, own] = [['npx', 'xdscope'], [XDSCOPE_PROGRAM]].map(([word, ...words]) => spawnSync(word, [...words, ...line], { encoding: 'utf8' }));
    assert.deepEqual([npx.status, npx.stdout], [own.status, own.stdout]);
  }
  assert.equal(spawnSync('npx', ['xdscope', 'lint', 'missing']).status, 3);
  assert.equal(spawnSync('npx', ['xdscope', 'lint']).status, 2);
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

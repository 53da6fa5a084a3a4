// extension.test.js - the extension of an unpacked .vsix, XDSCOPE_EXTENSION, with vscode.js in place of VS Code and its own server.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { test, after } = require("node:test");
const { api, state, events, open, published, Document } = require("./vscode.js");

const EXTENSION = process.env.XDSCOPE_EXTENSION;
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? api : load(name, ...rest));

const package_ = JSON.parse(fs.readFileSync(path.join(EXTENSION, "package.json"), "utf8"));
const extension = require(path.join(EXTENSION, package_.main));
const folder = (state.folder = fs.mkdtempSync(path.join(os.tmpdir(), "xdscope-vscode-")));
const write = (name, text) => { fs.writeFileSync(path.join(folder, name), text); return path.join(folder, name); };
const never = { onCancellationRequested() {} };
const codes = (list) => list.map((d) => d.code.value ?? d.code).sort();
const at = (document, text) => {
  const before = document.text.slice(0, document.text.indexOf(text)).split("\n");
  return new api.Position(before.length - 1, before.at(-1).length);
};

const ROUTES = `name: r
virtual_hosts:
- name: v
  domains: ["*"]
  routes:
  - match: {prefix: ""}
    route: {cluster: cart}
`;
const CLUSTER = `name: cart
type: STATIC
lb_policy: round_robin
`;
write("a.routes.yaml", ROUTES);
const cluster = new Document(write("a.clusters.yaml", CLUSTER), "yaml");
const routes = new Document(path.join(folder, "a.routes.yaml"), "yaml");
state.documents.push(cluster); // VS Code has it before the extension starts

after(() => fs.rmSync(folder, { recursive: true }));

test("findings of an open document", async () => {
  await extension.activate({ extensionPath: EXTENSION, subscriptions: [] });
  const found = await published(cluster.uri, (list) => list.length > 0);
  assert.ok(codes(found).includes("cluster-discovery-type"), codes(found).join());
  const [first] = found.filter((d) => (d.code.value ?? d.code) === "cluster-discovery-type");
  assert.equal(first.severity, 0);
  assert.equal(first.range.start.line, 1);
});

test("an edit of one word is judged", async () => {
  const begin = at(cluster, "STATIC");
  await cluster.edit(new api.Range(begin.line, begin.character, begin.line, begin.character + 6), "EDS");
  const found = await published(cluster.uri, (list) => !codes(list).includes("cluster-discovery-type"));
  assert.ok(codes(found).includes("eds-cluster-config-absent"), codes(found).join());
});

test("a fix is offered, and what it edits is correct", async () => {
  const said = state.diagnostics.get(String(cluster.uri));
  const wrong = said.filter((d) => d.range.start.line === 2);
  assert.ok(wrong.length > 0, JSON.stringify(said));
  const found = await state.providers.CodeActions.provideCodeActions(cluster, wrong[0].range, { diagnostics: wrong }, never);
  const fix = found.find((a) => a.edit.edits.some((e) => e.text.includes("ROUND_ROBIN")));
  assert.ok(fix, JSON.stringify(found));
  assert.equal(fix.kind.value.split(".")[0], "quickfix");
  for (const { range, text } of fix.edit.edits) await cluster.edit(range, text);
  assert.match(cluster.text, /^lb_policy: ROUND_ROBIN$/m);
  await published(cluster.uri, (list) => list.every((d) => d.range.start.line !== 2));
});

test("hover on a field, definition in another file", async () => {
  await open(routes);
  await published(routes.uri, () => true);
  const hover = await state.providers.Hover.provideHover(routes, at(routes, "domains"), never);
  assert.match(hover.contents.value, /VirtualHost/);
  const name = at(routes, "cart");
  const found = await state.providers.Definition.provideDefinition(routes, new api.Position(name.line, name.character + 1), never);
  assert.equal(found.length, 1);
  assert.equal(path.basename(found[0].uri.fsPath), "a.clusters.yaml");
});

test("xdscope.conf of the workspace is read again when it changes", async () => {
  write("xdscope.conf", "ignore: [all-of-it]\n");
  await events.conf.fire();
  const deadline = Date.now() + 10000;
  while (!state.shown.some((text) => text.includes("all-of-it")) && Date.now() < deadline) await new Promise((go) => setTimeout(go, 20));
  assert.ok(state.shown.some((text) => text.includes("all-of-it")), state.shown.join());
  write("xdscope.conf", "client: go@1.72\n");
  await events.conf.fire();
});

test("a server that ends is started again, and knows the documents", async () => {
  state.diagnostics.clear();
  const { Client } = require(path.join(EXTENSION, "client.js"));
  const start = Client.prototype.start;
  let child;
  Client.prototype.start = function () { const ready = start.call(this); child = this.child; return ready; };
  await state.commands["xdscope.restart"]();
  await published(cluster.uri, () => true);
  const first = child;
  state.diagnostics.clear();
  first.kill("SIGKILL");
  await published(cluster.uri, () => true);
  assert.notEqual(child, first);
  Client.prototype.start = start;
});

test("a closed document has no findings", async () => {
  state.documents = state.documents.filter((d) => d !== routes);
  await events.close.fire(routes);
  assert.equal(state.diagnostics.has(String(routes.uri)), false);
});

test("a program that cannot be started is said, with what to do", async () => {
  state.settings.path = path.join(folder, "no-such-program");
  state.shown = [];
  await events.settings.fire({ affectsConfiguration: () => true });
  assert.match(state.shown.join(), /no-such-program.*xdscope\.path/);
  delete state.settings.path;
  await events.settings.fire({ affectsConfiguration: () => true });
  await published(cluster.uri, () => true);
});

test("the end is orderly", async () => {
  await extension.deactivate();
  assert.deepEqual(state.log.filter((line) => line.includes("ended with")).filter((line) => !line.includes("SIGKILL")), []);
});

test("each schema that is named is there", () => {
  const rows = [...package_.contributes.yamlValidation, ...package_.contributes.jsonValidation];
  for (const { url } of rows) JSON.parse(fs.readFileSync(path.join(EXTENSION, url), "utf8"));
});

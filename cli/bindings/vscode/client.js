// client.js - a client of `xdscope lsp`: starts it, frames messages, starts it again when it ends. It knows nothing of VS Code.
// Source: Language Server Protocol 3.17, "Base Protocol".
"use strict";
const { spawn } = require("node:child_process");

const MOST_STARTS = 5; // one after the other, each within STEADY of the last
const STEADY = 60000;
const PATIENCE = 2000; // for an orderly end

class Client {
  // handlers: notification(method, params), log(text), started(capabilities)
  constructor(program, args, folders, handlers) {
    Object.assign(this, { program, args, folders, handlers });
    this.waiting = new Map();
    this.next = 1;
    this.starts = [];
    this.stopped = false;
    this.ready = false;
  }

  start() {
    const child = spawn(this.program, this.args, { stdio: ["pipe", "pipe", "pipe"], cwd: this.folders[0]?.path });
    this.child = child;
    this.starts.push(Date.now());
    this.buffer = Buffer.alloc(0);
    child.on("error", (error) => this.ended(child, `${this.program}: ${error.message}`));
    child.on("exit", (code, signal) => this.ended(child, `xdscope lsp ended with ${signal ?? `status ${code}`}`));
    child.stdin.on("error", () => {}); // "exit" says it
    child.stderr.on("data", (data) => this.handlers.log(String(data).trimEnd()));
    child.stdout.on("data", (data) => this.read(child, data));
    const rootUri = this.folders[0]?.uri ?? null;
    return this.request("initialize", {
      processId: process.pid,
      clientInfo: { name: "xdscope for VS Code" },
      rootUri,
      workspaceFolders: this.folders.length ? this.folders.map(({ uri, name }) => ({ uri, name })) : null,
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        textDocument: {
          hover: { contentFormat: ["markdown", "plaintext"] },
          publishDiagnostics: { relatedInformation: true, tagSupport: { valueSet: [1, 2] }, versionSupport: true, codeDescriptionSupport: true },
          codeAction: { isPreferredSupport: true, codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "source.fixAll"] } } },
        },
        workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["create"] } },
      },
    }).then((result) => {
      this.notify("initialized", {});
      this.ready = true;
      this.handlers.started(result.capabilities);
    });
  }

  read(child, data) {
    if (child !== this.child) return;
    this.buffer = Buffer.concat([this.buffer, data]);
    for (;;) {
      const end = this.buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.buffer.toString("latin1", 0, end))?.[1]);
      if (!Number.isSafeInteger(length)) {
        this.handlers.log("a message without Content-Length");
        child.kill();
        return;
      }
      if (this.buffer.length < end + 4 + length) return;
      const body = this.buffer.toString("utf8", end + 4, end + 4 + length);
      this.buffer = this.buffer.subarray(end + 4 + length);
      this.take(JSON.parse(body));
    }
  }

  take(message) {
    if (message.method) {
      // A request of the server: this one makes none, but each needs an answer.
      if (message.id !== undefined) this.send({ id: message.id, error: { code: -32601, message: "not supported" } });
      else this.handlers.notification(message.method, message.params);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) waiting?.reject(new Error(message.error.message));
    else waiting?.resolve(message.result);
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.child?.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }

  notify(method, params) {
    this.send({ method, params });
  }

  // cancelled: a function that takes a function to call when nobody waits any more.
  request(method, params, cancelled) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
      cancelled?.(() => this.waiting.has(id) && this.notify("$/cancelRequest", { id }));
    });
  }

  ended(child, why) {
    if (child !== this.child) return;
    this.child = undefined;
    this.ready = false;
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
    if (this.stopped) return;
    this.handlers.log(why);
    const now = Date.now();
    this.starts = this.starts.filter((at) => now - at < STEADY);
    if (this.starts.length >= MOST_STARTS || !child.pid) {
      this.handlers.log("not started again");
      this.handlers.gaveUp?.(why);
    } else this.start().catch((error) => this.handlers.log(error.message));
  }

  async stop() {
    const child = this.child;
    this.stopped = true;
    if (!child) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    const timer = setTimeout(() => child.kill(), PATIENCE);
    await this.request("shutdown", null).catch(() => {});
    this.notify("exit", null);
    await gone;
    clearTimeout(timer);
  }
}

module.exports = { Client };

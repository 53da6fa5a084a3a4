// vscode.js - in place of VS Code, for the test: documents, events, and what an extension registers.
"use strict";
const fs = require("node:fs");
const { fileURLToPath, pathToFileURL } = require("node:url");

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range { constructor(a, b, c, d) { this.start = new Position(a, b); this.end = new Position(c, d); } }
class Uri {
  constructor(text) { this.text = text; this.scheme = text.split(":", 1)[0]; }
  static parse(text) { return new Uri(text); }
  static file(path) { return new Uri(pathToFileURL(path).href); }
  get fsPath() { return fileURLToPath(this.text); }
  toString() { return this.text; }
}
class Location { constructor(uri, range) { Object.assign(this, { uri, range }); } }
class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
class DiagnosticRelatedInformation { constructor(location, message) { Object.assign(this, { location, message }); } }
class Hover { constructor(contents, range) { Object.assign(this, { contents, range }); } }
class MarkdownString { constructor(value) { this.value = value; } }
class CodeActionKind { constructor(value) { this.value = value; } append(part) { return new CodeActionKind(this.value ? `${this.value}.${part}` : part); } }
CodeActionKind.Empty = new CodeActionKind("");
CodeActionKind.QuickFix = new CodeActionKind("quickfix");
class CodeAction { constructor(title, kind) { Object.assign(this, { title, kind }); } }
class WorkspaceEdit {
  constructor() { this.edits = []; this.created = []; }
  replace(uri, range, text) { this.edits.push({ uri, range, text }); }
  createFile(uri) { this.created.push(uri.fsPath); }
}

class Events {
  constructor() { this.listeners = []; this.on = (f) => { this.listeners.push(f); return { dispose() {} }; }; }
  fire(event) { return Promise.all(this.listeners.map((f) => f(event))); }
}

const events = Object.fromEntries(["open", "change", "close", "save", "settings", "conf"].map((name) => [name, new Events()]));
const state = { settings: {}, documents: [], shown: [], log: [], diagnostics: new Map(), providers: {}, commands: {}, waiting: [] };

// What was published for a file, now or within ten seconds.
function published(uri, is) {
  const now = state.diagnostics.get(String(uri));
  if (now && is(now)) return Promise.resolve(now);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not published for ${uri}: ${JSON.stringify(state.diagnostics.get(String(uri)))} ${state.log.join("\n")}`)), 10000);
    state.waiting.push({ uri: String(uri), is, resolve: (found) => { clearTimeout(timer); resolve(found); } });
  });
}

class Document {
  constructor(path, languageId) { Object.assign(this, { uri: Uri.file(path), languageId, version: 1, text: fs.readFileSync(path, "utf8") }); }
  getText() { return this.text; }
  offset({ line, character }) { return this.text.split("\n").slice(0, line).reduce((n, l) => n + l.length + 1, 0) + character; }
  // As a user types.
  edit(range, text) {
    this.text = this.text.slice(0, this.offset(range.start)) + text + this.text.slice(this.offset(range.end));
    this.version++;
    return events.change.fire({ document: this, contentChanges: [{ range, text }] });
  }
}

const open = (document) => { state.documents.push(document); return events.open.fire(document); };
const api = {
  Position, Range, Uri, Location, Diagnostic, DiagnosticRelatedInformation, Hover, MarkdownString, CodeActionKind, CodeAction, WorkspaceEdit,
  workspace: {
    get textDocuments() { return state.documents; },
    get workspaceFolders() { return state.folder && [{ uri: Uri.file(state.folder), name: "test" }]; },
    getConfiguration: () => ({ get: (name) => state.settings[name] ?? "" }),
    createFileSystemWatcher: () => ({ onDidChange: events.conf.on, onDidCreate: events.conf.on, onDidDelete: events.conf.on, dispose() {} }),
    onDidOpenTextDocument: events.open.on, onDidChangeTextDocument: events.change.on, onDidCloseTextDocument: events.close.on,
    onDidSaveTextDocument: events.save.on, onDidChangeConfiguration: events.settings.on,
  },
  window: {
    createOutputChannel: () => ({ appendLine: (text) => state.log.push(text), dispose() {} }),
    ...Object.fromEntries(["Error", "Warning", "Information"].map((kind) => [`show${kind}Message`, (text) => state.shown.push(text)])),
  },
  commands: { registerCommand: (name, run) => { state.commands[name] = run; return { dispose() {} }; } },
  languages: {
    createDiagnosticCollection: () => ({
      set(uri, list) {
        state.diagnostics.set(String(uri), list);
        state.waiting = state.waiting.filter((w) => w.uri !== String(uri) || !w.is(list) || w.resolve(list));
      },
      delete: (uri) => state.diagnostics.delete(String(uri)), clear: () => state.diagnostics.clear(), dispose() {},
    }),
    ...Object.fromEntries(["Hover", "Definition", "CodeActions"].map((kind) => [`register${kind}Provider`, (_, provider) => { state.providers[kind] = provider; return { dispose() {} }; }])),
  },
};

module.exports = { api, state, events, open, published, Document };

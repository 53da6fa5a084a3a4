// extension.js - what VS Code asks, put to `xdscope lsp` by client.js, and the answers in VS Code's own types.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { Client } = require("./client.js");

const LANGUAGES = ["yaml", "json", "jsonc", "pbtxt", "textproto"];
const FIX_ALL = "source.fixAll.xdscope";

let client, log, diagnostics;

// ---- VS Code's types and those of the protocol ----

const toPosition = (at) => ({ line: at.line, character: at.character });
const toRange = (range) => ({ start: toPosition(range.start), end: toPosition(range.end) });
const fromRange = (r) => new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);
const fromLocation = (at) => new vscode.Location(vscode.Uri.parse(at.uri), fromRange(at.range));
const documentOf = (document) => ({ uri: document.uri.toString() });

function fromDiagnostic(d) {
  const out = new vscode.Diagnostic(fromRange(d.range), d.message, d.severity - 1);
  out.source = d.source;
  out.code = d.codeDescription ? { value: d.code, target: vscode.Uri.parse(d.codeDescription.href) } : d.code;
  out.tags = d.tags;
  out.relatedInformation = d.relatedInformation?.map((i) => new vscode.DiagnosticRelatedInformation(fromLocation(i.location), i.message));
  out.said = d; // a code action names it as it was said
  return out;
}

function fromEdit(edit) {
  const out = new vscode.WorkspaceEdit();
  const replace = (uri, edits) => edits.forEach((e) => out.replace(vscode.Uri.parse(uri), fromRange(e.range), e.newText));
  for (const [uri, edits] of Object.entries(edit.changes ?? {})) replace(uri, edits);
  for (const change of edit.documentChanges ?? []) {
    if (change.kind === "create") out.createFile(vscode.Uri.parse(change.uri), { ignoreIfExists: true });
    else replace(change.textDocument.uri, change.edits);
  }
  return out;
}

// ---- documents ----

const isOurs = (document) => LANGUAGES.includes(document.languageId) && ["file", "untitled"].includes(document.uri.scheme);

function open(document) {
  if (!client?.ready || !isOurs(document)) return;
  client.notify("textDocument/didOpen", {
    textDocument: { ...documentOf(document), languageId: document.languageId, version: document.version, text: document.getText() },
  });
}

function change(event) {
  if (!client?.ready || !isOurs(event.document) || !event.contentChanges.length) return;
  client.notify("textDocument/didChange", {
    textDocument: { ...documentOf(event.document), version: event.document.version },
    contentChanges: event.contentChanges.map((c) => ({ range: toRange(c.range), text: c.text })),
  });
}

function close(document) {
  if (!isOurs(document)) return;
  if (client?.ready) client.notify("textDocument/didClose", { textDocument: documentOf(document) });
  diagnostics.delete(document.uri);
}

function notified(method, params) {
  if (method === "textDocument/publishDiagnostics") diagnostics.set(vscode.Uri.parse(params.uri), params.diagnostics.map(fromDiagnostic));
  else if (method === "window/showMessage") {
    const show = [, "showErrorMessage", "showWarningMessage"][params.type] ?? "showInformationMessage";
    vscode.window[show](params.message);
  } else if (method === "window/logMessage") log.appendLine(params.message);
}

// ---- what is asked ----

async function ask(method, document, params, token) {
  if (!client?.ready || !isOurs(document)) return undefined;
  try {
    return await client.request(method, { textDocument: documentOf(document), ...params }, (cancel) => token.onCancellationRequested(cancel));
  } catch (error) {
    log.appendLine(`${method}: ${error.message}`);
    return undefined;
  }
}

const hover = {
  async provideHover(document, at, token) {
    const found = await ask("textDocument/hover", document, { position: toPosition(at) }, token);
    return found ? new vscode.Hover(new vscode.MarkdownString(found.contents.value), found.range && fromRange(found.range)) : undefined;
  },
};

const definition = {
  async provideDefinition(document, at, token) {
    const found = await ask("textDocument/definition", document, { position: toPosition(at) }, token);
    return found ? [].concat(found).map(fromLocation) : undefined;
  },
};

const actions = {
  async provideCodeActions(document, range, context, token) {
    const only = context.only ? { only: [context.only.value] } : {};
    const said = context.diagnostics.filter((d) => d.said).map((d) => d.said);
    const found = await ask("textDocument/codeAction", document, { range: toRange(range), context: { diagnostics: said, ...only } }, token);
    return found?.map((a) => {
      const out = new vscode.CodeAction(a.title, vscode.CodeActionKind.Empty.append(a.kind));
      out.edit = fromEdit(a.edit);
      out.isPreferred = a.isPreferred;
      out.diagnostics = context.diagnostics.filter((d) => a.diagnostics?.some((b) => b.code === d.said?.code));
      return out;
    });
  },
};

// ---- starting and ending ----

// The program of the setting, of the extension, or of the PATH.
function program(extensionPath) {
  const set = vscode.workspace.getConfiguration("xdscope").get("path");
  const inside = path.join(extensionPath, "server", process.platform === "win32" ? "xdscope.exe" : "xdscope");
  return set || (fs.existsSync(inside) ? inside : "xdscope");
}

async function start(extensionPath) {
  const clients = vscode.workspace.getConfiguration("xdscope").get("client");
  const folders = (vscode.workspace.workspaceFolders ?? []).map((f) => ({ uri: f.uri.toString(), name: f.name, path: f.uri.fsPath }));
  client = new Client(program(extensionPath), ["lsp", ...(clients ? ["--client", clients] : [])], folders, {
    notification: notified,
    log: (text) => log.appendLine(text),
    started: () => vscode.workspace.textDocuments.forEach(open),
    gaveUp: (why) => vscode.window.showErrorMessage(`xdscope: ${why}. Install xdscope, or name it in the setting xdscope.path.`),
  });
  await client.start().catch((error) => log.appendLine(error.message));
}

async function restart(extensionPath) {
  await client?.stop();
  diagnostics.clear();
  await start(extensionPath);
}

async function activate(context) {
  log = vscode.window.createOutputChannel("xdscope");
  diagnostics = vscode.languages.createDiagnosticCollection("xdscope");
  const selector = LANGUAGES.flatMap((language) => ["file", "untitled"].map((scheme) => ({ language, scheme })));
  const conf = vscode.workspace.createFileSystemWatcher("**/{xdscope.conf,*.{json,jsonl,ndjson,yaml,yml,pb,binpb,txtpb,textproto,pb_text,pbtxt,prototxt}}");
  const reread = () => client?.ready && client.notify("workspace/didChangeWatchedFiles", { changes: [] });
  context.subscriptions.push(
    log, diagnostics, conf,
    conf.onDidChange(reread), conf.onDidCreate(reread), conf.onDidDelete(reread),
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument(change),
    vscode.workspace.onDidCloseTextDocument(close),
    vscode.workspace.onDidSaveTextDocument((d) => client?.ready && isOurs(d) && client.notify("textDocument/didSave", { textDocument: documentOf(d) })),
    vscode.workspace.onDidChangeConfiguration((e) => e.affectsConfiguration("xdscope") && restart(context.extensionPath)),
    vscode.commands.registerCommand("xdscope.restart", () => restart(context.extensionPath)),
    vscode.languages.registerHoverProvider(selector, hover),
    vscode.languages.registerDefinitionProvider(selector, definition),
    vscode.languages.registerCodeActionsProvider(selector, actions, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.Empty.append(FIX_ALL)],
    }),
  );
  await start(context.extensionPath);
}

const deactivate = () => client?.stop();

module.exports = { activate, deactivate };

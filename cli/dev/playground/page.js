// The page: files that are edited, the module of the bindings that judges them, and what it says in place. What
// cli/bindings/node/index.js exports is in front of it, in the same script.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const files = [];
let current = 0, ready = false, timer = 0, asked = 0, rules = null;

function element(name, classes, ...children) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  made.append(...children);
  return made;
}

// ---- the program ----

async function unpack(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  byId(id).remove();
  return new Response(stream).arrayBuffer();
}

const inputs = () => files.filter((file) => file.text.trim()).map((file) => ({ name: file.name, content: file.text }));

// ---- files ----

function unusedName(name) {
  const clean = name.replace(/[^\w.+-]/g, "-").replace(/^[-.]+/, "") || "resources.yaml";
  let unused = clean;
  for (let i = 2; files.some((file) => file.name === unused); i++) unused = clean.replace(/^([^.]*)/, "$1-" + i);
  return unused;
}

function addFile(name, text) {
  if (files.length === 1 && !files[0].text.trim()) files.pop();
  files.push({ name: unusedName(name), text });
  current = files.length - 1;
}

function showFiles() {
  byId("tabs").replaceChildren(...files.map((file, i) => {
    const tab = element("button", "", file.name);
    tab.type = "button";
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(i === current));
    tab.addEventListener("click", () => { current = i; showFiles(); });
    return tab;
  }));
  byId("name").value = files[current].name;
  byId("text").value = files[current].text;
}

function setFiles(all) {
  files.length = 0;
  for (const [name, text] of Object.entries(all)) files.push({ name, text });
  current = 0;
  showFiles();
  judgeSoon(0);
}

async function takeFiles(list) {
  for (const file of list) addFile(file.name, await file.text());
  showFiles();
  judgeSoon(0);
}

// ---- findings ----

function chosenClients() {
  const chosen = [];
  for (const box of document.querySelectorAll("#clients input:checked")) {
    const release = byId("release-" + box.value);
    chosen.push(box.value + (release && release.value ? "@" + release.value : ""));
  }
  return chosen;
}

const WORDS = { CRASH: "kills", NACK: "NACK by", SKIP: "skipped by", IGNORE: "ignored by" };

function whoDoes(clients) {
  return Object.entries(WORDS).map(([verdict, words]) => {
    const who = Object.keys(clients).filter((name) => clients[name] === verdict);
    return who.length ? words + " " + who.join(", ") : "";
  }).filter(Boolean).join("; ");
}

async function showRule(name) {
  rules ??= JSON.parse(new TextDecoder().decode(await unpack("rules")));
  byId("rule-text").textContent = rules[name];
  byId("rule").showModal();
}

function findingItem(finding) {
  const rule = element("button", "", finding.rule);
  rule.type = "button";
  rule.addEventListener("click", () => showRule(finding.rule));
  const who = ["hygiene", "syntax"].includes(finding.effect) ? "" : whoDoes(finding.clients);
  return element("div", "finding " + finding.level,
    element("p", "", element("strong", finding.level, finding.level), ": " + finding.message),
    element("p", "who", who + (who ? " " : ""), rule));
}

// Columns count code points.
function markedLine(text, finding) {
  const code = element("code");
  const points = [...text];
  const begin = finding ? finding.column - 1 : 0;
  const end = !finding ? 0 : finding.end_line === finding.line ? finding.end_column - 1 : points.length;
  if (end > begin) {
    code.append(points.slice(0, begin).join(""), element("mark", "", points.slice(begin, end).join("")), points.slice(end).join(""));
  } else {
    code.textContent = text;
  }
  return code;
}

// The lines around findings, and the findings below theirs.
function fileView(file, findings) {
  const lines = file.text.split("\n");
  const view = element("section", "file", element("h3", "", file.name));
  const near = new Set();
  for (const finding of findings)
    for (let i = finding.line - 3; i <= finding.line + 1; i++) near.add(i);
  let last = 0;
  for (let i = 1; i <= lines.length; i++) {
    if (!near.has(i) && !findings.some((finding) => finding.line === i)) continue;
    if (i > last + 1) view.append(element("div", "gap", "⋯"));
    last = i;
    const here = findings.filter((finding) => finding.line === i);
    view.append(element("div", "line", element("span", "", String(i)), markedLine(lines[i - 1], here[0])));
    view.append(...here.map(findingItem));
  }
  return view;
}

function showReport(report) {
  const sum = report.summary;
  const n = (count, word) => count + " " + word + (count === 1 ? "" : "s");
  byId("summary").className = sum.errors ? "error" : sum.warnings ? "warning" : "good";
  byId("summary").textContent = n(sum.resources, "resource") + ", " + sum.nacked + " rejected: " + n(sum.errors, "error") + ", " +
    n(sum.warnings, "warning") + ", " + n(sum.notes, "note");
  const views = [];
  for (const file of files) {
    const findings = report.findings.filter((finding) => finding.file === file.name && finding.line > 0);
    if (findings.length) views.push(fileView(file, findings));
  }
  views.push(...report.findings.filter((finding) => !finding.line).map(findingItem));
  byId("found").replaceChildren(...views);
}

async function judge() {
  const turn = ++asked, clients = chosenClients();
  if (!files.some((file) => file.text.trim())) {
    byId("summary").className = "";
    byId("summary").textContent = "Paste resources, drop files, or take an example.";
    byId("found").replaceChildren();
    return;
  }
  if (!clients.length) {
    byId("summary").textContent = "Choose a client.";
    return;
  }
  try {
    const report = await lint(inputs(), { clients });
    if (turn === asked) showReport(report); // else there is a newer text
  } catch (fault) {
    if (turn !== asked) return;
    byId("summary").className = "error";
    byId("summary").textContent = fault.message;
    byId("found").replaceChildren();
  }
}

function judgeSoon(delay) {
  clearTimeout(timer);
  timer = setTimeout(() => { if (ready) judge(); }, delay);
}

// ---- a request ----

async function askWay(event) {
  event.preventDefault();
  if (!ready) return;
  const target = byId("target").value.trim();
  try {
    const headers = byId("headers").value.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => headerOf(line));
    const request = { path: byId("path").value, headers };
    if (target) request[target.startsWith("xds:") ? "target" : "listener"] = target;
    byId("way").textContent = await explainAs("text", inputs(), request, { clients: [byId("as").value] });
  } catch (fault) {
    byId("way").textContent = fault.message;
  }
}

// ---- at the start ----

function showClients() {
  for (const client of data.clients) {
    const box = element("input");
    box.type = "checkbox";
    box.value = client.name;
    box.checked = true;
    box.id = "client-" + client.name;
    const label = element("label", "client", box, client.name);
    label.title = client.title;
    const item = element("span", "client", label);
    const option = (text, value) => { const made = element("option", "", text); made.value = value; return made; };
    if (client.releases.length) {
      const select = element("select");
      select.id = "release-" + client.name;
      select.setAttribute("aria-label", "Release of " + client.name);
      select.append(option("newest", ""), ...client.releases.map((release) => option(release, release)));
      item.append(select);
    }
    byId("clients").append(item);
    byId("as").append(option(client.name, client.name), ...client.releases.map((release) => option(client.name + "@" + release, client.name + "@" + release)));
  }
  byId("as").value = "core";
  byId("clients").addEventListener("change", () => judgeSoon(0));
}

function listen() {
  byId("text").addEventListener("input", () => { files[current].text = byId("text").value; judgeSoon(250); });
  byId("name").addEventListener("change", () => {
    const name = byId("name").value;
    files[current].name = "";
    files[current].name = unusedName(name);
    showFiles();
    judgeSoon(0);
  });
  byId("add").addEventListener("click", () => {
    files.push({ name: unusedName("resources.yaml"), text: "" });
    current = files.length - 1;
    showFiles();
    byId("text").focus();
  });
  byId("remove").addEventListener("click", () => {
    files.splice(current, 1);
    if (!files.length) files.push({ name: "resources.yaml", text: "" });
    current = Math.max(0, current - 1);
    showFiles();
    judgeSoon(0);
  });
  byId("open").addEventListener("change", () => takeFiles(byId("open").files));
  byId("example").append(...Object.keys(data.examples).map((title) => element("option", "", title)));
  byId("example").addEventListener("change", () => {
    if (byId("example").value) setFiles(data.examples[byId("example").value]);
    byId("example").value = "";
  });
  byId("form").addEventListener("submit", askWay);
  document.addEventListener("dragover", (event) => { event.preventDefault(); byId("input").classList.add("over"); });
  document.addEventListener("dragleave", () => byId("input").classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    byId("input").classList.remove("over");
    takeFiles(event.dataTransfer.files);
  });
}

showClients();
listen();
setFiles(Object.values(data.examples)[0]);
byId("version").textContent = data.version;
unpack("wasm").then(load).then(async () => {
  ready = true;
  await judge();
  document.body.dataset.ready = "true";
}).catch((fault) => {
  byId("summary").className = "error";
  byId("summary").textContent = "The program cannot be started here: " + fault;
});

// Drives the page of `lint -f html` in the frame next to this script and writes down what a
// reader sees; html.sh compares that with what it should be. Its tools are those of html_page.js.

function tell(what) {
  const findings = all(".finding").filter(visible).length;
  const rules = all(".cause").filter(visible).length;
  const counts = all("fieldset .count").map((count) => count.textContent).join("/");
  lines.push(`${what}: ${findings} findings of ${rules} rules, "${find(".shown").value}", ` +
    `${counts}, ${report.contentWindow.location.hash || "no hash"}`);
}

async function choose(name, value) {
  const list = find(`select[name=${name}]`);
  list.value = value;
  list.dispatchEvent(new Event("input", { bubbles: true }));
  await pause(300);
}

async function type(text) {
  const box = find("input[type=search]");
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
  await pause(300);
}

function tellSafety() {
  const ids = all("[id]").map((element) => element.id);
  // A rule may link to the gRFC that it is from; nothing is loaded from there.
  const foreign = all("[src], [href]").filter((element) =>
    element.hasAttribute("src") || !/^(#|https:\/\/github\.com\/grpc\/proposal)/.test(element.getAttribute("href")));
  const dangling = all("[href^='#']").filter((link) =>
    !ids.includes(link.getAttribute("href").slice(1)));
  const handlers = all("*").filter((element) =>
    element.getAttributeNames().some((name) => name.startsWith("on") || name === "style"));
  lines.push(`scripts ${all("script").length}, images ${all("img").length}, ` +
    `links out ${foreign.length}, dangling ${dangling.length}, handlers ${handlers.length}, ` +
    `repeated ids ${ids.length - new Set(ids).size}, injected ${String(window.xss)}, ` +
    `secrets ${page().documentElement.innerHTML.includes("hunter2")}`);
}

async function look() {
  await load("");
  tell("all");
  tellSafety();
  await click("input[value=note]");
  tell("without notes");
  await click("input[value=warning]");
  tell("errors only");
  await click("button[type=reset]");
  tell("reset");
  await choose("client", "core");
  tell("not accepted by core");
  await choose("client", "");
  await choose("rule", "route-query-parameters");
  tell("one rule");
  await choose("rule", "");
  await choose("type", "Cluster");
  tell("clusters");
  await type("MAGLEV");
  tell("clusters with a text");
  await type("nowhere");
  tell("nothing");
  find("a[href='#f0']").click();
  await pause(300);
  tell("a link to what is hidden");
  await load("#level=error,warning&type=RouteConfiguration");
  tell("from a link");
  report.contentWindow.location.hash = "#q=session";
  await pause(300);
  tell("another link");
  await load("#level=&rule=gone");
  tell("a stale link");
  await loadWithoutScripts("#q=nowhere", ".finding", "findings");
}

drive(look);

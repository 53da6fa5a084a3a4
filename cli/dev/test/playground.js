// What a visitor does, and sees: beside the page, which is in the frame.
"use strict";
let seen = "";
const frame = document.getElementById("report");
const say = (...words) => { seen += words.join(" ") + "\n"; };
const page = () => frame.contentDocument;
const byId = (id) => page().getElementById(id);
const until = async (what) => { for (let i = 0; i < 6000 && !what(); i++) await new Promise((done) => setTimeout(done, 20)); };
const event = (name) => new frame.contentWindow.Event(name, { bubbles: true, cancelable: true });
const findings = () => [...page().querySelectorAll("#found .finding button")].map((button) => button.textContent).join(", ");
// Of the next run: its summary is written anew.
async function next(action) {
  byId("summary").textContent = "waiting";
  action();
  await until(() => byId("summary").textContent !== "waiting");
}
const edit = (text) => next(() => { byId("text").value = text; byId("text").dispatchEvent(event("input")); });

async function play() {
  await until(() => page() && page().body && page().body.dataset.ready);
  say("version:", byId("version").textContent);
  say("files:", [...byId("tabs").children].map((tab) => tab.textContent).join(", "));
  say("example:", byId("summary").textContent);
  say(findings());
  await next(() => { byId("client-go").click(); byId("client-java").click(); byId("client-node").click(); });
  say("grfc and core:", byId("summary").textContent);
  await next(() => { byId("client-go").click(); byId("release-go").value = "1.60"; byId("release-go").dispatchEvent(event("change")); });
  say("and go 1.60:", byId("summary").textContent);
  byId("form").dispatchEvent(event("submit"));
  await until(() => byId("way").textContent.includes("\n"));
  say("way:", byId("way").textContent.trim().split("\n").pop());
  const answer = byId("way").textContent;
  byId("headers").value = "x-tester";
  byId("form").dispatchEvent(event("submit"));
  await until(() => byId("way").textContent !== answer);
  say("no header:", byId("way").textContent);
  byId("headers").value = "";
  byId("add").click();
  byId("name").value = "mine.routes.yaml";
  byId("name").dispatchEvent(event("change"));
  await edit("name: r\nvirtual_hosts:\n- domains: []  # \u{1f98a}\n");
  const mine = [...page().querySelectorAll("#found .file")].find((file) => file.querySelector("h3").textContent === "mine.routes.yaml");
  say("mine:", mine.querySelector("mark").textContent, "|", [...mine.querySelectorAll(".finding p:first-child")].map((p) => p.textContent).join(" | "));
  await edit("a: [\n");
  say("no YAML:", [...page().querySelectorAll("#found .finding p")].map((p) => p.textContent).find((text) => text.includes("YAML")));
  await edit("<img src=x onerror=document.title='injected'>: \u0000");
  say("title:", page().title);
  page().querySelector("#found .finding button").click();
  await until(() => byId("rule").open && byId("rule-text").textContent);
  say("rule:", byId("rule-text").textContent.split("\n")[0]);
  byId("rule").close();
  for (const width of [390, 1280]) {
    frame.width = width;
    await new Promise((done) => setTimeout(done, 100));
    say(width + " pixels: wider than the window:", page().documentElement.scrollWidth > width);
  }
  let refused = "";
  try { await frame.contentWindow.fetch("https://example.invalid/"); } catch (fault) { refused = fault.name; }
  say("asked for another page:", refused);
}
play().catch((fault) => say("the script ended:", fault && fault.stack)).then(() => fetch("/seen", { method: "POST", body: seen }));

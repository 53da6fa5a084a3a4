// Looks at the pages of the site in the frame next to this script, as wide as a screen and as a
// phone, searches and filters, and writes down what a reader sees; site.sh compares that with
// what it should be. Its tools are those of html_page.js.

const wide = new Map();
let foreign = 0;

async function open(page) {
  report.src = "about:blank";
  await pause(20);
  await new Promise((done) => { report.onload = done; report.src = `site/${page}`; });
  await pause(60);
}

async function tellPages() {
  for (const name of pages) {
    await open(name);
    for (const width of [390, 1280]) {
      report.width = width;
      await pause(30);
      if (page().documentElement.scrollWidth > width) wide.set(`${name} at ${width}`, page().documentElement.scrollWidth);
    }
    foreign += report.contentWindow.performance.getEntriesByType("resource")
      .filter((entry) => !entry.name.startsWith("file:")).length;
  }
  lines.push(`looked at ${pages.length} pages, loaded from elsewhere: ${foreign}`);
  lines.push(`wider than the window: ${[...wide].map(([at, by]) => `${at} (${by})`).join(", ") || "none"}`);
}

async function search(words) {
  const field = find("#search input");
  field.value = words;
  field.dispatchEvent(new Event("input"));
  await pause(50);
  const first = find("#results a");
  lines.push(`search ${words}: ${first ? `${first.textContent}, ${first.getAttribute("href")}` : find("#found").textContent}`);
}

// From the field in the head of a page to the first result.
async function tellSearch() {
  await open("spec/cluster.html");
  find(".top input").value = "domain-repeated";
  const loaded = new Promise((done) => { report.onload = done; });
  find(".top form").requestSubmit();
  await loaded;
  await pause(100);
  lines.push(`from the head of a page: ${report.contentWindow.location.search}, ${find("#results a").getAttribute("href")}`);
  for (const words of ["max_stream_duration not read", "G31", "unsupported cluster type", "--fail-on", "xyzzy", "<img src=x>"]) await search(words);
}

async function tellFilters() {
  await open("rules/index.html");
  const shown = () => all("tr[data-item]").filter(visible).length;
  const every = shown();
  await click('input[value="warning"]');
  await click('input[value="note"]');
  const errors = shown();
  find("select[name=type]").value = "Cluster";
  find("select[name=type]").dispatchEvent(new Event("input", { bubbles: true }));
  await pause(100);
  lines.push(`rules: all of them ${every === all("tr[data-item]").length}, fewer errors ${errors < every}, ` +
    `fewer of clusters ${shown() < errors && shown() > 0}, ${report.contentWindow.location.hash}`);
  await open("agreement/go.html");
  const answers = shown();
  await click("input[name=open]");
  lines.push(`answers of go: fewer differ ${shown() < answers && shown() > 0}`);
}

async function look() {
  await tellPages();
  await tellSearch();
  await tellFilters();
}

drive(look);

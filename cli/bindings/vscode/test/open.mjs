// open.mjs CODE_SERVER VSIX CHROMIUM - the extension in VS Code itself: code-server installs it, a browser opens a file with a
// cluster that clients reject, and the finding is in the problems. `make check-vscode` runs it beside playwright-core.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [codeServer, vsix, executablePath] = process.argv.slice(2);
const place = mkdtempSync(join(tmpdir(), 'xdscope-vscode-'));
const workspace = join(place, 'workspace');
const words = codeServer.split(' ');
const where = ['--user-data-dir', join(place, 'user'), '--extensions-dir', join(place, 'extensions')];
const env = { ...process.env, XDG_CONFIG_HOME: join(place, 'config') };

mkdirSync(workspace);
writeFileSync(join(workspace, 'shop.yaml'), '"@type": type.googleapis.com/envoy.config.cluster.v3.Cluster\nname: shop\ntype: STRICT_DNS\n');
const installed = spawnSync(words[0], [...words.slice(1), ...where, '--install-extension', vsix], { encoding: 'utf8', env });
assert.equal(installed.status, 0, installed.stdout + installed.stderr);

const server = spawn(words[0], [...words.slice(1), ...where, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check',
  '--disable-workspace-trust'], { env }); // else VS Code asks at some time
let browser;
try {
  const address = await new Promise((found, failed) => {
    let said = '';
    server.stdout.on('data', (text) => {
      const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/.exec((said += text)) ?? [];
      if (url) found(url);
    });
    server.on('exit', () => failed(new Error(said)));
  });
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  const page = await browser.newPage();
  page.setDefaultTimeout(120000);
  await page.goto(`${address}/?folder=${workspace}`);
  await page.getByText('shop.yaml').first().dblclick();
  await page.locator('.squiggly-error').waitFor();
  await page.keyboard.press('Control+Shift+KeyM');
  const problem = page.locator('.markers-panel').getByText('unknown discovery type STRICT_DNS').first();
  await problem.waitFor();
  console.log(`  VSCODE\t${await problem.innerText()}`);
} finally {
  await browser?.close();
  server.kill();
  rmSync(place, { recursive: true, force: true });
}

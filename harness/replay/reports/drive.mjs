// Makes the calls of a story from a page in Chromium, one JSON line each on standard input,
// and writes what was recorded: Playwright's own HAR, or the messages of the DevTools
// protocol as a HAR. Token calls are a server's, and in neither.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';

const [tools, mode, base, out, chromium, bodies] = process.argv.slice(2);
const require = createRequire(tools + '/');
const { chromium: browserType } = require('playwright-core');

const browser = await browserType.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-background-networking'] });
const context = await browser.newContext(
  mode === 'playwright' ? { recordHar: { path: out, content: bodies === 'none' ? 'omit' : 'embed', mode: 'full' } } : {});
const page = await context.newPage();
const messages = [];
if (mode === 'devtools') {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Page.enable');
  for (const name of ['Page.loadEventFired', 'Page.domContentEventFired', 'Page.frameStartedLoading', 'Page.frameAttached', 'Page.frameScheduledNavigation',
    'Network.requestWillBeSent', 'Network.requestWillBeSentExtraInfo', 'Network.responseReceived', 'Network.responseReceivedExtraInfo', 'Network.dataReceived', 'Network.loadingFailed']) {
    session.on(name, (params) => messages.push({ method: name, params }));
  }
  session.on('Network.loadingFinished', async (params) => {
    const message = { method: 'Network.loadingFinished', params };
    messages.push(message);
    if (bodies === 'none') return;
    try {
      const body = await session.send('Network.getResponseBody', { requestId: params.requestId });
      const response = messages.find((m) => m.method === 'Network.responseReceived' && m.params.requestId === params.requestId);
      if (response) Object.assign(response.params.response, { body: body.body, encoding: body.base64Encoded ? 'base64' : undefined });
    } catch { /* a redirect has no body */ }
  });
}
await page.goto(base + '/page');

const lines = createInterface({ input: process.stdin });
for await (const line of lines) {
  const call = JSON.parse(line);
  let told;
  if (call.url.endsWith('/Authentication/Token')) { // a server's call: no page has the secret
    const answer = await fetch(call.url, { ...call, headers: { ...call.headers, 'User-Agent': 'shop/1.0' } });
    told = { status: answer.status };
  } else {
    told = await page.evaluate(async ({ url, ...options }) => {
      const answer = await fetch(url, options);
      await answer.text();
      return { status: answer.status };
    }, call);
  }
  await page.waitForTimeout(50);
  process.stdout.write(JSON.stringify(told) + '\n');
}
await page.waitForTimeout(200);
await context.close();
await browser.close();
if (mode === 'devtools') {
  const { harFromMessages } = require('chrome-har');
  const har = harFromMessages(messages, { includeTextFromResponseBody: true });
  writeFileSync(out, JSON.stringify(har));
}

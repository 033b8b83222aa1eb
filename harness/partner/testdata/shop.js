// A small shop, written against the README alone and without a library: it sells
// memberships, believes signed events, and keeps books. --variant NAME makes it careless, or
// careful in another way. It is test data: cmd/paysandbox observes it.
'use strict';
const http = require('node:http');
const crypto = require('node:crypto');

const { PAYSANDBOX_URL: base, PAYSANDBOX_CLIENT_ID: clientId, PAYSANDBOX_CLIENT_SECRET: clientSecret, PAYSANDBOX_WEBHOOK_SECRET: secret } = process.env;
const control = `${process.env.PAYSANDBOX_CONTROL_URL}/integrations/${process.env.PAYSANDBOX_INTEGRATION}`;
const at = process.argv.indexOf('--variant');
const variant = at < 0 ? '' : process.argv[at + 1];
const is = (...names) => names.includes(variant);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The books: by payment, how often it was handed over and taken back.
const books = new Map();
const final = { Failed: 3, Denied: 3, Canceled: 3, Paid: 2, Processing: 1, Queued: 1, InReview: 1, Scheduled: 0, Pending: 0 };

function tell(id, status) {
  const b = books.get(id) ?? { rank: -1, fulfilled: 0, reversed: 0 };
  books.set(id, b);
  if (is('no-dedupe')) {
    if (status === 'Paid') b.fulfilled += 1;
    if (status === 'Failed' && b.fulfilled > b.reversed) b.reversed += 1;
    return;
  }
  if ((final[status] ?? 0) <= b.rank) return; // told before, or overtaken
  b.rank = final[status] ?? 0;
  if (status === 'Paid' || (status === 'Processing' && is('processing'))) b.fulfilled = 1;
  if (status === 'Failed' && b.fulfilled > 0 && !is('ignore-return')) b.reversed = 1;
}

function genuine(raw, signature) {
  if (is('no-signature')) return true;
  const signed = is('parsed-bytes') ? JSON.stringify(JSON.parse(raw)) : raw;
  const expected = 'sha256=' + crypto.createHmac('sha256', secret).update(signed).digest('hex');
  const got = Buffer.from(signature ?? '');
  return got.length === expected.length && crypto.timingSafeEqual(got, Buffer.from(expected));
}

function receive(raw, req, res) {
  let event;
  try {
    if (!genuine(raw, req.headers['x-hmac-signature'])) return res.writeHead(401).end();
    event = JSON.parse(raw);
  } catch {
    return res.writeHead(400).end();
  }
  const { PaymentId: id, Status: status } = event.Data ?? {};
  const known = event.Event === 'PAYMENT_STATUS_CHANGED' && id && status;
  if (!known && is('unknown-refused')) return res.writeHead(400).end();
  const handle = () => known && tell(id, status);
  if (is('later')) setTimeout(handle, 700); else handle();
  res.writeHead(is('accepted') ? 202 : 200).end();
}

const server = http.createServer((req, res) => {
  const parts = [];
  req.on('data', (p) => parts.push(p)).on('end', () => {
    if (req.method === 'POST') return receive(Buffer.concat(parts), req, res);
    const payments = [...books].map(([paymentRequestId, b]) => ({ paymentRequestId, fulfilled: b.fulfilled, reversed: b.reversed }));
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ payments }));
  });
});

// One token serves all calls until shortly before its end.
let token, until = 0, fetching;
async function authorised() {
  if (token && Date.now() < until && !is('token-each')) return token;
  fetching ??= (async () => {
    const answer = await (await fetch(`${base}/Authentication/Token`, { method: 'POST', headers: headers(), body: JSON.stringify({ clientId, clientSecret }), signal: AbortSignal.timeout(10_000) })).json();
    [token, until] = [answer.accessToken, Date.now() + (answer.expiresInSeconds - 60) * 1000];
    if (is('token-logged')) console.log('token', token);
  })().finally(() => { fetching = undefined; });
  await fetching;
  return token;
}

const headers = () => ({ 'Content-Type': 'application/json', ...(is('no-agent') ? {} : { 'User-Agent': 'hallshop/1.0' }) });

// call makes a call and repeats it while that is sane. found looks for what a lost answer
// may have made before a POST is repeated.
async function call(method, path, body, found) {
  let refreshed = false;
  for (let tries = 0; ; tries += 1) {
    let res, text;
    try {
      const address = base + path + (is('token-in-address') ? `?access_token=${await authorised()}` : '');
      res = await fetch(address, { method, headers: { ...headers(), Authorization: `Bearer ${await authorised()}` }, body: body && JSON.stringify(body), signal: AbortSignal.timeout(10_000) });
      text = await res.text();
    } catch { res = undefined; }
    if (res?.ok) return text ? JSON.parse(text) : {};
    if (res?.status === 401 && !refreshed) { [token, refreshed] = [undefined, true]; continue; }
    const again = !res || res.status >= 500 || res.status === 429;
    if (!again || tries >= 5) throw new Error(`${method} ${path}: ${res?.status ?? 'no answer'}`);
    const after = is('hasty') ? 0 : Number(res?.headers.get('retry-after') ?? 0) * 1000;
    const grown = is('full-jitter') ? Math.random() * 400 * 2 ** tries : 300 * 2 ** tries * (1 + Math.random() / 2);
    const wait = is('equal-jitter') ? 250 * 2 ** tries * (0.5 + Math.random() / 2) : grown;
    await pause(Math.max(after, wait));
    if (found && !is('blind-repeat')) {
      const made = await found();
      if (made) return made;
    }
  }
}

const act = async (path, body = {}) => (await fetch(control + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json();

// charge asks for a payment, once, whatever happens to the answer.
async function charge(n) {
  const reference = `order-${n}-${crypto.randomUUID()}`;
  const sent = { amount: is('dollars') ? 50.5 : 5000, contactNumber: is('national-number') ? '2025550142' : '+12025550142', ...(is('no-reference') ? {} : { reference }) };
  const made = await call('POST', '/Payment/Create', sent, async () => {
    let cursor = '';
    do {
      const page = await call('GET', `/Transaction/Report${cursor && `?cursor=${encodeURIComponent(cursor)}`}`);
      const hit = page.transactions.find((t) => t.reference === reference);
      if (hit) return { paymentRequestId: hit.externalPaymentRequestId ?? hit.paymentRequestId };
      cursor = page.hasMore ? page.nextCursor : '';
    } while (cursor);
    return undefined;
  }).catch(() => undefined);
  return made?.paymentRequestId;
}

async function sell(n) {
  const id = await charge(n);
  if (!id) return;
  await act(`/payments/${id}/approve`);
  if (n % 10 === 4) return act(`/payments/${id}/fail`, { returnCode: 'R01' });
  await act('/clock/advance', { by: '10s' });
  await call('GET', `/Payment/${id}/Status`).catch(() => undefined);
  if (n % 4 === 3) await act(`/payments/${id}/return`);
  await pause(150);
}

async function main() {
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const own = `http://127.0.0.1:${server.address().port}`;
  await act('/webhooks', { url: `${own}/hooks` });
  await act('/notes', { kind: 'state-probe', text: 'our books', data: { url: `${own}/state` } });
  const company = JSON.parse(process.env.SHOP_COMPANY);
  await call('POST', '/Company/Create', company, async () => ((await call('GET', '/Company/List')).companies.some((c) => c.referenceId === company.companyReferenceId) ? {} : undefined));
  for (let n = 0; n < Number(process.env.SHOP_SALES ?? 40); n += 1) await sell(n);
  await pause(3000);
  server.close();
  server.closeAllConnections();
}

main().catch((problem) => { console.error(problem.message); process.exit(1); });

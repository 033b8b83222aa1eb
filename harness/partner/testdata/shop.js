// A small shop, written against the README alone and without a library: it sells
// memberships, believes signed events, and keeps books. SHOP_POLICY=NAME makes it careless,
// or careful in another way. It is test data: cmd/paysandbox observes it and knows the names.
'use strict';
const http = require('node:http');
const crypto = require('node:crypto');

const { PAYSANDBOX_URL: base, PAYSANDBOX_CLIENT_ID: clientId, PAYSANDBOX_CLIENT_SECRET: clientSecret, PAYSANDBOX_WEBHOOK_SECRET: secret } = process.env;
const control = `${process.env.PAYSANDBOX_CONTROL_URL}/integrations/${process.env.PAYSANDBOX_INTEGRATION}`;
const policy = process.env.SHOP_POLICY ?? '';
const is = (...names) => names.includes(policy);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The books: by payment, how often it was handed over and taken back.
const books = new Map();
const known = new Set(); // the payments that a call has made
const busy = new Set(); // the payments and payers about which a call is under way
const final = { Failed: 3, Denied: 3, Canceled: 3, Paid: 2, Processing: 1, Queued: 1, InReview: 1, Scheduled: 0, Pending: 0 };
const booked = (id) => books.get(id) ?? books.set(id, { rank: -1, told: new Set(), fulfilled: 0, reversed: 0 }).get(id);

function tell(id, status) {
  const b = booked(id);
  if (is('no-dedupe')) {
    if (status === 'Paid') b.fulfilled += 1;
    if (status === 'Failed' && b.fulfilled > b.reversed) b.reversed += 1;
    return;
  }
  if (is('last-event-wins', 'hears-last')) { // what comes last is true, in whatever order it comes
    if (b.told.has(status)) return;
    b.told.add(status);
    if (status === 'Paid') [b.fulfilled, b.reversed] = [1, 0];
    if (status === 'Failed' && b.fulfilled) b.reversed = 1;
    return;
  }
  if (is('by-event')) { // each status once, and what was returned is never handed over
    if (b.told.has(status)) return;
    b.told.add(status);
    if (status === 'Paid' && !b.told.has('Failed')) b.fulfilled = 1;
    if (status === 'Failed' && b.fulfilled) b.reversed = 1;
    return;
  }
  if ((final[status] ?? 0) <= b.rank) return; // told before, or overtaken
  b.rank = final[status] ?? 0;
  if (status === 'Paid' || (status === 'Processing' && is('processing'))) b.fulfilled = 1;
  if (status === 'Failed' && b.fulfilled > 0 && !is('ignore-return')) {
    if (is('slow-reversal')) setTimeout(() => { b.reversed = 1; }, 2500); else b.reversed = 1;
  }
}

function genuine(raw, signature) {
  if (is('no-signature') || (is('optional-signature') && !signature)) return true;
  const signed = is('parsed-bytes') ? JSON.stringify(JSON.parse(raw)) : is('decoded') ? raw.toString('latin1') : raw;
  const of = (key) => 'sha256=' + crypto.createHmac('sha256', key).update(signed).digest('hex');
  const got = Buffer.from(signature ?? '');
  if (is('any-secret')) return /^sha256=[0-9a-f]{64}$/.test(signature ?? '');
  return got.length === of(secret).length && crypto.timingSafeEqual(got, Buffer.from(of(secret)));
}

let line = Promise.resolve();

async function receive(raw, req, res) {
  const refuse = (status) => res.writeHead(is('forbidden') ? 403 : is('bad-request') ? 400 : status).end();
  let event;
  try {
    if (!genuine(raw, req.headers['x-hmac-signature'])) {
      if (is('believes-anyway')) believe(JSON.parse(raw).Data ?? {});
      return refuse(401);
    }
    event = JSON.parse(raw);
  } catch {
    return refuse(400);
  }
  const data = event.Data ?? {};
  const understood = event.Event === 'PAYMENT_STATUS_CHANGED' && data.PaymentId && data.Status;
  if (!understood && is('unknown-refused')) return refuse(400);
  const told = ['Live', 'Event', 'Data', 'CreatedAt'];
  if (is('strict-members') && Object.keys(event).some((k) => !strict.has(k) && !told.includes(k))) return refuse(400);
  if (!understood && is('unknown-fails')) return res.writeHead(500).end();
  if (is('knows-first') && understood && !known.has(data.PaymentId)) return res.writeHead(404).end();
  if (is('locks-out') && (busy.has(data.PaymentId) || busy.has(payer) && !known.has(data.PaymentId))) return res.writeHead(503).end();
  if (is('slow-answer')) await pause(4000);
  const work = () => understood && handle(data);
  if (is('later')) setTimeout(work, 700);
  else if (is('queue')) line = line.then(() => pause(40)).then(work);
  else if (is('slow-books')) await pause(300).then(work);
  else if (is('racy-dedupe')) await (understood && racy(data));
  else await work();
  res.writeHead(is('accepted') ? 202 : is('no-content') ? 204 : 200).end(is('says-ok') ? '{"ok":true}' : undefined);
}

// The members that events had when the shop was written.
const strict = new Set(['Id', 'EventId', 'Timestamp']);

function handle({ PaymentId: id, Status: status }) {
  if (!is('rereads') || status === 'Processing') return tell(id, status);
  setTimeout(async () => { // an event is a reason to look, and no more
    const now = await call('GET', `/Payment/${id}/Status`).catch(() => undefined);
    if (now) tell(id, now.status);
  }, 20);
}

// believe takes an event that nobody has vouched for, like any other about a payment.
const believe = (data) => data.PaymentId && data.Status && handle(data);

// racy looks, waits for its database, and writes what it had seen.
async function racy({ PaymentId: id, Status: status }) {
  if (status !== 'Paid') return tell(id, status);
  const b = booked(id), seen = b.told.has('Paid');
  await pause(30);
  b.told.add('Paid');
  b.rank = Math.max(b.rank, 2);
  if (!seen && !b.told.has('Failed')) b.fulfilled += 1;
}

const server = http.createServer((req, res) => {
  const parts = [];
  req.on('data', (p) => parts.push(p)).on('end', () => {
    if (req.method === 'POST') return receive(Buffer.concat(parts), req, res);
    const payments = [...books].map(([paymentRequestId, { fulfilled, reversed }]) => ({ paymentRequestId, fulfilled, reversed, ...(is('says-more') ? { item: 'membership' } : {}) }));
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ payments }));
  });
});

// One token serves all calls until shortly before its end.
let token, until = 0, fetching;
async function authorised() {
  if (token && Date.now() < until && !is('token-each')) return token;
  fetching ??= (async () => {
    const answer = await (await fetch(`${base}/Authentication/Token`, { method: 'POST', headers: headers(), body: JSON.stringify({ clientId, clientSecret }), signal: AbortSignal.timeout(10_000) })).json();
    const lasts = is('no-renewal') ? 1e9 : answer.expiresInSeconds - (is('half-life') ? answer.expiresInSeconds / 2 : 60);
    [token, until] = [answer.accessToken, Date.now() + lasts * 1000];
    if (is('token-logged', 'token-encoded')) console.log('token', is('token-encoded') ? Buffer.from(token).toString('base64') : token);
    if (is('secret-logged')) console.error(`signed in as ${clientId}:${clientSecret}`);
  })().finally(() => { fetching = undefined; });
  await fetching;
  return token;
}

async function bearer() {
  const Authorization = `Bearer ${await authorised()}`;
  return is('token-cookie') ? { Authorization, Cookie: `theme=dark; session=${Authorization.slice(7)}` } : { Authorization };
}

const headers = () => ({
  'Content-Type': is('charset') ? 'application/json; charset=utf-8' : 'application/json',
  ...(is('no-agent') ? {} : { 'User-Agent': is('long-agent') ? 'hallshop/1.0 (node; +https://shop.example/help)' : 'hallshop/1.0' }),
  ...(is('secret-header') ? { 'X-Client-Secret': clientSecret } : {}),
  ...(is('closes') ? { Connection: 'close' } : {}),
});

const patience = is('patient') ? 30_000 : is('brisk') ? 6_000 : is('impatient') ? 300 : 10_000;
const attempts = is('gives-up-early') ? 3 : is('endless', 'endless-fast') ? Infinity : is('sixty') ? 60 : 5;

// rest is how long the shop waits before it makes a call again, in milliseconds.
let before = 300;
function rest(tries) {
  const grown = 300 * 2 ** Math.min(tries, is('endless') ? 3 : 4);
  if (is('sixty', 'endless-fast')) return 100 + Math.random() * 50 * Math.min(tries, 6);
  if (is('no-pause', 'no-sleep')) return 0;
  if (is('doubled-exact')) return grown;
  if (is('constant-jitter')) return 450 + Math.random() * 100;
  if (is('random-second')) return Math.random() * 1000;
  if (is('herd')) return 250 * 2 ** tries - Date.now() % 250;
  if (is('no-backoff')) return 12;
  if (is('even-pauses')) return 950;
  if (is('constant')) return 400;
  if (is('level-pauses')) return 120 + Math.random() * 12;
  if (is('full-jitter')) return Math.random() * 400 * 2 ** tries;
  if (is('equal-jitter')) return 250 * 2 ** tries * (0.5 + Math.random() / 2);
  if (is('decorrelated')) return (before = tries ? Math.min(5000, 200 + Math.random() * (before * 3 - 200)) : 300);
  if (is('slow-pauses')) return 1000 * 1.5 ** tries * (0.8 + Math.random() * 0.4);
  return grown * (1 + Math.random() / 2);
}

// call makes a call and repeats it while that is sane. found looks for what a lost answer
// may have made before a POST is repeated.
async function call(method, path, body, found) {
  let refreshed = is('no-refresh'), refused = 0;
  const kept = crypto.randomUUID();
  for (let tries = 0; ; tries += 1) {
    let res, text;
    try {
      const address = base + path + (is('token-in-address') ? `?access_token=${await authorised()}` : '');
      const key = is('one-key') ? 'one-key-for-whatever-this-shop-sells' : is('key-each-try') ? crypto.randomUUID() : is('keys') ? kept : undefined;
      const sent = body && JSON.stringify(body, null, is('spaced') ? 2 : undefined);
      const signal = is('no-timeout') ? undefined : AbortSignal.timeout(is('hurries') && method === 'POST' ? 2_000 : patience);
      res = await fetch(address, { method, headers: { ...headers(), ...await bearer(), ...(key && body ? { 'Idempotency-Key': key } : {}) }, body: sent, signal });
      text = await res.text();
    } catch { res = undefined; }
    if (res?.ok) return text ? JSON.parse(text) : {};
    if (res?.status === 401 && !refreshed) { [token, refreshed] = [undefined, true]; continue; }
    if (is('stubborn') && res?.status >= 400 && res.status < 500 && res.status !== 429 && (refused += 1) < 3) { await pause(200); continue; }
    const again = !res || res.status >= 500 || res.status === 429;
    if (!again || tries >= attempts) throw new Error(`${method} ${path}: ${res?.status ?? 'no answer'}`);
    const after = (is('hasty') ? 0 : is('half-waits') ? 0.5 : 1) * Number(res?.headers.get('retry-after') ?? 0) * 1000;
    await pause(Math.max(after, rest(tries)));
    if (found && !is('blind-repeat')) {
      const made = await found();
      if (made) return made;
    }
  }
}

const act = async (path, body = {}) => (await fetch(control + path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json();

// report reads all payments, page by page, until one is the one that is looked for.
async function report(wanted) {
  let cursor = '';
  do {
    const page = await call('GET', `/Transaction/Report${cursor && `?cursor=${encodeURIComponent(cursor)}`}`);
    const hit = page.transactions.find(wanted);
    if (hit) return { paymentRequestId: hit.externalPaymentRequestId ?? hit.paymentRequestId };
    cursor = page.hasMore && !is('first-page') ? page.nextCursor : '';
  } while (cursor);
  return undefined;
}

function referenceOf(n) {
  const id = crypto.randomUUID();
  if (is('same-reference')) return 'membership';
  if (is('phone-in-reference')) return `+12025550142-${n}`;
  if (is('mail-in-reference')) return `ann.miller@shop.example-${n}`;
  return is('short-reference') ? id.replaceAll('-', '').slice(0, 12) : `order-${n}-${id}`;
}

// charge asks for a payment, once, whatever happens to the answer.
async function charge(n) {
  const reference = referenceOf(n);
  const sent = {
    amount: is('dollars') ? 50.5 : is('stubborn') && n === 3 ? 0 : 5000, contactNumber: is('national-number') ? '2025550142' : '+12025550142',
    ...(is('no-reference') ? {} : { reference }),
    ...(is('describes') ? { shortDescription: 'Membership, one month' } : {}),
    ...(is('born') ? { metadata: { member: { dateOfBirth: '1984-07-03' } } } : {}),
    ...(is('mail-in-description') ? { shortDescription: 'Membership of ann.miller@shop.example' } : {}),
    ...(is('card-in-description') ? { shortDescription: 'Membership, paid before with 4242 4242 4242 4242' } : {}),
    ...(is('card-in-metadata') ? { metadata: { card: '4242424242424242' } } : {}),
    ...(is('misspelt') ? { refrence: reference } : {}),
  };
  const made = await call('POST', '/Payment/Create', sent, () => report((t) => t.reference === reference)).catch(() => undefined);
  return made?.paymentRequestId;
}

async function status(id) {
  if (polling || is('events-alone', 'believes-anyway', 'hears-last')) return undefined; // events tell everything
  const now = await call('GET', `/Payment/${id}/Status`).catch(() => undefined);
  if (!now) return undefined;
  if (is('looks-too')) tell(id, now.status);
  if (is('books-twice') && now.status === 'Paid') booked(id).fulfilled += 1;
  return now.status;
}

// byCard charges the card that the payer has saved: the call itself causes an event.
async function byCard(n) {
  const amount = 4200 + n; // each its own, as a charge has no reference
  const found = () => report((t) => t.amount === amount);
  busy.add(payer);
  const made = await call('POST', '/Payment/ChargeSavedCard', { registrationId: payer, paymentMethodId: card, amount, shortDescription: 'Towel' }, found).catch(() => undefined);
  busy.delete(payer);
  if (made) known.add(made.paymentRequestId);
}

async function sell(n) {
  if (n % 6 === 1) await byCard(n);
  const id = await charge(n);
  if (!id) return;
  known.add(id);
  if (polling) booked(id);
  if (is('on-created')) booked(id).fulfilled = 1;
  if (n % 4 === 2) {
    busy.add(id);
    await call('PUT', `/Payment/${id}/Cancel`).catch(() => undefined);
    busy.delete(id);
    return;
  }
  await act(`/payments/${id}/approve`);
  if (n % 10 === 4) return act(`/payments/${id}/fail`, { returnCode: 'R01' });
  if (is('hot-polling')) for (let i = 0; i < 8; i += 1) { await status(id); await pause(40); }
  if (is('polls-gently')) { await pause(1100); await status(id); await pause(1100); }
  await act('/clock/advance', { by: '6s' });
  await status(id);
  if (n % 8 === 5) { // too late: the state says what holds
    await call('PUT', `/Payment/${id}/Cancel`).catch(() => (is('cancels-again') ? call('PUT', `/Payment/${id}/Cancel`) : status(id))).catch(() => undefined);
  }
  if (n % 4 === 3) {
    if (polling) await pause(3500); // it has to have been seen
    await act(`/payments/${id}/return`);
  }
  await pause(250);
}

// A shop that receives no events reads the state of all its payments now and then, for as
// long as the bank may take one back.
const polling = is('polls', 'polls-hot');
async function poll() {
  for (; !closed; await pause(is('polls-hot') ? 50 : 1500)) {
    for (const [id, b] of books) {
      if (b.rank >= 3) continue;
      const now = await call('GET', `/Payment/${id}/Status`).catch(() => undefined);
      if (now) tell(id, now.status);
    }
  }
}
let closed = false;

// batch sells eight at once, and looks after them in one go, as a job in the night does.
async function batch(numbers) {
  const all = (list, f) => Promise.all(list.map(f));
  await byCard(numbers[0]);
  const ids = (await all(numbers, charge)).filter(Boolean);
  await all(ids, (id) => act(`/payments/${id}/approve`));
  await act(`/payments/${ids.pop()}/fail`, { returnCode: 'R01' });
  await act('/clock/advance', { by: '6s' });
  await all(ids, status);
  await all(ids.filter((_, n) => (n + numbers[0] / 8) % 4 === 0), (id) => act(`/payments/${id}/return`));
  await pause(1500);
}

// people registers a company that is rejected, and a payer who comes back and saves a card.
let payer, card;
async function people(own, company) {
  await call('POST', '/Company/Create', { ...company, companyReferenceId: 'second-shop', name: 'KYB REJECT Traders' }, async () => (await call('GET', '/Company/List')).companies.find((c) => c.referenceId === 'second-shop'));
  await act('/clock/advance', { by: '25h' });
  payer = (await call('POST', '/User/Register', { mobileNumber: '+12025550142', redirectUrl: `${own}/back` })).registrationId;
  await act(`/registrations/${payer}/complete`, { persona: 'good' });
  await act('/notes', { kind: 'redirect', text: 'the payer is back', data: { registration: payer, status: 'Registered' } });
  for (let tries = 0; tries < 20 && (await call('GET', `/User/${payer}/Status`)).status !== 'Registered'; tries += 1) await pause(1500);
  await act('/payment-methods', { registrationId: payer, card: 'approved' });
  card = (await call('GET', `/Payment/CardPaymentMethods/${payer}`)).paymentMethods[0].id;
}

// Several sell at a time, where the shop has more than one till.
async function till(next) {
  const sales = Number(process.env.SHOP_SALES ?? 40);
  if (is('batches')) for (let n = 0; n < sales; n += 8) await batch([0, 1, 2, 3, 4, 5, 6, 7].map((i) => n + i));
  else for (let n = next(); n < sales; n = next()) await sell(n);
}

async function main() {
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const own = `http://127.0.0.1:${server.address().port}`;
  if (!polling) await act('/webhooks', { url: `${own}/hooks` });
  else poll();
  await act('/notes', { kind: 'state-probe', text: 'our books', data: { url: `${own}/state` } });
  const company = JSON.parse(process.env.SHOP_COMPANY);
  const mine = async () => (await call('GET', '/Company/List')).companies.find((c) => c.referenceId === company.companyReferenceId);
  await call('POST', '/Company/Create', company, mine);
  if (is('charges-unverified')) await sell(0);
  else {
    await act('/clock/advance', { by: '25h' });
    const verified = async () => (await call('GET', `/Company/${company.companyReferenceId}/Status`).catch(() => undefined))?.status === 'Verified';
    for (let tries = 0; tries < 20 && !await verified(); tries += 1) await pause(1500);
  }
  await people(own, company);
  let n = -1;
  const next = () => (n += 1);
  await Promise.all((is('three-tills') ? [1, 2, 3] : [1]).map(() => till(next)));
  await report(() => false).catch(() => undefined);
  await pause(polling ? 9000 : 6000); // the last events, and a return that is taken back
  closed = true;
  server.close();
  server.closeAllConnections();
}

main().catch((problem) => { console.error(problem.message); process.exit(1); });

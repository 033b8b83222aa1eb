// Authorises, plays what an example needs, sends it and shows every answer. Examples
// are played as x-try of the document says: {name} stands for what an earlier call kept.
(function () {
  'use strict';
  var integration = document.body.dataset.integration;
  var kept = {}, token = '', control = '', count = 0, time = new Date().toISOString();
  function get(id) { return document.getElementById(id); }

  function call(method, address, body, bearer, more) {
    var headers = Object.assign({}, more);
    if (body !== undefined) { headers['Content-Type'] = 'application/json'; }
    if (bearer) { headers.Authorization = 'Bearer ' + bearer; }
    return fetch(address, {method: method, headers: headers, body: body}).then(function (answer) {
      time = answer.headers.get('Sandbox-Time') || time;
      return answer.text().then(function (text) { return {status: answer.status, ok: answer.ok, text: text, headers: answer.headers}; });
    });
  }

  get('authorise').addEventListener('click', function () {
    var own = this.dataset, id = own.id || get('client').value, secret = own.secret || get('secret').value;
    control = get('control') ? get('control').value : '';
    call('POST', '/Authentication/Token', JSON.stringify({clientId: id, clientSecret: secret})).then(function (answer) {
      if (!answer.ok) { throw new Error('the token call answered ' + answer.status); }
      token = member(JSON.parse(answer.text), 'accessToken');
      kept.clientId = id;
      kept.clientSecret = secret;
      get('authorised').textContent = 'Authorised: every call below carries a token.';
    }).catch(function (error) { get('authorised').textContent = 'Not authorised: ' + error.message; });
  });

  // member follows a/0/b, whatever the case of the names.
  function member(value, path) {
    return path.split('/').reduce(function (v, name) {
      var found = Object.keys(v || {}).filter(function (k) { return k.toLowerCase() === name.toLowerCase(); })[0];
      return found === undefined ? undefined : v[found];
    }, value);
  }

  function fill(text, values) {
    return text.replace(/\{([A-Za-z]+)\}/g, function (found, name) { return name in values ? values[name] : found; });
  }

  function show(told, method, address, answer) {
    var line = document.createElement('p'), badge = document.createElement('span'), code = document.createElement('code');
    badge.className = 'badge ' + (answer.ok ? 'good' : 'bad');
    badge.dataset.testid = 'status';
    badge.textContent = answer.status;
    code.textContent = method + ' ' + address;
    line.append(badge, ' ', code);
    told.append(line);
    var warning = answer.headers && answer.headers.get('Sandbox-Warning');
    if (warning) {
      var said = document.createElement('p');
      said.textContent = 'Sandbox-Warning: ' + warning;
      told.append(said);
    }
    if (answer.text) {
      var pre = document.createElement('pre');
      pre.tabIndex = 0;
      pre.setAttribute('aria-label', 'The answer of ' + method + ' ' + address);
      pre.textContent = readable(answer.text).slice(0, 20000);
      told.append(pre);
    }
  }

  function readable(text) {
    try { return JSON.stringify(JSON.parse(text), null, 2); } catch (e) { return text; }
  }

  // play makes one call and keeps what it says.
  function play(told, values, step) {
    var address = fill(step.path, values), body = step.body === null ? undefined : fill(typeof step.body === 'string' ? step.body : JSON.stringify(step.body), values);
    return call(step.method, address, body, /^\/_sandbox(\/|$)/.test(address) ? control : values.token, step.headers).then(function (answer) {
      show(told, step.method, address, answer);
      if (!answer.ok) { throw new Error(''); }
      [[step.sent, body], [step.keep, answer.text]].forEach(function (pair) {
        Object.keys(pair[0] || {}).forEach(function (name) { values[name] = member(JSON.parse(pair[1]), pair[0][name]); });
      });
    });
  }

  // asked is the call that a form stands for.
  function asked(form) {
    var path = form.dataset.path, query = new URLSearchParams(), headers = {};
    form.querySelectorAll('input[data-in]').forEach(function (input) {
      if (input.dataset.in === 'path') {
        path = path.split('{' + input.name + '}').join(/^\{\w+\}$/.test(input.value) ? input.value : encodeURIComponent(input.value));
      } else if (input.dataset.in === 'query' && input.value) {
        query.append(input.name, input.value);
      } else if (input.value) {
        headers[input.name] = input.value;
      }
    });
    var text = query.toString().replace(/%7B(\w+)%7D/g, '{$1}');
    return {method: form.dataset.method, path: path + (text && '?' + text), headers: headers, body: form.elements.body ? form.elements.body.value : null};
  }

  document.querySelectorAll('form.try').forEach(function (form) {
    form.addEventListener('submit', function (event) {
      event.preventDefault();
      var told = form.querySelector('.told'), send = form.querySelector('button'), first = form.elements.first;
      var values = Object.assign({}, kept, {i: integration, token: token, here: location.origin, today: time.slice(0, 10), new: Date.now().toString(36) + (++count)});
      var steps = first && first.checked ? JSON.parse(form.dataset.try).steps : [];
      told.replaceChildren();
      send.disabled = true;
      steps.concat([asked(form)]).reduce(function (before, step) {
        return before.then(function () { return play(told, values, step); });
      }, Promise.resolve()).then(function () {
        ['i', 'token', 'clientId', 'clientSecret'].forEach(function (name) { delete values[name]; });
        Object.assign(kept, values);
      }).catch(function (error) {
        if (error.message) { show(told, 'Not sent:', error.message, {ok: false, status: '!', text: ''}); }
      }).then(function () { send.disabled = false; });
    });
  });

  get('find').addEventListener('input', function () {
    var wanted = this.value.toLowerCase();
    document.querySelectorAll('.operation').forEach(function (one) {
      one.hidden = one.querySelector('summary').textContent.toLowerCase().indexOf(wanted) < 0 && one.id.toLowerCase().indexOf(wanted) < 0;
    });
  });

  function open() {
    var one = location.hash && get(decodeURIComponent(location.hash.slice(1)));
    if (one && one.tagName === 'DETAILS') { one.open = true; one.scrollIntoView(); }
  }
  window.addEventListener('hashchange', open);
  open();
})();

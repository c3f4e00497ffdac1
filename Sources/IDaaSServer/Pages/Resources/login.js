// The login page. It speaks the same interface as an app, with the common header fields. A page of another site cannot send those fields, so
// it cannot post in the user's name. The device's identity is in a cookie that this script cannot read. Tokens stay in variables.
// Every text from the server goes through textContent.
'use strict';

(() => {
  const element = (id) => document.getElementById(id);
  const page = element('page');
  const { client, request, language } = page.dataset;
  const said = (name, value = '') => (page.dataset['text' + name] || '').replace('{0}', value);
  const ascii = (text) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 256) || 'browser';
  const panels = ['start', 'sms', 'slider', 'factor', 'confirm', 'denied', 'expired', 'consent', 'success'].filter(element);
  let state = null; // the state token of a login that waits for its second factor
  let factors = [];
  let attempt = 0; // a new number ends the loops of the panel before
  let panel = 'start';

  const pause = (seconds) => new Promise((resume) => setTimeout(resume, seconds * 1000));

  function show(name, focus) {
    attempt += 1;
    panel = name;
    for (const id of panels) element(id).hidden = id !== name;
    const first = focus || element(name).querySelector('input:not([disabled]), button, [tabindex]');
    if (first) first.focus();
  }

  const tell = (text) => { element('status').textContent = text; };
  const complain = (text) => { element('error').textContent = text; };

  class Refusal extends Error {
    constructor(status, body) {
      super(body.error_msg || said('Unknown'));
      this.status = status;
      this.code = body.error_code || '';
      this.error = body.error || '';
    }
  }

  async function call(method, path, body, fields = {}) {
    let answer;
    let text;
    try {
      answer = await fetch(path, {
        method,
        headers: {
          'Content-Type': 'application/json;charset=utf8',
          'X-client-id': client,
          'X-operating-sys-version': 'Browser',
          'X-agent': ascii(navigator.userAgent),
          'X-L': language,
          ...(state ? { 'X-state-token': state } : {}),
          ...fields,
        },
        body: body ? JSON.stringify(body) : undefined,
        credentials: 'same-origin',
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
      });
      text = await answer.text();
    } catch {
      throw new Refusal(0, { error_msg: said('Network') });
    }
    let value = {};
    try { value = text ? JSON.parse(text) : {}; } catch { value = {}; }
    if (answer.ok) return value;
    throw new Refusal(answer.status, value && typeof value === 'object' ? value : {});
  }

  // Runs what a button or a form starts: once at a time, and shows a failure.
  let isBusy = false;
  async function run(work) {
    if (isBusy) return;
    isBusy = true;
    page.setAttribute('aria-busy', 'true');
    complain('');
    try {
      await work();
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure;
      if (state && failure.code.endsWith('.COMMON.1005')) {
        restart();
        complain(said('Ended'));
      } else {
        complain(failure.message);
      }
    } finally {
      isBusy = false;
      page.removeAttribute('aria-busy');
    }
  }

  function restart() {
    state = null;
    factors = [];
    tell('');
    element('hint').textContent = '';
    show('start');
  }

  // Continues after an answer to a login: its tokens, or another step.
  async function proceed(answer) {
    const status = String(answer.status || 'SUCCESS').trim();
    if (status === 'SUCCESS' && answer.session_token) return complete(answer.session_token);
    if (status !== 'MFA_AUTH' || !answer.state_token) throw new Refusal(200, {});
    state = answer.state_token;
    let next = {};
    try { next = JSON.parse(answer.data || '{}'); } catch { next = {}; }
    factors = Array.isArray(next.mfa) ? next.mfa : [];
    element('hint').textContent = next.mobile || '';
    element('phone').hidden = !factors.includes('BIO');
    element('message').hidden = !factors.includes('SMS');
    element('digits').value = '';
    show('factor');
  }

  async function complete(session) {
    state = null;
    if (request) {
      const consent = element('consent') ? await decision() : undefined;
      const answer = await call('POST', '/api/v1/oauth2/authorize/complete', { request, consent }, { 'session-token': session });
      const target = new URL(String(answer.redirect_uri));
      if (['javascript:', 'data:', 'blob:', 'vbscript:', 'file:'].includes(target.protocol)) throw new Refusal(200, {});
      show('success');
      location.replace(target.href);
      return;
    }
    show('success');
    element('success').tabIndex = -1;
    element('success').focus();
  }

  // The user's answer to what the application asks for. Nothing but a click gives it.
  function decision() {
    isBusy = false;
    page.removeAttribute('aria-busy');
    show('consent', element('refuse'));
    return new Promise((resolve) => {
      element('allow').onclick = (event) => { if (event.isTrusted) resolve(true); };
      element('refuse').onclick = () => resolve(false);
    });
  }

  // Password

  element('password').addEventListener('submit', (event) => {
    event.preventDefault();
    const secret = element('secret').value;
    run(async () => {
      state = null;
      try {
        await proceed(await call('POST', '/api/v2/sdk/login', { user_name: element('user').value.trim(), password: secret }));
      } finally {
        element('secret').value = '';
        if (panel === 'start') element('secret').focus();
      }
    });
  });

  // The phone

  element('phone').addEventListener('click', () => run(async () => {
    const binding = element('binding'); // the application's text, if it sent one
    const started = await call('POST', '/api/v2/sdk/mfa/bio/initiate', binding ? { binding_message: binding.textContent } : {});
    element('match').textContent = started.match_code || '';
    element('advice').textContent = started.match_code ? said('Match') : said('Open');
    show('confirm', element('leave'));
    await wait(started);
  }));

  async function wait(started) {
    const mine = attempt;
    const end = Date.now() + (started.expires_in || 120) * 1000;
    let interval = started.interval || 2;
    count(mine, end);
    isBusy = false; // the page can be left while it waits
    while (mine === attempt) {
      await pause(interval);
      if (mine !== attempt) return;
      try {
        const answer = await call('POST', '/api/v2/sdk/mfa/bio/poll', { auth_req_id: started.auth_req_id });
        if (mine === attempt) await proceed(answer);
        return;
      } catch (failure) {
        if (!(failure instanceof Refusal)) throw failure;
        if (mine !== attempt) return;
        if (failure.error === 'slow_down') interval += 5;
        else if (failure.error === 'access_denied') return show('denied');
        else if (failure.error === 'expired_token') return show('expired');
        else if (failure.error !== 'authorization_pending') {
          const isLost = failure.status === 0 || failure.status === 429 || failure.status >= 500;
          if (!isLost) throw failure;
          complain(failure.message);
          if (Date.now() > end) return show('expired');
          continue;
        }
        complain('');
      }
    }
  }

  async function count(mine, end) {
    while (mine === attempt) {
      const left = Math.max(0, Math.round((end - Date.now()) / 1000));
      element('left').textContent = said('Left', left);
      if (left === 0) return;
      await pause(1);
    }
  }

  element('leave').addEventListener('click', () => {
    complain('');
    show(state ? 'factor' : 'start');
  });

  // SMS, as the first factor or as the second

  element('message').addEventListener('click', () => {
    element('back').hidden = false;
    show('sms');
  });

  element('back').addEventListener('click', () => {
    complain('');
    tell('');
    show(state ? 'factor' : 'start');
  });

  for (const button of document.querySelectorAll('[data-panel]')) {
    button.addEventListener('click', () => {
      complain('');
      if (button.dataset.panel === 'start') restart(); else show(button.dataset.panel);
    });
  }

  element('number').addEventListener('submit', (event) => {
    event.preventDefault();
    run(async () => {
      const mobile = element('mobile').value.trim();
      const token = await solve(mobile);
      if (!token) return;
      await call('POST', '/api/v2/sdk/sms/send', { mobile, type: state ? 'MFA_AUTH_SMS' : 'LOGIN_SMS', captcha_token: token });
      tell(said('Sent'));
      element('digits').disabled = false;
      element('redeem').disabled = false;
      element('digits').focus();
      resend();
    });
  });

  async function resend() {
    const send = element('send');
    const label = send.textContent;
    send.disabled = true;
    for (let left = 60; left > 0; left -= 1) {
      send.textContent = said('Resend', left);
      await pause(1);
    }
    send.textContent = label;
    send.disabled = false;
  }

  element('code').addEventListener('submit', (event) => {
    event.preventDefault();
    run(async () => {
      const body = { mobile: element('mobile').value.trim(), verify_code: element('digits').value.trim() };
      try {
        await proceed(await call('POST', state ? '/api/v2/sdk/mfa/sms' : '/api/v2/sdk/login/mobile-verify-code', body));
      } catch (failure) {
        element('digits').select();
        throw failure;
      }
    });
  });

  // The slider

  const slider = { x: 0, most: 0, width: 310, piece: 47, answer: null };

  // The captcha token for a number; null if the user closes the slider.
  async function solve(mobile) {
    try {
      for (;;) {
        await load();
        show('slider', element('handle'));
        const answer = await new Promise((resolve) => { slider.answer = resolve; });
        if (answer === 'close') return null;
        if (answer === 'another') continue;
        const point = `{"x":${slider.x.toFixed(1)},"y":5.0}`;
        try {
          return (await call('POST', '/api/v2/sdk/captcha/verify', { point_json: point, token: slider.token, sender: mobile })).captcha_token;
        } catch (failure) {
          if (!(failure instanceof Refusal) || !/\.SMS\.100[23]$/.test(failure.code)) throw failure;
          complain(said('Another'));
        }
      }
    } finally {
      slider.answer = null;
      show('sms', element('digits').disabled ? element('mobile') : element('digits'));
    }
  }

  async function load() {
    const challenge = await call('GET', '/api/v2/sdk/captcha');
    slider.token = challenge.token;
    slider.width = challenge.width || 310;
    slider.piece = challenge.block_width || 47;
    slider.most = slider.width - slider.piece;
    element('scene').src = 'data:image/png;base64,' + challenge.originalImageBase64;
    element('piece').src = 'data:image/png;base64,' + challenge.jigsawImageBase64;
    const part = `${(slider.piece / slider.width) * 100}%`;
    element('piece').style.width = part;
    element('handle').style.width = part;
    element('handle').setAttribute('aria-valuemax', String(slider.most));
    place(0);
    // A picture that appears later would move the handle under the pointer.
    await Promise.all([element('scene').decode(), element('piece').decode()]).catch(() => {});
  }

  function place(x) {
    slider.x = Math.min(slider.most, Math.max(0, x));
    const left = `${(slider.x / slider.width) * 100}%`;
    element('piece').style.left = left;
    element('handle').style.left = left;
    element('handle').setAttribute('aria-valuenow', String(Math.round(slider.x)));
  }

  const respond = (answer) => { if (slider.answer) slider.answer(answer); };

  element('handle').addEventListener('pointerdown', (event) => {
    const handle = element('handle');
    handle.setPointerCapture(event.pointerId);
    const scale = slider.width / element('rail').getBoundingClientRect().width;
    const start = event.clientX;
    const before = slider.x;
    const move = (moved) => place(before + (moved.clientX - start) * scale);
    const end = (released) => {
      handle.removeEventListener('pointermove', move);
      handle.removeEventListener('pointerup', end);
      handle.removeEventListener('pointercancel', end);
      if (released.type === 'pointerup' && slider.x !== before) respond('check');
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', end);
    handle.addEventListener('pointercancel', end);
    event.preventDefault();
    handle.focus();
  });

  element('handle').addEventListener('keydown', (event) => {
    const step = event.shiftKey ? 1 : 4;
    const moves = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step, PageUp: 40, PageDown: -40 };
    if (event.key in moves) place(slider.x + moves[event.key]);
    else if (event.key === 'Home') place(0);
    else if (event.key === 'End') place(slider.most);
    else if (event.key === 'Enter') respond('check');
    else return;
    event.preventDefault();
  });

  element('slider').addEventListener('keydown', (event) => {
    if (event.key === 'Escape') respond('close');
  });

  element('check').addEventListener('click', () => respond('check'));
  element('another').addEventListener('click', () => { complain(''); respond('another'); });
  element('close').addEventListener('click', () => respond('close'));

  show('start');
})();

/** A page of another port of the same host, such as a dev server that a run has started: it asks in every way that a browser has. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { agentLab } from '../support/e2e-agent.ts';
import { findChromium, launch, openPage } from '../support/page/browser.ts';
import { DONE, MODEL, modelSaying, serveIn } from '../support/server-lab.ts';

const path = findChromium();
const lab = agentLab();

/** What came back of each way, by its name; '' for nothing. */
const TRIES = (url: string, token: string, wish: string) => `(async () => {
  const body = ${JSON.stringify(wish)};
  const got = {};
  const read = async (name, request) => {
    got[name] = await request().then((answer) => answer.text(), () => '');
  };
  const auth = { authorization: 'Bearer ${token}', 'content-type': 'application/json' };
  await read('fetch', () => fetch('${url}/api/runs', { headers: auth }));
  await read('health', () => fetch('${url}/health'));
  await read('begin', () => fetch('${url}/api/runs', { method: 'POST', headers: auth, body }));
  await read('simple', () => fetch('${url}/api/runs', { method: 'POST', mode: 'no-cors', body }));
  const heard = (name, make) => new Promise((done) => {
    const one = make();
    const end = (words) => { got[name] = words; done(); };
    one.onmessage = one.onopen = one.onload = () => end('heard');
    one.onerror = () => end('');
  });
  await heard('stream', () => new EventSource('${url}/api/events'));
  await heard('socket', () => new WebSocket('${url.replace('http', 'ws')}/api/events'));
  await heard('image', () => Object.assign(new Image(), { src: '${url}/health' }));
  const script = document.createElement('script');
  await heard('script', () => document.head.appendChild(Object.assign(script, { src: '${url}/page.js' })));
  const frame = document.createElement('iframe');
  frame.src = '${url}/';
  document.body.appendChild(frame);
  await new Promise((done) => { frame.onload = done; setTimeout(done, 2000); });
  try { got.frame = frame.contentWindow.document.body.innerText; } catch { got.frame = ''; }
  return got;
})()`;

test.skipIf(path === '')('receives nothing of ours, and begins nothing', async () => {
  const ollama = await modelSaying(() => DONE);
  const folder = lab.folder();
  const { agent, client, url } = await serveIn(lab, folder, { OLLAMA_HOST: ollama.url });
  const other = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><body>dev</body>');
  });
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const browser = await launch(path);
  try {
    const { port } = other.address() as AddressInfo;
    const { page } = await openPage(browser, `http://127.0.0.1:${port}/`);
    const wish = JSON.stringify({ workspace: folder, goal: 'x', model: `ollama/${MODEL}` });
    const got = await page.evaluate(TRIES(url, client.token, wish));
    const names = ['fetch', 'health', 'begin', 'simple', 'stream', 'socket', 'image', 'script'];
    expect(got).toEqual(Object.fromEntries([...names, 'frame'].map((name) => [name, ''])));
    expect((await client.runs()).runs).toEqual([]);
    expect(ollama.chats).toEqual([]);
  } finally {
    await browser.close();
    other.close();
    await agent.kill();
    await ollama.close();
  }
});

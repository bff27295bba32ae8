import type { Browser } from 'playwright-core';
import type { StreamEvent } from '../src/schema/events/stream.ts';
import { findChromium, launch, NO_CHROMIUM, openPage } from '../test/support/page/browser.ts';
import { FakeServer } from '../test/support/page/fake-server.ts';
import { GOAL, RUN_ID, Telling } from '../test/support/page/showcase.ts';
import { type Figure, type Lab, type Measurement, Skipped } from './measurement.ts';
import { served } from './support/served.ts';
import { quantile, rounded } from './support/statistics.ts';
import { TICKING, tickingModel } from './support/ticking-model.ts';

const PIECES = 60;
const GAP_MS = 100;
const EVENTS = 5000;
const A_SECOND = 200;

/** Reads the stream as the page does, in the browser, and says how old each piece was when it came. */
const LISTEN = `async ({ path, token, pieces }) => {
  const answer = await fetch(path, { headers: { authorization: 'Bearer ' + token } });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const delays = [];
  while (delays.length < pieces) {
    const { value, done } = await reader.read();
    if (done) break;
    for (const [, at] of value.matchAll(/"text_delta","text":"(\\d{13}) "/g))
      delays.push(Date.now() - Number(at));
  }
  return delays;
}`;

async function pieceToBrowser(lab: Lab, browser: Browser): Promise<Figure> {
  const model = await tickingModel(PIECES, GAP_MS);
  const server = await served(lab, { model: model.url });
  try {
    const wish = { workspace: server.root, goal: 'Say the time', model: `ollama/${TICKING}` };
    const { url, token } = server.client;
    const { page } = await openPage(browser, url);
    const { id } = await server.client.startRun(wish);
    const asked = { path: `/api/runs/${id}/events`, token, pieces: PIECES };
    const delays = (await page.evaluate(
      `(${LISTEN})(${JSON.stringify(asked)})`,
    )) as readonly number[];
    await page.context().close();
    return {
      ...{ name: 'for a piece of text from the model to the browser', unit: 'ms', bound: 30 },
      ...{ value: rounded(quantile(delays, 0.9)), better: 'lower' },
      detail: `nine tenths of ${delays.length} pieces; half of them within ${rounded(quantile(delays, 0.5))} ms`,
    };
  } finally {
    await server.end();
    await model.close();
  }
}

/** How often the picture is drawn while events come, in a second. */
const FRAMES = `(ms) => new Promise((resolve) => {
  const began = performance.now();
  const gaps = [];
  let last = began;
  const draw = (now) => {
    gaps.push(now - last);
    last = now;
    if (now - began < ms) requestAnimationFrame(draw);
    else resolve(gaps.slice(1));
  };
  requestAnimationFrame(draw);
})`;

function manyEvents(): readonly StreamEvent[] {
  const telling = new Telling(Date.now() - EVENTS * 1000);
  telling.record('run_opened', { run: RUN_ID, goal: GOAL, startedAt: 1, number: 12, version: '0' });
  for (let at = 1; telling.events.length < EVENTS; at += 1) {
    telling.turn('action', `I look at part ${at}.`);
    for (let piece = 0; piece < 10; piece += 1)
      telling.say('text_delta', { text: `Word ${piece} of part ${at}. ` });
    telling.action(`a${at}`, 'read_file', { path: `src/part-${at}.ts` }, [], 'export {};');
  }
  return telling.events.slice(0, EVENTS);
}

async function framesOfAPage(browser: Browser): Promise<Figure> {
  const server = new FakeServer('dist/page');
  const url = await server.open();
  const row = { id: RUN_ID, workspace: 'w', path: '/home/ada/shop', number: 12, goal: GOAL };
  const times = { startedAt: 1, lastAt: Date.now(), questions: 0 };
  server.add({ summary: { ...row, ...times, standing: 'running' }, events: [] });
  const { page } = await openPage(browser, `${url}/#k=once`);
  try {
    await page.evaluate(`location.hash = '#/run/${RUN_ID}'`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const events = manyEvents();
    const seconds = EVENTS / A_SECOND;
    const drawn = page.evaluate(`(${FRAMES})(${seconds * 1000})`) as Promise<readonly number[]>;
    let told = 0;
    const began = performance.now();
    while (told < events.length) {
      const due = Math.min(events.length, ((performance.now() - began) / 1000) * A_SECOND);
      server.tell(RUN_ID, events.slice(told, due));
      told = Math.max(told, Math.floor(due));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const gaps = await drawn;
    const late = gaps.filter((gap) => gap > 34).length;
    return {
      ...{ name: 'between two pictures of the page, nine tenths of them', unit: 'ms', bound: 17 },
      ...{ value: rounded(quantile(gaps, 0.9), 1), better: 'lower' },
      detail: `${EVENTS} events in ${seconds} s, ${rounded((gaps.length / seconds) * 1)} pictures a second, ${late} late by one or more`,
    };
  } finally {
    await page.context().close();
    await server.close();
  }
}

export const page: Measurement = {
  name: 'page in a browser',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const path = findChromium();
    if (path === '') throw new Skipped(NO_CHROMIUM);
    const browser = await launch(path);
    try {
      return [await pieceToBrowser(lab, browser), await framesOfAPage(browser)];
    } finally {
      await browser.close();
    }
  },
};

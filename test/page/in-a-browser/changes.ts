/** What changes on the page under the eyes of who reads or types, what it offers by its link, and the end of a run. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  againstAccess,
  CHROMIUM,
  cutOrOverlapping,
  goTo,
  openPage,
  theBrowser,
} from '../../support/page/browser.ts';
import { pageFolder } from '../../support/page/built-page.ts';
import { changedFile } from '../../support/page/fake-server.ts';
import { ASKED, RUN_ID, Telling } from '../../support/page/showcase.ts';
import { showing, TALK_ID } from '../../support/page/shown.ts';

const of = { workspace: 'w', path: '/w', number: 8, questions: 0, startedAt: 1, lastAt: 1 };

describe.skipIf(CHROMIUM === '')('the page', () => {
  let browser: Browser;
  let folder = '';
  let shown: Awaited<ReturnType<typeof showing>>;
  /** Of all tests that open no other, and hear of no errors. */
  let page: Page;
  beforeAll(async () => {
    folder = await pageFolder();
    browser = await theBrowser();
    shown = await showing(folder);
    ({ page } = await openPage(browser, shown.url));
  });
  afterAll(async () => {
    await shown.server.close();
    rmSync(dirname(folder), { recursive: true });
  });

  test('shows the lines of an open file as they are now', async () => {
    const { server, asked } = shown;
    const { files } = server;
    onTestFinished(() => {
      server.files = files;
    });
    const patchOf = (line: string) => `--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-old();\n+${line}\n`;
    server.files = [changedFile('a.ts', 'changed', 1, 1, patchOf('first();'))];
    await goTo(page, `#/run/${RUN_ID}`, 'a.ts');
    await page.getByRole('tabpanel').getByText('a.ts').click();
    await page.getByText('first();').waitFor();
    server.files = [changedFile('a.ts', 'changed', 1, 1, patchOf('second();'))];
    const { length } = asked.events;
    const action = asked.action('a9', 'edit_file', { path: 'a.ts' }, [], 'Edited it');
    server.tell(RUN_ID, action.events.slice(length));
    await page.getByText('second();').waitFor({ timeout: 10_000 });
    expect(await page.getByText('first();').count()).toBe(0);
  });

  test('shows the files of a build by their folder, as a terminal does', async () => {
    const { server } = shown;
    const { files } = server;
    onTestFinished(() => {
      server.files = files;
    });
    const made = (path: string) => ({
      ...changedFile(path, 'added', 1, 0, '@@ -0,0 +1,1 @@\n+one\n'),
      isByCommand: true,
    });
    const built = Array.from({ length: 20 }, (_, place) => made(`build/part${place}.o`));
    server.files = [...built, { ...made('build/own.txt'), isByCommand: false }, made('log.txt')];
    await goTo(page, '#/', 'questions for you');
    await goTo(page, `#/run/${RUN_ID}`, 'build/own.txt');
    const rows = page.locator('.changes > details > summary');
    await expect
      .poll(async () => (await rows.allTextContents()).map((row) => row.split('+')[0]))
      .toEqual(['build/own.txtnew', 'log.txtnew', 'build/20 filesnew by a command']);
    await rows.last().click();
    await page.getByText('build/part19.o').click();
    await page.getByText('+one').waitFor();
    await page.evaluate('scrollTo(0, 0)');
    expect(await cutOrOverlapping(page)).toEqual([]);
  });

  test('shows a question of work where the server may not work, and offers no answer to it', async () => {
    const place = { path: '/srv/other', goal: 'Elsewhere', standing: 'running' as const };
    shown.server.add({ summary: { ...of, ...place, id: 'ee55', questions: 1 }, events: [] });
    shown.server.ask('ee55', { ...ASKED, id: 'elsewhere' });
    await goTo(page, '#/run/ee55', 'only shows work in that folder');
    const card = page.getByRole('article');
    expect(await card.getByRole('button', { name: /yes|no/i }).count()).toBe(0);
    shown.server.settle('ee55', 'elsewhere');
  });

  test('takes what is typed at once after Ctrl+K for what it looks for', async () => {
    await goTo(page, '#/', 'questions for you');
    await page.getByRole('article').first().focus();
    // In one task: nothing is painted in between.
    const seen = await page.evaluate(`(() => {
      const press = (key, more) => document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
      press('k', { ctrlKey: true });
      const focused = document.activeElement.tagName;
      document.activeElement.value = 'price rules';
      document.activeElement.dispatchEvent(new InputEvent('input', { bubbles: true }));
      press('Enter');
      return [focused, location.hash];
    })()`);
    expect(seen).toEqual(['INPUT', `#/run/${RUN_ID}`]);
  });

  test.each([
    ['a conversation', `#/talk/${TALK_ID}`, 'Three places decide it.', 'Message'],
    ['a run', `#/run/${RUN_ID}`, 'src/price/rules.ts', 'Say something to the model while it works'],
  ])('keeps what is typed while a message to %s is sent', async (_, hash, sign, label) => {
    let answer = (): void => {};
    shown.server.onPost = () => new Promise((resolve) => (answer = () => resolve({ taken: true })));
    await goTo(page, hash, sign);
    const [field, send] = [page.getByLabel(label), page.getByRole('button', { name: 'Send' })];
    const sent = shown.server.posted.length;
    await field.fill('the first');
    await send.click();
    await expect.poll(() => shown.server.posted.length).toBe(sent + 1);
    await field.fill('the second');
    expect(await send.isDisabled()).toBe(true);
    answer();
    await expect.poll(() => send.isDisabled()).toBe(false);
    expect(await field.inputValue()).toBe('the second');
    await send.click();
    await expect.poll(() => shown.server.posted.length).toBe(sent + 2);
    answer();
    await expect.poll(() => field.inputValue()).toBe('');
  });

  test('with a link that may only look says so once and offers nothing to press, and its title stays in sight', async () => {
    const { server, url } = await showing(folder);
    onTestFinished(() => server.close());
    server.rights = ['observe'];
    const { page } = await openPage(browser, url, { width: 360, theme: 'light' });
    await goTo(page, `#/run/${RUN_ID}`, 'src/price/rules.ts');
    await page.getByText('With this link you can look, but change and answer nothing.').waitFor();
    const pressed = page.getByRole('button', { name: /^(Yes|No|Pause|Send|Undo)/ });
    expect(await pressed.count()).toBe(0);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    const title = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(title?.y).toBeGreaterThanOrEqual(0);
    await goTo(page, '#/new', 'This link cannot begin a run.');
    expect(await page.getByRole('textbox').count()).toBe(0);
    server.rights = ['observe', 'work'];
    const { page: works } = await openPage(browser, url, { width: 360, theme: 'light' });
    await goTo(works, '#/new', 'Begin the run');
    // Only folders in which work may begin are offered.
    expect(await works.getByLabel('In the folder').inputValue()).toBe('/home/ada/shop-api');
    expect(await works.locator('#folders option[value="/elsewhere"]').count()).toBe(0);
    expect(await works.getByText('A command that shows that it is done').count()).toBe(0);
    expect(await works.locator('option[value=off]').count()).toBe(0);
    const { page: bare } = await openPage(browser, url.replace(/#.*/, ''));
    await bare.getByText('This page was opened without a link.').waitFor();
    for (const one of [page, works, bare]) await one.context().close();
  });

  test('begins a goal in the folder of its conversation, which the list of all work does not have yet', async () => {
    const { events } = new Telling(1).say('person_said', { text: 'Hello' });
    const summary = {
      ...{ id: 'ab12', number: 3, name: null, workspacePath: '/home/ada/shop' },
      ...{ state: 'idle' as const, lastAt: 1 },
    };
    shown.server.add({ summary, events, isUnlisted: true });
    shown.server.onPost = () => ({ id: 'aa88' });
    await goTo(page, '#/talk/ab12', 'Hello');
    await page.getByLabel('Message').fill('/goal Write a file');
    await page.getByRole('button', { name: 'Do it' }).click();
    await expect
      .poll(() => shown.server.posted.at(-1))
      .toMatchObject({
        ...{ path: '/api/runs', body: { workspace: '/home/ada/shop', goal: 'Write a file' } },
      });
  });

  test('says at the end what the run has to say: its answer, what the model reports, and what was not done', async () => {
    const ended = (ending: string) =>
      new Telling(1)
        .record('run_opened', { run: 'r', goal: 'g', startedAt: 1, number: 8, version: '0' })
        .record('run_finished', { ending, detail: 'no file here was changed' }).events;
    shown.server.add({
      summary: { ...of, id: 'aa88', goal: 'Count', standing: 'answered' },
      events: ended('answered'),
      detail: {
        answer: '## Three\n\n- one\n- **two**\n\n```\ncode\n```',
        notDone: '1.1 push (git push was refused)',
      },
    });
    shown.server.add({
      summary: { ...of, id: 'aa89', goal: 'Work', standing: 'unverified' },
      events: ended('unverified'),
      detail: { report: 'I could not check `a.txt`.', notDone: '' },
    });
    const { page, problems } = await openPage(browser, shown.url);
    const end = page.getByRole('region', { name: 'How it stands' });
    const fits = async () => {
      for (const width of [360, 1024]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await cutOrOverlapping(page), `${width} px`).toEqual([]);
      }
    };
    await goTo(page, '#/run/aa88', 'Answered');
    await end.getByRole('heading', { name: 'Three' }).waitFor();
    expect(await end.getByRole('listitem').allTextContents()).toEqual(['one', 'two']);
    await end.getByText('Not done: 1.1 push (git push was refused).').waitFor();
    await fits();
    await goTo(page, '#/run/aa89', 'Not verified');
    await end.getByText('The model says:').waitFor();
    await end.getByText('I could not check a.txt.').waitFor();
    expect(await end.getByText('Not done:').count()).toBe(0);
    await fits();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('shows what a process said last as it said it, also in a narrow window', async () => {
    const failure = `Goal: Work\nError: /w/${'long-'.repeat(30)}history.jsonl was taken away.\n  Next: agent resume\n`;
    for (const [id, more] of [
      ['aa90', { standing: 'gone' as const, number: null }],
      ['aa91', { standing: 'paused' as const, failedAt: 1 }],
    ] as const)
      shown.server.add({
        summary: { ...of, id, goal: 'Work', ...more },
        events: [],
        detail: { failure },
      });
    const { page } = await openPage(browser, shown.url, { width: 360, theme: 'light' });
    for (const [id, sign] of [
      ['aa90', 'Journal taken away.'],
      ['aa91', 'The last resume did not go on:'],
    ] as const) {
      await goTo(page, `#/run/${id}`, sign);
      const said = page.getByRole('region', { name: 'How it stands' }).locator('pre');
      expect(await said.textContent()).toBe(failure.trim());
      expect(await cutOrOverlapping(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    }
    await page.context().close();
  });

  test('says that an answer came too late, though its question is gone', async () => {
    const { server } = shown;
    onTestFinished(() => page.setViewportSize({ width: 1024, height: 800 }));
    const detail = 'It was answered before: no, at its terminal.';
    server.onPost = async () => {
      server.settle(RUN_ID, ASKED.id);
      await gone;
      return { status: 409, code: 'E_ANSWERED', detail, hint: 'The first answer counts.' };
    };
    await page.setViewportSize({ width: 360, height: 800 });
    await goTo(page, '#/', '2 questions for you');
    const card = page.getByRole('article', { name: ASKED.target });
    const gone = card.waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Yes, once' }).click();
    const said = page.getByRole('alert');
    await said.getByText(`did not count. ${detail} The first answer counts.`).waitFor();
    expect([await cutOrOverlapping(page), await againstAccess(page)]).toEqual([[], []]);
    await said.getByRole('button', { name: 'Close' }).click();
    await said.waitFor({ state: 'detached' });
    server.ask(RUN_ID, ASKED);
  });
});

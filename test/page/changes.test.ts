/** What changes on the page under the eyes of who reads or types, and what it offers by its link. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findChromium, goTo, launch, openPage } from '../support/page/browser.ts';
import { pageFolder } from '../support/page/built-page.ts';
import { changedFile } from '../support/page/fake-server.ts';
import { ASKED, RUN_ID } from '../support/page/showcase.ts';
import { showing, TALK_ID } from '../support/page/shown.ts';

const path = findChromium();

describe.skipIf(path === '')('the page', () => {
  let browser: Browser;
  let folder = '';
  let shown: Awaited<ReturnType<typeof showing>>;
  beforeAll(async () => {
    folder = await pageFolder();
    browser = await launch(path);
    shown = await showing(folder);
  });
  afterAll(async () => {
    await browser.close();
    await shown.server.close();
    rmSync(dirname(folder), { recursive: true });
  });

  test('shows the lines of an open file as they are now', async () => {
    const { page } = await openPage(browser, shown.url);
    const patchOf = (line: string) => `--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-old();\n+${line}\n`;
    shown.server.files = [changedFile('a.ts', 'changed', 1, 1, patchOf('first();'))];
    await goTo(page, `#/run/${RUN_ID}`, 'a.ts');
    await page.getByRole('tabpanel').getByText('a.ts').click();
    await page.getByText('first();').waitFor();
    shown.server.files = [changedFile('a.ts', 'changed', 1, 1, patchOf('second();'))];
    const { length } = shown.asked.events;
    const action = shown.asked.action('a9', 'edit_file', { path: 'a.ts' }, [], 'Edited it');
    shown.server.tell(RUN_ID, action.events.slice(length));
    await page.getByText('second();').waitFor({ timeout: 10_000 });
    expect(await page.getByText('first();').count()).toBe(0);
    await page.context().close();
  });

  test('shows a question of work where the server may not work, and offers no answer to it', async () => {
    const { page } = await openPage(browser, shown.url);
    const of = { workspace: 'w', number: 8, questions: 1, startedAt: 1, lastAt: 1 };
    const place = { path: '/srv/other', goal: 'Elsewhere', standing: 'running' as const };
    shown.server.add({ summary: { ...of, ...place, id: 'ee55' }, events: [] });
    shown.server.ask('ee55', { ...ASKED, id: 'elsewhere' });
    await goTo(page, '#/run/ee55', 'only shows work in that folder');
    const card = page.getByRole('article');
    expect(await card.getByRole('button', { name: /yes|no/i }).count()).toBe(0);
    shown.server.settle('ee55', 'elsewhere');
    await page.context().close();
  });

  test('takes what is typed at once after Ctrl+K for what it looks for', async () => {
    const { page } = await openPage(browser, shown.url);
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
    await page.context().close();
  });

  test.each([
    ['a conversation', `#/talk/${TALK_ID}`, 'Three places decide it.', 'Message'],
    ['a run', `#/run/${RUN_ID}`, 'src/price/rules.ts', 'Say something to the model while it works'],
  ])('keeps what is typed while a message to %s is sent', async (_, hash, sign, label) => {
    const { page } = await openPage(browser, shown.url);
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
    await page.context().close();
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
    expect(await works.getByText('A command that shows that it is done').count()).toBe(0);
    expect(await works.locator('option[value=off]').count()).toBe(0);
    const { page: bare } = await openPage(browser, url.replace(/#.*/, ''));
    await bare.getByText('This page was opened without a link.').waitFor();
    for (const one of [page, works, bare]) await one.context().close();
  });
});

/** The page in a real browser, against a server that answers out of events. */
import { executionAsyncId } from 'node:async_hooks';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  againstAccess,
  BY_COLOUR,
  CHROMIUM,
  cutOrOverlapping,
  goTo,
  openPage,
  passing,
  theBrowser,
} from '../../support/page/browser.ts';
import { pageFolder } from '../../support/page/built-page.ts';
import { ASKED, atWork, RUN_ID, Telling } from '../../support/page/showcase.ts';
import { DONE_ID, HOSTILE, showing, TALK_ID } from '../../support/page/shown.ts';

const DONE = {
  ...{ workspace: 'w', path: '/home/ada/shop-api', number: 8, questions: 0 },
  ...{ startedAt: 1, lastAt: 1, standing: 'paused' as const },
};

const VIEWS = [
  ['#/', '2 questions for you'],
  [`#/run/${RUN_ID}`, 'src/price/rules.ts'],
  [`#/run/${DONE_ID}`, 'src/price/rules.ts'],
  [`#/talk/${TALK_ID}`, 'Three places decide it.'],
  ['#/new', 'What do you want done?'],
  ['#/health', 'Runs with a process'],
  ['#/work', 'A report of last week'],
  ['#/permissions', 'every command that begins with git push'],
] as const;

describe.skipIf(CHROMIUM === '')('the page', () => {
  let browser: Browser;
  let folder = '';
  let shown: Awaited<ReturnType<typeof showing>>;
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    folder = await pageFolder();
    browser = await theBrowser();
    shown = await showing(folder);
    ({ page, problems } = await openPage(browser, shown.url));
  });
  afterAll(async () => {
    await shown.server.close();
    rmSync(dirname(folder), { recursive: true });
  });

  test('costs the test files behind it nothing: Node follows no promise for the browser', async () => {
    const here = executionAsyncId();
    await page.title();
    await null;
    expect(executionAsyncId()).toBe(here);
  });

  test('has nothing cut, overlapping or hard to read, narrow or wide, light or dark, and takes every text as text', async () => {
    const before = problems.length;
    for (const width of [360, 3840, 1024]) {
      await page.setViewportSize({ width, height: width > 3000 ? 2160 : 800 });
      for (const [hash, sign] of VIEWS) {
        const at = `${hash}, ${width} px`;
        await goTo(page, hash, sign);
        expect(await cutOrOverlapping(page), at).toEqual([]);
        if (width === 360) expect(await againstAccess(page), at).toEqual([]);
        if (width !== 1024) continue;
        // What only a wide window has, a narrow one has not shown in the light.
        expect(await againstAccess(page, BY_COLOUR), at).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await againstAccess(page), `${at}, in the dark`).toEqual([]);
        await page.emulateMedia({ colorScheme: 'light' });
        if (hash.includes(DONE_ID) || hash.includes(TALK_ID))
          await page.getByText('<img src=x').first().waitFor();
        const foreign = page.locator('main img, main script, a[href^=javascript]');
        expect(await foreign.count(), at).toBe(0);
      }
    }
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(problems.slice(before)).toEqual([]);
    expect(HOSTILE).toContain('onerror');
  });

  test('has one form, light or dark: only colours differ', () => {
    const css = readFileSync(join(folder, 'page.css'), 'utf8');
    expect(css).toContain('light-dark(');
    expect(css).not.toContain('prefers-color-scheme');
  });

  test('says to a screen reader what waits, and what the plan is', async () => {
    await goTo(page, '#/', '2 questions for you');
    expect(await page.getByRole('article').first().ariaSnapshot()).toMatchInlineSnapshot(`
      "- 'article "Question: run_cmd npm install --save-dev fast-check@4"':
        - paragraph: May it run this?
        - 'link "shop-api #12: Move the price rules into one module, so that a price is decided in one place, and show that no price changes"':
          - /url: "#/run/0f1e2d3c4b5a6978"
        - paragraph:
          - code: npm
          - code: install
          - code: "--save-dev"
          - code: fast-check@4
        - term: Why it asks
        - definition: It installs a package from the network.
        - term: In the folder
        - definition: /home/ada/shop-api
        - term: Program
        - definition: /usr/bin/npm
        - paragraph:
          - text: The wider answers allow
          - strong: every command that begins with npm install
          - text: ", without asking again; “always here” also in every later run of this folder."
          - link "What is allowed always":
            - /url: "#/permissions"
        - button "Yes, once"
        - button "No"
        - button "Edit first…"
        - button "Yes, for this run"
        - button "Yes, always here""
    `);
    const listed = page.getByRole('navigation', { name: 'Runs and conversations' });
    expect(await listed.getByText('Waits for you').textContent()).toBe('Waits for you 2');
    expect(await listed.getByRole('link').allTextContents()).toContainEqual(
      expect.stringContaining('#12'),
    );
    await goTo(page, `#/run/${RUN_ID}`, 'src/price/rules.ts');
    const plan = page.getByRole('region', { name: 'Plan of the run' });
    await plan.getByText('It failed before the work, as it must.').waitFor();
    expect(await page.getByRole('tree').ariaSnapshot()).toMatchInlineSnapshot(`
      "- tree "Plan":
        - treeitem "Understand the price rules , finished, not checked" [expanded] [level=1]
        - treeitem "1.1 Read what decides a price today , finished, not checked src/rules 9.3k tokens 9.2 s" [level=2]:
          - text: 1.1 Read what decides a price today , finished, not checked
          - code: src/rules
          - text: 9.3k tokens 9.2 s
        - treeitem "Move them into one module , working" [expanded] [level=1]
        - treeitem "2.1 A module for the rules , finished, not checked src/price/rules.ts +84 9.3k tokens 7.2 s" [level=2]:
          - text: 2.1 A module for the rules , finished, not checked
          - code: src/price/rules.ts
          - text: +84 9.3k tokens 7.2 s
        - treeitem "2.2 Move the discount of big orders into it , working src/price/discount.ts +12 −9 22.3k tokens 12 s" [level=2]:
          - text: 2.2 Move the discount of big orders into it , working
          - code: src/price/discount.ts
          - text: +12 −9 22.3k tokens 12 s
        - treeitem "2.3 Let the callers use it, and nothing else , to do src/cart.ts" [level=2]:
          - text: 2.3 Let the callers use it, and nothing else , to do
          - code: src/cart.ts
        - treeitem "Show that prices stay as they were , to do" [expanded] [level=1]
        - treeitem "3.1 Tests of the rules at their limits , to do test/price.test.ts" [level=2]:
          - text: 3.1 Tests of the rules at their limits , to do
          - code: test/price.test.ts"
    `);
  });

  test('is used by keys alone: a question, the plan, the timeline, and everything by its name', async () => {
    const { server } = shown;
    server.onPost = () => ({ taken: true });
    const sent = server.posted.length;
    await page.evaluate('window.clock = Date.now');
    onTestFinished(() => page.evaluate('Date.now = window.clock'));
    await goTo(page, '#/', '2 questions for you');
    const first = page.getByRole('article').first();
    await first.focus();
    await page.keyboard.press('y');
    // Nobody reads that fast.
    expect(server.posted).toHaveLength(sent);
    await passing(page, 700);
    await page.keyboard.press('y');
    await expect
      .poll(() => server.posted.at(-1))
      .toMatchObject({
        path: `/api/runs/${RUN_ID}/approvals/q1`,
        body: { answer: 'once' },
      });
    await page.keyboard.press('n');
    await page.keyboard.type('not now');
    await page.keyboard.press('Enter');
    await expect.poll(() => server.posted.at(-1)?.body).toEqual({ answer: 'no', why: 'not now' });
    await page.keyboard.press('Escape');
    await first.focus();
    await passing(page, 700);
    await page.keyboard.press('c');
    await page.getByRole('textbox', { name: 'cmd' }).fill('npm ci');
    await page.getByRole('button', { name: 'Yes, like this' }).press('Enter');
    await expect
      .poll(() => server.posted.at(-1)?.body)
      .toEqual({ answer: 'once', input: { cmd: 'npm ci', timeout_sec: 60 } });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('price rules');
    await page.keyboard.press('Enter');
    await page.getByRole('tree').waitFor();
    await page.getByRole('treeitem').first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('1.1');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('tab', { name: 'Story' }).getAttribute('aria-selected')).toBe(
      'true',
    );
    const timeline = page.getByRole('slider', { name: 'Timeline' });
    await timeline.focus();
    await page.keyboard.press('Home');
    expect(await timeline.getAttribute('aria-valuetext')).toBe('The run began');
  });

  test('takes a command behind a slash, and shows what it said', async () => {
    await goTo(page, `#/talk/${TALK_ID}`, '12.4k tokens, $0.03');
    await page.getByLabel('Message').fill('/d');
    await page.getByRole('button', { name: '/diff' }).click();
    await page.getByRole('button', { name: 'Do it' }).click();
    await expect
      .poll(() => shown.server.posted.at(-1))
      .toMatchObject({ path: `/api/sessions/${TALK_ID}/commands`, body: { text: '/diff' } });
    await page.getByLabel('Model').selectOption('ollama/qwen3:8b');
    await expect
      .poll(() => shown.server.posted.at(-1)?.body)
      .toEqual({ text: '/model ollama/qwen3:8b' });
  });

  test('shows what taking a run over means, and agrees to what it has shown', async () => {
    const summary = { ...DONE, id: 'ee55', goal: 'From elsewhere' };
    shown.server.add({ summary, events: [], detail: { origin: 'foreign' } });
    const dropped = { addresses: [], grants: ['run_cmd(npm *)'] };
    shown.server.onPost = () => ({ outcome: 'planned', key: 'k1', next: ['prove it'], dropped });
    await goTo(page, '#/run/ee55', 'It came with its folder.');
    await page.getByRole('button', { name: 'Take it over…' }).click();
    await page.getByText('run_cmd(npm *)').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Take it over' }).click();
    await expect
      .poll(() => shown.server.posted.at(-1))
      .toMatchObject({ path: '/api/runs/ee55/adopt', body: { agreed: 'k1' } });
  });

  test('draws a plan that waits as a tree with its goal once, and sends a changed one with the yes', async () => {
    const subtask = { id: '1.1', purpose: 'Name them', checks: [], status: 'pending' as const };
    const tasks = [{ id: '1', description: 'Colours', subtasks: [subtask] }];
    shown.server.ask(DONE_ID, {
      ...{ id: 'plan-1', tool: 'the plan', target: 'A goal of its own', rules: [], reason: '' },
      ...{ isNoted: false, inputText: 'Colours', input: { plan: '## Colours' } },
      plan: { tasks, fallback: false },
    });
    await goTo(page, '#/', '3 questions for you');
    const card = page.getByRole('article', { name: 'A goal of its own' });
    await card.getByRole('treeitem', { name: '1.1 Name them' }).waitFor();
    expect(await card.getByText('A goal of its own').count()).toBe(0);
    await card.getByRole('button', { name: 'Edit first…' }).click();
    await card.getByRole('textbox', { name: 'plan' }).fill('## Shapes');
    await card.getByRole('button', { name: 'Yes, like this' }).click();
    await expect
      .poll(() => shown.server.posted.at(-1))
      .toMatchObject({
        path: `/api/runs/${DONE_ID}/approvals/plan-1`,
        body: { answer: 'once', input: { plan: '## Shapes' } },
      });
    shown.server.settle(DONE_ID, 'plan-1');
  });

  test('says of a run that nobody works on that it waits or was stopped, and offers nothing else', async () => {
    const summary = { ...DONE, id: 'ff66', number: null, standing: 'queued' as const };
    shown.server.add({ summary: { ...summary, goal: 'Later' }, events: [], detail: { place: 2 } });
    await goTo(page, '#/run/ff66', '2 runs before it.');
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    const killed = { ...DONE, id: 'ff77', goal: 'Cut off', standing: 'killed' as const };
    const failure = 'Its process was ended by SIGKILL before it was finished.';
    shown.server.add({ summary: killed, events: atWork(1).events, detail: { failure } });
    await goTo(page, '#/run/ff77', failure);
    await page.getByRole('treeitem', { name: 'stopped here' }).first().waitFor();
    expect(await page.getByRole('treeitem', { name: ', working' }).count()).toBe(0);
    const stuck = { ...DONE, id: 'ff88', goal: 'No key', failedAt: 2 };
    shown.server.add({ summary: stuck, events: [], detail: { failure: 'There is no key.' } });
    await goTo(page, '#/run/ff88', 'The last resume did not go on: There is no key.');
    const undo = { ...DONE, id: 'ff99', goal: 'Undone', standing: 'undoing' as const };
    shown.server.add({ summary: undo, events: [] });
    await goTo(page, '#/run/ff99', 'Its undo was cut off:');
    await goTo(page, '#/run/nobody', 'This run is not here.');
    expect(await againstAccess(page)).toEqual([]);
  });

  test('takes a lasting permission back, and says which work may hold it still', async () => {
    await goTo(page, '#/permissions', 'only npm ci');
    shown.server.onPost = () => ({
      rule: 'run_cmd(npm ci)',
      holders: [{ kind: 'run', id: RUN_ID, number: 12, isGiver: false }],
    });
    await page.getByRole('button', { name: 'Take back: only npm ci' }).click();
    await page.getByText('run #12, until it is paused or ends').waitFor();
    expect(shown.server.posted.at(-1)).toEqual({
      path: '/api/permissions/forget',
      body: { workspace: 'w1', rule: 'run_cmd(npm ci)' },
    });
  });

  test('offers what may be done next: a button where a request does it, else the command', async () => {
    const summary = { ...DONE, id: 'aa88', goal: 'Given up', standing: 'failed' as const };
    const step = { words: 'So it goes on.', command: 'agent resume 12 -w here', body: null };
    const again = { ...step, does: 'again' as const, command: 'agent --again "Given up"' };
    const apply = { ...step, does: 'apply' as const, command: 'agent apply 12', body: {} };
    const detail = { needs: 'a key of the shop', next: [apply, again] };
    shown.server.add({ summary, events: [], detail });
    await goTo(page, '#/run/aa88', 'It needs:');
    await page.getByText('A key of the shop.').waitFor();
    await page.getByText('agent --again "Given up"').waitFor();
    expect(await page.getByRole('button', { name: 'Start over' }).count()).toBe(0);
    expect(await page.getByText('agent apply 12').isVisible()).toBe(false);
    const leftAlone = [{ path: 'app.js', why: 'somebody has changed it since' }];
    shown.server.onPost = () => ({ outcome: 'left_alone', applied: [], leftAlone });
    await page.getByRole('button', { name: 'Bring its changes in' }).click();
    await page.getByText('app.js was left alone: somebody has changed it since.').waitFor();
    expect(shown.server.posted.at(-1)).toEqual({ path: '/api/runs/aa88/apply', body: {} });
    const failed = { ...again, body: { goal: 'Given up', workspace: 'w' } };
    shown.server.add({
      summary: { ...summary, id: 'ab00' },
      events: [],
      detail: { next: [failed] },
    });
    await goTo(page, '#/run/ab00', 'Start over');
    await page.getByRole('button', { name: 'Edit the goal first…' }).click();
    await expect
      .poll(() => page.getByLabel('What do you want done?').inputValue())
      .toBe('Given up');
    const paused = { ...DONE, id: 'aa99', goal: 'Paused' };
    const resume = { ...step, does: 'resume' as const, body: { maxCost: 1.1 } };
    shown.server.add({ summary: paused, events: [], detail: { next: [resume] } });
    await goTo(page, '#/run/aa99', 'So it goes on.');
    expect(await againstAccess(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect
      .poll(() => shown.server.posted.at(-1))
      .toEqual({ path: '/api/runs/aa99/resume', body: { maxCost: 1.1 } });
  });

  test('opens a conversation at its question, so that it is read before it is answered', async () => {
    const { server } = shown;
    await page.setViewportSize({ width: 360, height: 800 });
    onTestFinished(() => page.setViewportSize({ width: 1024, height: 800 }));
    const id = 'cc99';
    const told = new Telling(Date.now() - 500_000).record('run_opened', {
      ...{ run: id, startedAt: Date.now(), number: 5, conversation: { name: 'long' } },
    });
    for (let at = 0; at < 20; at += 1)
      told
        .record('person_said', {})
        .say('person_said', { text: `Why ${at}?` })
        .turn('action', 'So.');
    server.add({
      summary: {
        ...{ id, number: 5, name: 'long', workspacePath: '/home/ada/shop-api' },
        ...{ state: 'waiting', lastAt: Date.now() },
      },
      events: told.events,
    });
    // Longer than the screen: at the end of the page only its answers would be seen.
    const reason = 'It is not allowed here. '.repeat(60);
    server.ask(id, { ...ASKED, id: 'long', reason, argv: ['npm', 'install', 'a'], folder: '/w' });
    await goTo(page, `#/talk/${id}`, 'Why 19?');
    const kind = page.getByText('May it run this?');
    await expect.poll(async () => (await kind.boundingBox())?.y ?? -1).toBeGreaterThan(0);
    expect((await kind.boundingBox())?.y).toBeLessThan(300);
    expect(await page.getByRole('button', { name: 'new' }).count()).toBe(0);
    server.settle(id, 'long');
  });

  test('is not blank where one view has a fault', async () => {
    shown.server.spoilt = 'models';
    await goTo(page, '#/new', 'This view cannot be shown.');
    shown.server.spoilt = '';
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('What do you want done?').waitFor();
    await goTo(page, '#/', '2 questions for you');
  });

  test('says that the server is away, comes back, and shows nothing twice', async () => {
    const told = atWork(1);
    const summary = { ...DONE, id: 'ad44', goal: 'Away', standing: 'running' as const };
    shown.server.add({ summary, events: told.events });
    await goTo(page, '#/run/ad44', 'src/price/rules.ts');
    await page.getByRole('tab', { name: 'Story' }).click();
    const rows = page.locator('.story li');
    const before = await rows.count();
    shown.server.cut();
    await page.getByText('The server is away').waitFor();
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.getByText('The server is away').waitFor({ state: 'detached' });
    shown.server.tell('ad44', told.turn('action', 'It goes on.').events.slice(-2));
    await expect.poll(() => rows.count()).toBe(before + 1);
  });
});

/** The end of a run on the page: its answer, what the model reports, and what was not done. */
import { expect, test } from 'vitest';
import {
  againstAccess,
  cutOrOverlapping,
  findChromium,
  goTo,
  openPage,
} from '../support/page/browser.ts';
import { ASKED, RUN_ID, Telling } from '../support/page/showcase.ts';
import { shownInBrowser } from '../support/page/shown.ts';

const path = findChromium();
const of = { workspace: 'w', path: '/w', number: 8, questions: 0, startedAt: 1, lastAt: 1 };

test.skipIf(path === '')('the end says what the run has to say', async () => {
  const { shown, browser } = await shownInBrowser();
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
  for (const width of [360, 1024]) {
    const { page, problems } = await openPage(browser, shown.url, { width, theme: 'light' });
    await goTo(page, '#/run/aa88', 'Answered');
    const end = page.getByRole('region', { name: 'How it stands' });
    await end.getByRole('heading', { name: 'Three' }).waitFor();
    expect(await end.getByRole('listitem').allTextContents()).toEqual(['one', 'two']);
    await end.getByText('Not done: 1.1 push (git push was refused).').waitFor();
    expect(await cutOrOverlapping(page)).toEqual([]);
    await goTo(page, '#/run/aa89', 'Not verified');
    await end.getByText('The model says:').waitFor();
    await end.getByText('I could not check a.txt.').waitFor();
    expect(await end.getByText('Not done:').count()).toBe(0);
    expect([await cutOrOverlapping(page), problems]).toEqual([[], []]);
    await page.context().close();
  }
});

test.skipIf(path === '')(
  'an answer that came too late is said, though its question is gone',
  async () => {
    const { shown, browser } = await shownInBrowser();
    const detail = 'It was answered before: no, at its terminal.';
    shown.server.onPost = async () => {
      shown.server.settle(RUN_ID, ASKED.id);
      await gone;
      return { status: 409, code: 'E_ANSWERED', detail, hint: 'The first answer counts.' };
    };
    const { page } = await openPage(browser, shown.url, { width: 360, theme: 'light' });
    await goTo(page, '#/', '2 questions for you');
    const card = page.getByRole('article', { name: ASKED.target });
    const gone = card.waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Yes, once' }).click();
    const said = page.getByRole('alert');
    await said.getByText(`did not count. ${detail} The first answer counts.`).waitFor();
    expect([await cutOrOverlapping(page), await againstAccess(page)]).toEqual([[], []]);
    await said.getByRole('button', { name: 'Close' }).click();
    await said.waitFor({ state: 'detached' });
  },
);

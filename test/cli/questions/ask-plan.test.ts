import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editorOf, editText } from '../../../src/cli/process/editor.ts';
import { askPlanAtTerminal } from '../../../src/cli/questions/ask-plan.ts';
import { QUIET_MS } from '../../../src/cli/questions/quiet-keys.ts';
import { ANSWERED } from '../../../src/round/permission/person.ts';
import type { PlanQuestion } from '../../../src/round/plan/plan-review.ts';
import { fakeTerminal, PLAN } from '../support.ts';

const QUESTION: PlanQuestion = {
  ...{ goal: 'Write it', brief: null, plan: PLAN, text: '# Plan', fault: '' },
  faultOf: async () => '',
};

async function ask(key: string, edited: string | null, question = QUESTION) {
  const terminal = fakeTerminal({ isTerminal: true, env: { NO_COLOR: '1', LANG: 'C.UTF-8' } });
  const shown: string[] = [];
  const port = {
    ...terminal,
    keys: (listener: (key: string) => void) => {
      terminal.advance(QUIET_MS);
      queueMicrotask(() => listener(key));
      return () => {};
    },
    ...(edited === null
      ? {}
      : {
          edit: async (text: string) => {
            shown.push(text);
            return edited;
          },
        }),
  };
  const { signal } = new AbortController();
  const answer = await askPlanAtTerminal(
    port,
    () => () => {},
    () => false,
  )(question, signal);
  return { answer, shown, stderr: terminal.stderr.text() };
}

test('a plan is shown with its proof, and y is the only key that is a yes', async () => {
  const { answer, stderr } = await ask('y', '');
  expect(answer).toEqual({ kind: 'yes' });
  expect(stderr).toContain('Plan for: Write it');
  expect(stderr).toMatch(/ {2}proof: .*\nUse this plan\?\n {2}y {2}yes\n/);
  for (const key of ['n', '\r', '\u001b']) expect((await ask(key, '')).answer.kind).toBe('no');
});

test('e opens it in the editor; an empty text is a no, and without an editor there is no e', async () => {
  const { answer, shown } = await ask('e', '# Plan\n\n## A\n- a\n');
  expect(shown).toEqual(['# Plan']);
  expect(answer).toEqual({ kind: 'edited', text: '# Plan\n\n## A\n- a\n' });
  expect((await ask('e', ' \n')).answer).toEqual({ kind: 'no' });
  expect((await ask('n', null)).stderr).not.toContain('editor');
});

test('what is wrong with a text is said, and it is no plan that a y could agree to', async () => {
  const { answer, stderr } = await ask('e', 'x', { ...QUESTION, fault: 'Line 4: no.' });
  expect(stderr).toContain('That is not a plan yet. Line 4: no.\n  e  edit it in your editor\n');
  expect(stderr).not.toContain('y  yes');
  expect(answer.kind).toBe('edited');
});

test('where the editor cannot be started that is said, and the question stays', async () => {
  const terminal = fakeTerminal({ isTerminal: true, env: { NO_COLOR: '1', LANG: 'C.UTF-8' } });
  const keys = ['e', 'y'];
  const port = {
    ...terminal,
    keys: (listener: (key: string) => void) => {
      terminal.advance(QUIET_MS);
      queueMicrotask(() => listener(keys.shift() ?? 'n'));
      return () => {};
    },
    edit: (text: string, name: string) =>
      editText(text, name, { env: { EDITOR: 'no-such-editor' }, platform: 'linux' }),
  };
  const ask = askPlanAtTerminal(
    port,
    () => () => {},
    () => false,
  );
  expect(await ask(QUESTION, new AbortController().signal)).toEqual({ kind: 'yes' });
  expect(terminal.stderr.text()).toContain(
    '> edit\nYour editor (no-such-editor) cannot be started (ENOENT). Set EDITOR',
  );
  expect(terminal.stderr.text()).toMatch(/\n> yes\n$/);
});

test('answered from another terminal it is taken off, also while its text is edited here', async () => {
  const elsewhere = async (during: 'question' | 'editor') => {
    const terminal = fakeTerminal({ isTerminal: true, env: { NO_COLOR: '1', LANG: 'C.UTF-8' } });
    const stop = new AbortController();
    const port = {
      ...terminal,
      keys: (listener: (key: string) => void) => {
        terminal.advance(QUIET_MS);
        queueMicrotask(() => (during === 'editor' ? listener('e') : stop.abort(ANSWERED.once)));
        return () => {};
      },
      edit: async () => {
        stop.abort(ANSWERED.no);
        return '# Plan\n\n## Mine\n- mine\n';
      },
    };
    const ask = askPlanAtTerminal(
      port,
      () => () => {},
      () => false,
    );
    expect(await ask(QUESTION, stop.signal)).toEqual({ kind: 'none' });
    return terminal.stderr.text();
  };
  expect(await elsewhere('question')).toMatch(/> yes, from another terminal\n$/);
  expect(await elsewhere('editor')).toMatch(
    /> edit\nno, from another terminal: what you edited is not used\.\n$/,
  );
});

test('the editor is the one that the person names, with its arguments and without a shell', async () => {
  const named = (env: { [name: string]: string }, platform: NodeJS.Platform = 'linux') =>
    editorOf({ env, platform });
  expect(named({ VISUAL: 'code --wait', EDITOR: 'vi' })).toEqual(['code', '--wait']);
  expect(named({ EDITOR: '"C:\\Program Files\\ed.exe" -n' })[0]).toBe('C:\\Program Files\\ed.exe');
  expect([named({}), named({}, 'win32')]).toEqual([['vi'], ['notepad.exe']]);
  const folder = mkdtempSync(join(tmpdir(), 'editor-'));
  const script = join(folder, 'my editor.mjs');
  writeFileSync(script, "import fs from 'node:fs'; fs.appendFileSync(process.argv[2], 'more');");
  const port = {
    env: { ...process.env, EDITOR: `"${process.execPath}" "${script}"` },
    platform: process.platform,
  };
  expect(await editText('text ', 'plan.md', port)).toBe('text more');
  const broken = { ...port, env: { ...process.env, EDITOR: 'no-such-editor' } };
  await expect(editText('', 'plan.md', broken)).rejects.toThrow('Your editor (no-such-editor)');
  await expect(editText('', 'plan.md', { ...broken, platform: 'win32' })).rejects.toMatchObject({
    hint: expect.stringMatching(/such as notepad\.exe\.$/),
  });
  rmSync(folder, { recursive: true, force: true });
});

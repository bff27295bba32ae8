/** What a model that leads says of its work, and beside its calls. */
import { describe, expect, it } from 'vitest';
import { resultText, summaryBesideAnswer } from '../../src/cli/render/ending/result-text.ts';
import { createRenderer } from '../../src/cli/render/renderer.ts';
import { resultBody } from '../../src/run/stream/result-body.ts';
import { fakeTerminal } from '../cli/support.ts';
import { leading } from '../support/leading.ts';
import { runIn, type Told } from '../support/run-in.ts';
import { LARGE, type ScriptedReply, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const GOAL = 'Write greet.mjs: node greet.mjs prints "hello Ada"';
const WORK = {
  subtasks: [{ action: 'write_file', file: 'greet.mjs', purpose: 'greets' }],
  verify: { cmd: 'node greet.mjs', prints: 'hello Ada' },
};
const content = 'console.log("hello Ada");\n';
const WRITE = { name: 'write_file', args: { path: 'greet.mjs', content } };
const SUMMARY = 'Nothing greeted before.\ngreet.mjs does now.\nBeside it: no test is here.';
/** The headline names the proof, so that stdout does not repeat it. */
const PROVED = 'As the goal says, node greet.mjs gives "hello Ada"';
const LONG = `${SUMMARY} ${'And so on. '.repeat(2000)}`.trim();

const end = (args: object): ScriptedReply => ({
  calls: [{ name: 'mark_subtask_complete', args: { success: true, ...args } }],
});

async function run(...replies: readonly ScriptedReply[]) {
  let next = -1;
  const script = leading(WORK, () => {
    next += 1;
    return replies[next] ?? end({});
  });
  const provider = scriptedProvider(script, LARGE);
  const told = await runIn(testWorld(), provider, { goal: GOAL, toolMode: 'native' });
  return { ...told, requests: provider.requests };
}

const textOf = (result: Told['result'], head: string): string =>
  resultText({ result, resume: 'agent resume' }, head);

const bodyOf = ({ result }: Pick<Told, 'result'>) =>
  resultBody(result, { workspace: '/ws', resume: '', elapsedMs: 1 });

describe('what the model says of its work', () => {
  it.each([SUMMARY, LONG])(
    'stands on stdout under how the goal ended, and in --json',
    async (summary) => {
      const told = await run({ calls: [WRITE] }, end({ reason: 'done', summary }));
      expect(told.result).toMatchObject({ ending: 'achieved', summary });
      expect(textOf(told.result, 'Done')).toBe(`Done\n${summary}\n${PROVED}\n`);
      expect(told.result.detail).toContain('proof passed: node greet.mjs');
      expect(bodyOf(told)).toMatchObject({ summary, answer: null });
    },
  );

  it('stands under an answer, too, and the line that says what proved the work above it', async () => {
    const told = await run({ calls: [WRITE] }, end({ answer: 'hello Ada', summary: SUMMARY }));
    expect(told.result).toMatchObject({ ending: 'achieved', answer: 'hello Ada' });
    expect(textOf(told.result, 'Done')).toBe(`Done\nhello Ada\n${SUMMARY}\n${PROVED}\n`);
    expect(told.result.detail).toContain('proof passed: node greet.mjs');
  });

  it('leaves an answer alone on stdout where nothing was changed, and is told beside it', async () => {
    const told = await run({ calls: [WRITE] }, end({ answer: 'hello Ada', summary: SUMMARY }));
    const answered = { ...told.result, ending: 'answered' } as const;
    expect(textOf(answered, 'Answered')).toBe('hello Ada\n');
    expect(summaryBesideAnswer(answered)).toBe(`The model says: ${SUMMARY}`);
    expect(summaryBesideAnswer({ ...answered, summary: 'hello Ada' })).toBe('');
  });

  it('stands behind its answer where nothing is reached', async () => {
    const told = await run({ calls: [WRITE] }, end({ answer: 'hello Ada', summary: SUMMARY }));
    const failed = { ...told.result, ending: 'failed', detail: 'it does not run' } as const;
    expect(textOf(failed, 'Failed')).toBe(
      `Failed\nit does not run\nThe model says: hello Ada\n${SUMMARY}\n`,
    );
  });

  it('is its closing text, where it ends with one', async () => {
    const told = await run({ calls: [WRITE] }, { text: SUMMARY });
    expect(told.result).toMatchObject({ ending: 'achieved', summary: SUMMARY });
  });

  it('is the reason of its last claim, where it gives no more', async () => {
    const told = await run({ calls: [WRITE] }, end({ reason: 'it greets' }));
    expect(told.result).toMatchObject({ summary: 'it greets' });
  });

  it('is nothing where it says nothing', async () => {
    const told = await run({ calls: [WRITE] }, end({}));
    expect(told.result.summary).toBeUndefined();
    expect(textOf(told.result, 'Done')).toBe('Done\n');
    expect(bodyOf(told)).toMatchObject({ summary: null });
  });

  it('makes no end better than it is', async () => {
    const told = await run({ calls: [WRITE] }, end({ summary: SUMMARY }));
    const result = { ...told.result, ending: 'unverified', detail: 'nothing shows it' } as const;
    const below = `nothing shows it\nThe model says: ${SUMMARY}\n`;
    expect(textOf(result, 'Not verified')).toBe(`Not verified\n${below}`);
    expect(textOf({ ...result, ending: 'failed' }, 'Failed')).toBe(`Failed\n${below}`);
  });
});

describe('what the model says beside its calls', () => {
  const words = 'The greeting is missing; I write it now.';

  it('stays in its conversation', async () => {
    const { requests } = await run({ text: words, calls: [WRITE] });
    const said = requests.at(-1)?.messages.filter(({ role }) => role === 'assistant');
    expect(said?.at(1)).toMatchObject({ content: words, toolCalls: [WRITE] });
  });

  it.each([true, false])('is shown on the screen, a terminal: %s', async (isTerminal) => {
    const { events } = await run({ text: words, calls: [WRITE] });
    const terminal = fakeTerminal({ isTerminal, env: { LANG: 'C.UTF-8', NO_COLOR: '1' } });
    const options = { verbosity: 'normal', goal: GOAL, maxRounds: 24 } as const;
    const renderer = createRenderer(terminal, options);
    for (const event of events) renderer.observe(event);
    renderer.stop();
    const shown = terminal.stderr.text();
    expect(shown).toContain(`  ${words}\n`);
    expect(shown).not.toContain('"tasks"');
  });
});

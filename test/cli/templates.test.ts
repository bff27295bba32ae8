/** Plans with variables: those of the program, the user's own, and one saved from a run. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { builtIns } from '../../src/cli/templates/built-in.ts';
import { filledIn, type Template, templateOf } from '../../src/cli/templates/template.ts';
import { plannableOf } from '../../src/decompose/plan-schema.ts';
import { readPlanText } from '../../src/decompose/plan-text/read-plan.ts';
import { everyBuiltinTool } from '../../src/tools/registry.ts';
import { agentIn, copyOf, makeRuns } from '../support/damage-world.ts';
import { fakeEngine, fakeTerminal } from './support.ts';

function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'templates-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const env = {
    ...{ HOME: root, USERPROFILE: root, XDG_CONFIG_HOME: root, XDG_DATA_HOME: join(root, 'data') },
    ...{ NO_COLOR: '1', LANG: 'C.UTF-8' },
  };
  const folder = join(root, 'tardigrade-agent', 'templates');
  const cwd = join(root, 'here');
  for (const one of [folder, cwd]) mkdirSync(one, { recursive: true });
  const agent = async (...argv: readonly string[]) => {
    const engine = fakeEngine();
    const terminal = Object.assign(fakeTerminal({ cwd, env }), { platform: 'linux' });
    const exitCode = await main([...argv], terminal, () => Promise.resolve(engine));
    return {
      ...{ exitCode, stdout: terminal.stdout.text(), stderr: terminal.stderr.text() },
      run: engine.runs[0],
    };
  };
  return {
    ...{ root, agent },
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
  };
}

function made(definition: string): Template {
  const read = templateOf('made', '', definition);
  if ('why' in read) throw new Error(read.why);
  return read;
}

const planOf = (text: string) =>
  readPlanText(text, {
    before: { tasks: [], fallback: false },
    tools: plannableOf(everyBuiltinTool()),
  });

test('every built-in template is a plan, whatever its variables are', () => {
  for (const [name, definition] of builtIns())
    for (const value of ['node --test', '# Proof', '- one\n- two', '<!-- x', '"x', '1. do', '*']) {
      const template = made(definition);
      const set = template.variables.map((one) => `${one.name}=${value}`);
      const reading = planOf(filledIn(template, 'a goal', set));
      expect(reading, `${name}: ${value}`).toMatchObject({ ok: true });
      if (!reading.ok) continue;
      expect(reading.plan.tasks).toHaveLength(1);
      const [shown] = template.variables.some((one) => one.name === 'proof')
        ? [value.replace(/\s+/g, ' ')]
        : [undefined];
      expect(reading.plan.proof?.cmd).toBe(shown);
    }
});

test('what a proof prints is the value to the letter', () => {
  const add = made(builtIns().find(([name]) => name === 'add-function')?.[1] ?? '');
  const text = filledIn(add, 'g', ['file=a.py', 'proof=python a.py', 'prints="5"\n 6']);
  expect(planOf(text)).toMatchObject({ plan: { proof: { prints: '"5"\n 6' } } });
});

test('a run begins with the plan of a template, its own or one of the program', async () => {
  const { agent, write } = place();
  write(
    'port.md',
    '---\ndescription: Port it\nvariables: from to\nfrom: a file\n---\n# Plan\n\n## {{goal}}\n\n- port {{from}}\n  - file: {{to}}\n',
  );
  const { run, exitCode } = await agent(
    ...['--template', 'port', '--set', 'from=a.js', '--set', 'to=b.py', '# Port it'],
  );
  expect(exitCode).toBe(0);
  expect(run?.template).toEqual({
    name: 'port',
    text: '# Plan\n\n## \\# Port it\n\n- port a.js\n  - file: b.py',
  });
  const asked = await agent('--template', 'question', 'What is here?');
  expect(asked.run).toMatchObject({ wants: 'answer', template: { name: 'question' } });
});

test('what is wrong is said before there is a run, with the next step', async () => {
  const { agent, write } = place();
  write('odd.md', '---\nvariables: a\n---\n# Plan\n\n## x\n\n- {{b}}\n');
  write('dose.md', '# Plan\n\n## x\n\n- y\n  - dose: write_file a\n');
  const said: readonly (readonly [readonly string[], string])[] = [
    [['--template', 'fixtest'], 'Did you mean "fix-test"?'],
    [['--template', 'fix-test'], 'needs proof (the command'],
    [['--template', 'fix-test', '--set', 'prof=x'], 'Did you mean "proof"?'],
    [['--template', 'fix-test', '--set', 'proof'], 'gives no variable a value'],
    [['--template', 'odd'], '{{b}} stands in it'],
    [['--template', 'dose'], 'Line 6 of its plan: There is no "dose:"'],
    [['--set', 'a=b'], 'Name it with --template.'],
  ];
  for (const [words, why] of said) {
    const { exitCode, stderr, run } = await agent(...words, 'Do the work');
    expect([exitCode, run], why).toEqual([2, undefined]);
    expect(stderr.replace(/\s+/g, ' ')).toContain(why);
  }
});

test('agent templates lists what there is and what is left out, and shows one', async () => {
  const { agent, write } = place();
  write('fix-test.md', '---\ndescription: Mine\n---\n# Plan\n\n## x\n\n- y\n');
  write('Odd.md', 'x');
  const { stdout, stderr } = await agent('templates');
  expect(stdout).toMatch(/^add-function .*\n +--set file= [\s\S]*\nfix-test +Mine \(your own\)\n/);
  expect(stderr).toContain('its name must be small letters');
  expect((await agent('templates', 'fix-test')).stdout).toContain('## x');
});

test('the plan of a run that is over can be saved as one', async () => {
  const { root } = place();
  const runs = await makeRuns();
  onTestFinished(() => runs.dispose());
  const finished = runs.runs.find(({ name }) => name === 'finished');
  if (finished === undefined) throw new Error('There is no finished run.');
  const folder = join(root, 'ws');
  copyOf(finished, folder);
  const saved = await agentIn(folder, ['export', '1', '--format', 'template']);
  expect(saved.exitCode).toBe(0);
  expect(planOf(filledIn(made(saved.stdout), 'g', []))).toMatchObject({ ok: true });
  const none = await agentIn(folder, ['export', '7', '--format', 'template']);
  expect([none.exitCode, none.stdout]).toEqual([2, '']);
  const bare = await agentIn(folder, ['export', '1']);
  expect([bare.exitCode, bare.stdout]).toEqual([2, '']);
  expect(bare.stderr).toContain('1 is a run, and this form is one of conversations.');
});

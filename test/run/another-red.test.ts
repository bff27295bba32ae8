/** A test that was red for another reason and is green now shows nothing of work that it passes without. */
import { describe, expect, it } from 'vitest';
import { playInMemory } from '../support/evaluated.ts';
import { BARE_HEAD, cmd, DONE, edit, type Played, plan, write } from '../support/play.ts';
import type { ScriptedCall } from '../support/scripted-provider.ts';

const SHOW = "export const show = (items) => items.join(' ');\n";
const CLI = `import { show } from './show.mjs';\nexport const main = (args) => show(args);\n`;
const FILES = {
  'show.mjs': SHOW,
  'cli.mjs': CLI,
  'twice.mjs': 'export const twice = (a) => a;\n',
  'cli.test.mjs': `${BARE_HEAD}import { main } from './cli.mjs';\ntest('shows', () => assert.equal(main(['a', 'b']), 'a b'));\n`,
  'twice.test.mjs': `${BARE_HEAD}import { twice } from './twice.mjs';\ntest('doubles', () => assert.equal(twice(2), 4));\n`,
  'all.test.mjs': "import './cli.test.mjs';\nimport './twice.test.mjs';\n",
};
const PROOF = 'node all.test.mjs';
const JSON_GOAL = 'Add a --json option to the command line';
const MEND = edit('twice.mjs', '=> a;', '=> a * 2;');
const AS_JSON = "(args[0] === '--json' ? '{}' : show(args))";
const OPTION = edit('cli.mjs', 'show(args);', `${AS_JSON};`);

const ends = async (
  acts: readonly ScriptedCall[],
  { goal = JSON_GOAL, files = FILES, proof = PROOF }: Partial<Played> & { proof?: string } = {},
) => {
  const replies = [[cmd(proof)], [plan(proof), ...acts, DONE], [DONE]];
  const { ending, detail } = await playInMemory({ goal, files, replies });
  return { ending, detail };
};
const without = (path: string, proof = PROOF) => ({
  ending: 'unverified',
  detail: expect.stringContaining(
    `${proof} also passes without this run's work in ${path}, so its earlier failure says nothing about ${path.includes(' and ') ? 'them' : 'it'}`,
  ),
});

describe.concurrent('a test that was red for another reason', () => {
  it('shows nothing of changed code that it passes without', async () => {
    expect(await ends([MEND, OPTION])).toMatchObject(without('cli.mjs'));
  });

  it('shows nothing of new code that does nothing', async () => {
    const made = write('json.mjs', "export const asJson = (items) => '{}';\n");
    const used = edit(
      'cli.mjs',
      CLI,
      `import { asJson } from './json.mjs';\n${CLI.replace('show(args)', "(args[0] === '--json' ? asJson(args) : show(args))")}`,
    );
    expect(await ends([MEND, made, used])).toMatchObject(without('cli.mjs and json.mjs'));
  });

  it('is no test of what a checker does not look at', async () => {
    const files = {
      'cli.mjs': CLI,
      'twice.mjs': 'export const twice = (a) => a \n',
      'lint.mjs':
        "import { readFileSync } from 'node:fs';\nfor (const file of ['cli.mjs', 'twice.mjs']) if (/ \\n/.test(readFileSync(file, 'utf8'))) throw new Error(file);\n",
    };
    const proof = 'node lint.mjs';
    const acts = [edit('twice.mjs', '=> a ', '=> a;'), OPTION];
    expect(await ends(acts, { files, proof })).toMatchObject(without('cli.mjs', proof));
  });

  it('shows nothing of code that a command changed, and that the goal names', async () => {
    const files = {
      ...FILES,
      'change.mjs':
        "import { readFileSync, writeFileSync } from 'node:fs';\nconst text = readFileSync('cli.mjs', 'utf8');\nwriteFileSync('cli.mjs', text.replace('show(args);', \"(args[0] === '--json' ? '{}' : show(args));\"));\n",
    };
    const goal = 'Add a --json option to cli.mjs';
    const acts = [MEND, cmd('node change.mjs')];
    expect(await ends(acts, { goal, files })).toMatchObject(without('cli.mjs'));
  });

  it('is claimed once tests of the run notice that code', async () => {
    const right = edit(
      'cli.mjs',
      'show(args);',
      "(args[0] === '--json' ? JSON.stringify(args.slice(1)) : show(args));",
    );
    const test = `${BARE_HEAD}import { main } from './cli.mjs';\ntest('json', () => assert.equal(main(['--json', 'a']), '["a"]'));\n`;
    const files = {
      ...FILES,
      'all.test.mjs': `${FILES['all.test.mjs']}import './later.mjs';\n`,
      'later.mjs': '',
    };
    const replies = [
      [cmd(PROOF)],
      [plan(PROOF), MEND, right, DONE],
      [write('json.test.mjs', test), write('later.mjs', "import './json.test.mjs';\n"), DONE],
      [DONE],
    ];
    const { ending, detail } = await playInMemory({ goal: JSON_GOAL, files, replies });
    expect({ ending, detail }).toMatchObject({ ending: 'achieved' });
  });
});

describe.concurrent('what was red and is green is claimed', () => {
  const goal = 'Make the tests pass';

  it('where each change is needed', async () => {
    const files = { ...FILES, 'show.mjs': SHOW.replace("' '", "','") };
    const acts = [MEND, edit('show.mjs', "','", "' '")];
    expect(await ends(acts, { goal, files })).toMatchObject({ ending: 'achieved' });
  });

  it('where other code does in another way what its tests need', async () => {
    const acts = [
      MEND,
      edit('show.mjs', "items.join(' ')", "items.reduce((all, one) => all + ' ' + one)"),
    ];
    expect(await ends(acts, { goal })).toMatchObject({ ending: 'achieved' });
  });

  it('where other code only says more, or less', async () => {
    const files = { ...FILES, 'show.mjs': `${SHOW}export const unused = 1;\n` };
    const acts = [
      MEND,
      edit('cli.mjs', 'export const', '// Takes words.\nexport const'),
      edit('show.mjs', 'export const unused = 1;\n', ''),
    ];
    expect(await ends(acts, { goal, files })).toMatchObject({ ending: 'achieved' });
  });

  it('where another file only declares', async () => {
    const files = { ...FILES, 'types.ts': 'export interface Options {\n  json: string;\n}\n' };
    const acts = [MEND, edit('types.ts', 'json: string', 'json: boolean')];
    expect(await ends(acts, { goal, files })).toMatchObject({ ending: 'achieved' });
  });
});

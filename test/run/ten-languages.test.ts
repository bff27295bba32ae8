/** The same goal in ten languages, answered by the same model: the same requests, and the same end. */
import { describe, expect, it, test } from 'vitest';
import { exitCodeOfResult } from '../../src/run/exit-codes.ts';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { LARGE, type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { someKills } from '../support/some-kills.ts';
import { GOALS, LANGUAGES_OF_GOALS } from '../support/ten-languages.ts';
import { call, DONE, FILES, HI, ROWS, type Row, write } from '../support/ten-rows.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

/** Each file that is there or was: made, changed, removed, or as it was. */
function becameOf(world: TestWorld, before: Row['files']): string {
  const names = [...Object.keys(FILES), 'total.mjs', 'calc.mjs', 'calc.test.mjs'];
  return names
    .flatMap((name) => {
      const given = before.some((one) => one === name) ? FILES[name as keyof typeof FILES] : null;
      const now = world.read(name);
      if (given === now) return [];
      return [`${given === null ? 'made' : now === null ? 'removed' : 'changed'} ${name}`];
    })
    .join(', ');
}

async function play(row: Row, driver: 'free' | 'guided', goal: string) {
  const world = testWorld();
  for (const name of row.files) world.write(name, FILES[name]);
  const replies = row.free ?? [];
  const script: Script =
    driver === 'guided'
      ? diligentModel(row.guided ?? { subtasks: [] })
      : (_, n) => {
          const reply = replies[Math.min(n, replies.length) - 1] ?? '';
          return typeof reply === 'string' ? reply : { calls: reply };
        };
  const brief = row.brief === undefined ? {} : { brief: JSON.stringify(row.brief) };
  const provider = scriptedProvider(script, { ...(driver === 'free' ? LARGE : {}), ...brief });
  const toolMode = driver === 'free' ? 'native' : 'json';
  const { result } = await runIn(world, provider, { goal, toolMode, maxRounds: 6 });
  const became = becameOf(world, row.files);
  return `${result.ending} (${exitCodeOfResult(result)}), ${provider.requests.length} requests, ${became || 'nothing changed'}`;
}

const SLOW_MS = 60_000;

describe.each(['free', 'guided'] as const)('%s', (driver) => {
  const rows = ROWS.filter((row) => row[driver] !== undefined);
  // Every fourth row, each in some of the languages; `npm run crash` takes all in all.
  it.each(
    someKills(
      rows.map((row, at) => ({ ...row, at })),
      4,
    ),
  )('a goal that $kind and $what', { timeout: SLOW_MS }, async ({ at, ...row }) => {
    const languages = new Set(['en', ...someKills(LANGUAGES_OF_GOALS, 8, at)] as const);
    const ends = new Map<string, string>();
    for (const language of languages)
      ends.set(language, await play(row, driver, GOALS[row.kind][language]));
    const asInEnglish = [...languages].map((language) => [language, ends.get('en')]);
    expect([...ends]).toEqual(asInEnglish);
  });
});

test.each(['Think about what is wanted', '考虑需要什么'])(
  'a plan that begins with thinking is a plan like any other: %s',
  async (first) => {
    const world = testWorld();
    const subtasks = [{ do: first }, { do: 'hello.mjs' }];
    const plan = call('set_plan', { tasks: [{ description: '1', subtasks }] });
    const provider = scriptedProvider(
      () => ({ calls: [plan, DONE, write('hello.mjs', HI), DONE] }),
      LARGE,
    );
    await runIn(world, provider, { goal: 'hello.mjs', toolMode: 'native', maxRounds: 2 });
    expect(world.read('hello.mjs')).toBe(HI);
  },
);

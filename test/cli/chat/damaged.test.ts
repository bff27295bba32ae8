import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { listSessions } from '../../../src/index.ts';
import { fakeEngine, fakeTerminal } from '../support.ts';
import { chatFolder, talk } from './talking.ts';

/** A folder with a conversation of two messages, and where that lies. */
async function held() {
  const folder = chatFolder();
  const say = (...argv: string[]) =>
    talk((request) => `${request.messages.length}`, { folder, argv, isTerminal: false });
  for (const text of ['One', 'Two'])
    expect(await say('--exec', text, '--session', 'mine').ended).toBe(0);
  const sessions = join(folder, '.agent_context', 'sessions');
  const [id = ''] = readdirSync(sessions);
  const at = (name: string): string => join(sessions, id, name);
  return { folder, id, say, at, journal: at('history.jsonl'), all: () => contentsOf(sessions) };
}

/** Every file of a folder and what it holds. */
const contentsOf = (folder: string): readonly (readonly [string, string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file, readFileSync(file, 'latin1')] as const);

type Held = Awaited<ReturnType<typeof held>>;

/** One bit of the second message. */
function flip({ journal }: Held): void {
  const bytes = readFileSync(journal);
  const middle = bytes.lastIndexOf('"person_said"');
  bytes[middle + 3] = (bytes[middle + 3] ?? 0) ^ 1;
  writeFileSync(journal, bytes);
}

const cut = ({ journal }: Held): void =>
  writeFileSync(journal, readFileSync(journal).subarray(0, -40));

const doctor = async (cwd: string): Promise<string> => {
  const terminal = fakeTerminal({ cwd });
  await main(['doctor', '-v'], terminal, () => Promise.resolve(fakeEngine()));
  return terminal.stdout.text().replace(/\n {10,}/g, ' ');
};

describe('a conversation that', () => {
  test('is well has nothing said of it but that', async () => {
    const { folder, say, all } = await held();
    const before = all();
    const listed = say('sessions');
    expect(await listed.ended).toBe(0);
    expect(listed.terminal.stdout.text()).toMatch(/ {2}1 {2}.* ago +mine {2}"One"\n/);
    expect(listed.terminal.stderr.text()).toBe(
      'Continue one: agent chat --session NAME or NUMBER\n',
    );
    expect(await doctor(folder)).toMatch(/^ok +conversations +1, each can go on$/m);
    expect(all()).toEqual(before);
  });

  test.each<[string, (held: Held) => void, RegExp]>([
    ['has a flipped bit', flip, /is damaged at byte \d+: /],
    ['was cut in its last record', cut, /its snapshot has seen record \d+/],
  ])('%s is named with what to do, and stays as it is', async (_what, damage, why) => {
    const one = await held();
    damage(one);
    const before = one.all();
    const next = `agent export ${one.id} > saved.jsonl, then agent chat --load saved.jsonl`;
    for (const command of ['sessions', 'repair']) {
      const told = one.say(command);
      expect(await told.ended).toBe(0);
      const words = told.terminal.stderr.text();
      expect(words).toContain('The conversation "mine" cannot continue: ');
      expect(words).toMatch(why);
      expect(words).toContain(`\n  Next: ${next}\n`);
      if (command === 'sessions') expect(told.terminal.stdout.text()).toContain('  damaged');
    }
    const found = await doctor(one.folder);
    expect(found).toMatch(/^warn conversations +The conversation "mine" cannot continue: /m);
    expect(found).toContain(next);
    const [listed] = await listSessions({ workspace: one.folder });
    expect(listed).toMatchObject({
      name: 'mine',
      status: 'damaged',
      problem: expect.stringMatching(why),
    });
    expect(one.all()).toEqual(before);
    // What it says to do is right.
    const exported = one.say('export', one.id);
    expect(await exported.ended).toBe(8);
    writeFileSync(join(one.folder, 'saved.jsonl'), exported.terminal.stdout.text());
    const another = one.say('--exec', 'Three', '--load', 'saved.jsonl');
    expect(await another.ended).toBe(0);
    expect(Number(another.terminal.stdout.text())).toBeGreaterThan(2);
  });

  test.each<[string, (held: Held) => void, RegExp]>([
    ['is empty', ({ journal }) => writeFileSync(journal, ''), /it is empty/],
    ['has lost its journal', ({ journal }) => rmSync(journal), /its journal .* is missing/],
  ])('%s has nothing that an export could save', async (_what, damage, why) => {
    const one = await held();
    damage(one);
    const before = one.all();
    for (const argv of [['sessions'], ['repair'], ['--exec', 'Three', '--session', one.id]]) {
      const told = one.say(...argv);
      expect(await told.ended).toBe(argv.length === 1 ? 0 : 8);
      const words = told.terminal.stderr.text();
      expect(words).toMatch(why);
      expect(words).toContain('Put its history.jsonl back from a backup');
      expect(words).not.toMatch(/agent export|agent repair/);
    }
    expect(await one.say('export', one.id).ended).toBe(8);
    expect(await doctor(one.folder)).toMatch(/^warn conversations .*Put its history\.jsonl back/m);
    expect(one.all().map(([file]) => file)).toEqual(before.map(([file]) => file));
  });

  test('is longer than any of ours is refused at once, and others go on beside it', async () => {
    const { folder, say, journal } = await held();
    truncateSync(journal, 2 ** 31 + 1);
    const why = /2,147,483,649 bytes/;
    const listed = say('sessions');
    expect(await listed.ended).toBe(0);
    expect(listed.terminal.stdout.text()).toContain('  damaged');
    expect(listed.terminal.stderr.text()).toMatch(why);
    const refused = say('--exec', 'Three', '--session', 'mine');
    expect(await refused.ended).toBe(8);
    expect(refused.terminal.stderr.text()).toMatch(why);
    expect(refused.terminal.stderr.text()).not.toContain('agent repair');
    expect(await doctor(folder)).toMatch(/^warn conversations .*2,147,483,649 bytes/m);
    expect(await say('--exec', 'Three', '--session', 'another').ended).toBe(0);
  });

  test('has lost its journal keeps its name: no other one begins in its place', async () => {
    const { journal, say } = await held();
    rmSync(journal);
    const refused = say('--exec', 'Three', '--session', 'mine');
    expect(await refused.ended).toBe(8);
    expect(refused.terminal.stderr.text()).toContain('There was a conversation here');
  });

  test('a kill left with half a record is well', async () => {
    const one = await held();
    rmSync(one.at('state.json'));
    cut(one);
    const listed = one.say('sessions');
    expect(await listed.ended).toBe(0);
    expect(listed.terminal.stdout.text()).toContain(' ago ');
    expect(await one.say('--exec', 'Three', '--session', 'mine').ended).toBe(0);
  });
});

test('agent repair with the name of a conversation says what it is for', async () => {
  const terminal = fakeTerminal({});
  const code = await main(['repair', 'mine'], terminal, () => Promise.resolve(fakeEngine()));
  expect(code).toBe(2);
  expect(terminal.stderr.text()).toContain('agent export NAME');
});

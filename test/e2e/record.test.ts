import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { agentLab, journalOf, recordsIn, resultOf, stateFile } from '../support/e2e-agent.ts';
import { HELLO_NODE as WORK } from '../support/e2e-goals.ts';
import { expectUntold, KEY, reach, SECOND_KEY } from '../support/e2e-hosted.ts';
import { MODEL, serve, worker } from '../support/e2e-model.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';
import { ANTHROPIC } from '../support/hosted-anthropic.ts';
import { workingModel } from '../support/models.ts';

const lab = agentLab();
let server: FakeOllama;
afterEach(() => server?.close());

const TAPE = 'turns.json';
const at = (mode: string) => ['--host', server.url, '--model', MODEL, '--tool-mode', mode];
const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');

/** Plays a recording in a folder of its own, with nothing to reach. */
async function play(recorded: string, mode: string, tape: string) {
  const folder = lab.folder({ [TAPE]: read(recorded, tape) });
  const model = ['--model', `recorded:${TAPE}`, '--tool-mode', mode];
  return { folder, ...(await lab.here([WORK.goal, ...model, '--json'], { in: folder })) };
}

test('a run that went on with a second key plays back without a key and without its server', async () => {
  const api = await ANTHROPIC.serve(workingModel(WORK), {
    trouble: (n, key) => (n > 1 && key === KEY ? 'expired key' : null),
  });
  const keys = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_API_KEY_2: SECOND_KEY };
  const { words, env } = reach(ANTHROPIC, api, 'environment', keys);
  const folder = lab.folder();
  const args = [WORK.goal, ...words, '--record', TAPE, '--json'];
  const first = await lab.here(args, { in: folder, env });
  await api.close();
  expect(first.exitCode).toBe(0);
  expect(read(folder, TAPE)).toContain('"by":"anthropic ANTHROPIC_API_KEY_2"');
  expectUntold(folder, first, KEY, SECOND_KEY);
  expect(read(folder, TAPE)).not.toMatch(new RegExp(`${KEY}|${SECOND_KEY}`));
  const played = await play(folder, 'native', TAPE);
  expect(played.stderr).toContain('ANTHROPIC_API_KEY_2');
  expect(played.exitCode).toBe(0);
  const types = (where: string) => journalOf(where).map((one) => one.type);
  expect(types(played.folder)).toEqual(types(folder));
  const windows = (where: string) => recordsIn(where, 'settings_changed').map((one) => one.numCtx);
  expect(windows(played.folder)).toEqual(windows(folder));
  expect(read(played.folder, 'hello.mjs')).toBe(read(folder, 'hello.mjs'));
  const { usage, files, turns } = resultOf(first);
  expect(resultOf(played)).toMatchObject({ usage, files, turns });
  expect(files).toEqual(['hello.mjs']);
});

test('a recording that has no place is refused before the first request, with the reason', async () => {
  server = await serve(worker(WORK));
  const folder = lab.folder();
  const args = [WORK.goal, ...at('json'), '--record', join('nowhere', TAPE)];
  const { exitCode, stderr } = await lab.here(args, { in: folder });
  expect([exitCode, server.chats.length]).toEqual([2, 0]);
  expect(stderr).toMatch(/The recording has no place: the folder .*nowhere does not exist/);
  expect(stderr).toContain('--record');
});

test('a file that is not a recording is refused before the first request', async () => {
  server = await serve(worker(WORK));
  const folder = lab.folder();
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const args = [WORK.goal, ...at('json'), '--record', 'notes.txt'];
  const { exitCode, stderr } = await lab.here(args, { in: folder });
  expect([exitCode, server.chats.length]).toEqual([2, 0]);
  expect(stderr).toContain('is not a recording');
  expect(read(folder, 'notes.txt')).toBe('mine');
  expect(existsSync(stateFile(folder, 'history.jsonl'))).toBe(false);
});

import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readFileIfPresent, replaceFile } from '../../../src/lib/files/durable-files.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { createMemoryFileSystem } from '../../../src/lib/files/memory-file-system.ts';
import type { Provider } from '../../../src/llm/provider.ts';
import {
  recordedCandidates,
  recordedProvider,
} from '../../../src/llm/recorded/recorded-provider.ts';
import { parseRecording, type RecordedTurn } from '../../../src/llm/recorded/recording.ts';
import { openRecordingFile } from '../../../src/llm/recorded/recording-file.ts';
import { recordingProvider } from '../../../src/llm/recorded/recording-provider.ts';
import type { TurnStatus } from '../../../src/schema/model/turn.ts';
import { dice } from '../../support/dice.ts';
import { diligentModel, type PlannedWork, wantedBy } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { SCRIPTED_MODEL, type Script, scriptedProvider } from '../../support/scripted-provider.ts';
import { someKills } from '../../support/some-kills.ts';
import { testWorld } from '../../support/test-machine.ts';

const FILE = '/tapes/turns.json';
const KEY = 'sk-test-0123456789abcdefghij';

const work = (content = 'console.log("hello");\n'): PlannedWork => ({
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': [content] },
});

let fs: FileSystem;
let warnings: string[];
beforeEach(() => {
  fs = createMemoryFileSystem({ platform: 'linux' });
  fs.mkdir('/tapes');
  warnings = [];
});

const open = (path = FILE, secrets: readonly string[] = []) =>
  openRecordingFile(path, { fs, secrets, warn: (text) => warnings.push(text) });
const read = (path = FILE) => readFileIfPresent(fs, path)?.toString('utf8') ?? '';
const recording = () => parseRecording(read(), FILE);
const put = (text: string, path = FILE) => replaceFile(fs, path, Buffer.from(text));

/** One run of a model that works well, recorded; `onTurn` sees the file after each turn. */
async function record(
  world = testWorld(),
  options: Parameters<typeof runIn>[2] = {},
  plan = work(),
) {
  const tape = open();
  const provider = scriptedProvider(diligentModel(plan));
  const told = await runIn(world, tape.wrap(provider), {
    ...options,
    emit: (event) => {
      if (event.type === 'record') tape.belongsTo(event.state.run, event.state.counters.turns);
      options.emit?.(event);
    },
  });
  return { ...told, provider };
}

/** The turns as they were answered, whatever became of their recording. */
async function recordOnce() {
  const whole: RecordedTurn[] = [];
  const tape = open();
  const inner = scriptedProvider(diligentModel(work()));
  const provider = recordingProvider(
    tape.wrap(inner),
    (turn) => whole.push(turn),
    () => 'shape',
  );
  return { ...(await runIn(testWorld(), provider)), whole };
}

describe('a run that is recorded', () => {
  it('is played back with the same records, files and ending', async () => {
    const world = testWorld();
    const { result, records } = await record(world);
    expect(result.ending).toBe('achieved');
    const other = testWorld();
    const played = await runIn(other, recordedProvider(recording()));
    expect(played.result.ending).toBe('achieved');
    expect(other.read('hello.mjs')).toBe(world.read('hello.mjs'));
    expect(played.records.map((one) => one.type)).toEqual(records.map((one) => one.type));
    expect(played.result.state.usage.total).toEqual(result.state.usage.total);
  });

  it('has a valid recording of all turns so far after every one of them', async () => {
    const counts: number[] = [];
    await record(testWorld(), {
      emit: (event) => {
        if (event.type === 'record' && event.record.type === 'turn_finished')
          counts.push(recording().turns.length);
      },
    });
    expect(counts).toEqual(counts.map((_, index) => index + 1));
    expect(counts.length).toBeGreaterThan(1);
  });

  it('appends to its own recording when it goes on', async () => {
    const world = testWorld();
    const stop = new AbortController();
    await record(world, {
      signal: stop.signal,
      onRecord: (one) => {
        if (one.type === 'turn_finished') stop.abort();
      },
    });
    expect(recording().turns).toHaveLength(1);
    const { result } = await record(world);
    expect(result.ending).toBe('achieved');
    expect(warnings).toEqual([]);
    const played = await runIn(testWorld(), recordedProvider(recording()));
    expect(played.result.ending).toBe('achieved');
  });

  it('replaces the recording of another run, and says so where it begins in the middle', async () => {
    await record();
    const first = recording();
    await record(testWorld(), { goal: 'Write it again: node hello.mjs prints "hello"' });
    expect(recording().run).not.toBe(first.run);
    expect(recording().turns).toHaveLength(first.turns.length);
    expect(warnings).toEqual([]);
    const world = testWorld();
    const stop = new AbortController();
    await runIn(world, scriptedProvider(diligentModel(work())), {
      signal: stop.signal,
      onRecord: (one) => {
        if (one.type === 'turn_finished') stop.abort();
      },
    });
    await record(world);
    expect(warnings.join()).toContain('begins in the middle');
  });

  it('keeps secrets out, and plays all the same', async () => {
    const plan = work(`console.log("hello"); // ${KEY} and correct-horse-battery-9\n`);
    const tape = open(FILE, ['correct-horse-battery-9']);
    await runIn(testWorld(), tape.wrap(scriptedProvider(diligentModel(plan))));
    expect(read()).not.toContain(KEY);
    expect(read()).not.toContain('correct-horse');
    expect(read()).toContain('[secret removed]');
    const played = await runIn(testWorld(), recordedProvider(recording()));
    expect(played.result.ending).toBe('achieved');
  });

  it('keeps out a key that its provider learns only when it is asked', async () => {
    const scripted = scriptedProvider(
      diligentModel(work('console.log("hello"); // printed-key-of-mine\n')),
    );
    await runIn(testWorld(), open().wrap({ ...scripted, keys: () => ['printed-key-of-mine'] }));
    expect(recording().turns.length).toBeGreaterThan(1);
    expect(read()).not.toContain('printed-key-of-mine');
    const played = await runIn(testWorld(), recordedProvider(recording()));
    expect(played.result.ending).toBe('achieved');
  });

  it('still knows of its provider what the run must know', async () => {
    const inner: Provider = {
      ...scriptedProvider(() => ''),
      ...{ keys: () => ['a key'], ignores: () => ['seed'], isFree: () => true },
      ...{ infos: async () => [], loadedWindow: async () => 4096 },
    };
    const provider = open().wrap(inner);
    expect([provider.keys?.(), provider.ignores?.('m'), provider.isFree?.('m')]).toEqual([
      ...[['a key'], ['seed'], true],
    ]);
    expect(await provider.infos?.(AbortSignal.any([]))).toEqual([]);
    expect(await provider.loadedWindow?.('m', AbortSignal.any([]))).toBe(4096);
    expect(open().wrap(scriptedProvider(() => ''))).not.toHaveProperty('isFree');
  });

  it.each<[string, (write: FileSystem['write']) => FileSystem['write']]>([
    ['no byte of a turn fits', () => () => 0],
    ['half a turn fits', (write) => (fd, bytes, at) => write(fd, bytes.subarray(0, 9), at) && 0],
  ])('goes on when the disk is full: %s, which is said once', async (_what, full) => {
    const write = fs.write.bind(fs);
    fs.write = (fd, bytes, at) => (at === 0 ? write : full(write))(fd, bytes, at);
    const { result, whole } = await recordOnce();
    expect(result.ending).toBe('achieved');
    expect(recording().turns).toEqual(whole.slice(0, 1));
    expect(read().endsWith('}\n')).toBe(true);
    expect(warnings).toEqual([expect.stringContaining('The recording ends here, the run goes on')]);
    expect(fs.readdir('/tapes')).toEqual(['turns.json']);
  });

  it('goes on when somebody else writes into the recording, and leaves that alone', async () => {
    let text = '';
    const { result } = await record(testWorld(), {
      onRecord: (one) => {
        if (one.type !== 'plan_set') return;
        text = `${read()}mine\n`;
        put(text);
      },
    });
    expect(result.ending).toBe('achieved');
    expect(read()).toBe(text);
    expect(warnings).toEqual([expect.stringContaining('was changed by somebody else')]);
  });

  it('is whole wherever its file was torn off behind the first turn', async () => {
    await record();
    const [text, { turns }] = [read(), recording()];
    const first = text.indexOf('\n', text.indexOf('\n') + 1) + 1;
    for (let end = first; end < text.length; end += dice(59, 7)) {
      const torn = parseRecording(text.slice(0, end), FILE);
      expect(torn.turns).toEqual(turns.slice(0, torn.turns.length));
    }
    expect(() => parseRecording(text.replace('"keep"', '"kept"'), FILE)).toThrow('line 2');
  });

  it('holds of a model what a run that plays it needs, however much more was told', async () => {
    const provider = scriptedProvider(diligentModel(work()));
    const describe = async (model: string) => ({
      ...(await provider.describe(model, AbortSignal.any([]))),
      price: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
      isHosted: true,
    });
    await runIn(testWorld(), open().wrap({ ...provider, describe }));
    expect(Object.keys(recording().info)).toEqual(['digest', 'contextWindow', 'capabilities']);
    expect(() => parseRecording('{"format":2}\n{}\n', FILE)).toThrow('line 1');
  });

  it('grows by its turns: nothing that was written is written again', async () => {
    let written = 0;
    const write = fs.write.bind(fs);
    fs.write = (fd, bytes, at) => {
      written += bytes.length;
      return write(fd, bytes, at);
    };
    await record();
    expect(written).toBe(read().length);
  });

  it('goes on in the form of before as it does in its own', async () => {
    const world = testWorld();
    const stop = new AbortController();
    await record(world, {
      signal: stop.signal,
      onRecord: (one) => one.type === 'plan_set' && stop.abort(),
    });
    put(JSON.stringify(recording(), null, 2));
    const { result } = await record(world);
    expect(result.ending).toBe('achieved');
    expect(read().split('\n')).toHaveLength(recording().turns.length + 2);
    const played = await runIn(testWorld(), recordedProvider(recording()));
    expect(played.result.ending).toBe('achieved');
  });
});

/** Failures of the first way, and what a run that plays the recording makes of them. */
describe('a run that left one model for another', () => {
  const LIMITED: TurnStatus = { kind: 'rate_limited', retryAfterMs: 3_000_000 };
  const ROWS: readonly (readonly [string, TurnStatus])[] = [
    ['is rate-limited for long', LIMITED],
    ['is gone', { kind: 'network_error', retryable: true }],
    ['has an expired key', { kind: 'auth_failed' }],
  ];

  const play = async (canCallTools: boolean, fails: TurnStatus) => {
    const tape = open();
    const model = diligentModel(work());
    const broken = scriptedProvider((request, n) => (n > 1 ? { fails } : model(request, n)));
    const spare = { ...scriptedProvider(model, { canCallTools }), name: 'spare' };
    const fallback = { provider: tape.wrap(spare), model: SCRIPTED_MODEL, profile: 'default' };
    const original = await runIn(testWorld(), tape.wrap(broken), { fallbacks: [fallback] });
    const [first, ...fallbacks] = recordedCandidates(recording());
    const played = await runIn(testWorld(), first.provider, { ...first, fallbacks });
    return { original, played };
  };

  it.each(someKills(ROWS, 3))('is played back where the first one %s', async (_what, fails) => {
    const { original, played } = await play(true, fails);
    expect(original.result.ending).toBe('achieved');
    expect(played.records.map((one) => one.type)).toEqual(original.records.map((one) => one.type));
    expect(played.result.state.usage.total).toEqual(original.result.state.usage.total);
    expect(recording().others).toMatchObject([{ by: 'spare' }]);
  });

  it.each(someKills(ROWS, 3, 1))(
    'and its mode is too, where the first one %s',
    async (_what, fails) => {
      const { original, played } = await play(false, fails);
      expect(original.result.ending).toBe('achieved');
      expect(original.result.state.settings?.driver).toBe('guided');
      expect(played.result.state.settings?.driver).toBe('guided');
      expect(played.records.map((one) => one.type)).toEqual(
        original.records.map((one) => one.type),
      );
    },
  );
});

it('a run that moved to json mode by its failures is played back with the move', async () => {
  const model = diligentModel(work());
  let failures = 0;
  const clumsy: Script = (request, n) =>
    wantedBy(request) === 'tools' && ++failures <= 2
      ? { fails: { kind: 'invalid_response' } }
      : model(request, n);
  const original = await runIn(testWorld(), open().wrap(scriptedProvider(clumsy)));
  expect(original.result.state.settings?.driver).toBe('guided');
  const played = await runIn(testWorld(), recordedProvider(recording()));
  expect(played.result.ending).toBe('achieved');
  expect(played.records.map((one) => one.type)).toEqual(original.records.map((one) => one.type));
});

describe('a place for a recording', () => {
  it.each([
    ['a text', 'my notes'],
    ['other JSON', '{"name":"x"}'],
  ])('that holds %s is refused and left as it is', (_what, text) => {
    put(text);
    expect(() => open()).toThrow('is there and is not a recording');
    expect(read()).toBe(text);
  });

  it('in a folder that does not exist, or that is one, is refused', () => {
    expect(() => open('/nowhere/turns.json')).toThrow('the folder /nowhere does not exist');
    expect(() => open('/tapes')).toThrow('/tapes is a folder');
  });

  it.runIf(process.platform !== 'win32')('is tried out without following a link', () => {
    const folder = mkdtempSync(join(tmpdir(), 'recording-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [mine, place] = [join(folder, 'mine'), join(folder, 'turns.json')];
    writeFileSync(mine, 'my notes');
    symlinkSync(mine, `${place}.agent.tmp`);
    openRecordingFile(place, { fs: nodeFileSystem, secrets: [], warn: () => {} });
    expect(readFileSync(mine, 'utf8')).toBe('my notes');
  });

  it('is not touched before the first turn, and an empty file is as good as none', () => {
    open();
    expect(fs.readdir('/tapes')).toEqual([]);
    put('');
    expect(() => open()).not.toThrow();
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { readFileIfPresent, replaceFile } from '../../../src/lib/durable-files.ts';
import type { FileSystem } from '../../../src/lib/file-system.ts';
import { createMemoryFileSystem } from '../../../src/lib/memory-file-system.ts';
import { recordedProvider } from '../../../src/llm/recorded/recorded-provider.ts';
import { parseRecording } from '../../../src/llm/recorded/recording.ts';
import { openRecordingFile } from '../../../src/llm/recorded/recording-file.ts';
import { diligentModel, type PlannedWork } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
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
    expect(counts.length).toBeGreaterThan(2);
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
    await record(testWorld(), { goal: 'say hello again' });
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
    expect(read()).toContain('[secret]');
    const played = await runIn(testWorld(), recordedProvider(recording()));
    expect(played.result.ending).toBe('achieved');
  });

  it('goes on when the recording cannot be kept up, and says it once', async () => {
    const rename: FileSystem['rename'] = fs.rename.bind(fs);
    fs.rename = (from, to) => {
      if (read() !== '') throw Object.assign(new Error('ENOSPC: full'), { code: 'ENOSPC' });
      rename(from, to);
    };
    const tape = openRecordingFile(FILE, {
      fs,
      secrets: [],
      warn: (text) => warnings.push(text),
    });
    const { result } = await runIn(testWorld(), tape.wrap(scriptedProvider(diligentModel(work()))));
    expect(result.ending).toBe('achieved');
    expect(recording().turns).toHaveLength(1);
    expect(warnings).toHaveLength(1);
    expect(fs.readdir('/tapes')).toEqual(['turns.json']);
  });
});

describe('a place for a recording', () => {
  it.each([
    ['a text', 'my notes'],
    ['other JSON', '{"name":"x"}'],
  ])('that holds %s is refused and left as it is', (_what, text) => {
    put(text);
    expect(() => open()).toThrow('is there and is no recording');
    expect(read()).toBe(text);
  });

  it('in a folder that does not exist, or that is one, is refused', () => {
    expect(() => open('/nowhere/turns.json')).toThrow('the folder /nowhere does not exist');
    expect(() => open('/tapes')).toThrow('/tapes is a folder');
  });

  it('is not touched before the first turn, and an empty file is as good as none', () => {
    open();
    expect(fs.readdir('/tapes')).toEqual([]);
    put('');
    expect(() => open()).not.toThrow();
  });
});

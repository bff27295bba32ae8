import { describe, expect, it } from 'vitest';
import { readFileIfPresent, replaceFile } from '../../../src/lib/files/durable-files.ts';
import { parseRecording, type RecordedTurn } from '../../../src/llm/recorded/recording.ts';
import { type Tape, tapeAt } from '../../../src/llm/recorded/tape.ts';
import { NO_USAGE } from '../../../src/schema/model/turn.ts';
import { LOST_BYTES } from '../../support/simulated-disk.ts';
import { type Fault, SimulatedFileSystem } from '../../support/simulated-file-system.ts';

const FILE = '/turns.json';

const HEAD = {
  format: 1,
  provider: 'recorded',
  model: 'm',
  info: {
    digest: null,
    contextWindow: 4096,
    capabilities: { tools: true, schema: true, thinking: false },
  },
  turns: [],
} as const;

const turn = (n: number): RecordedTurn => ({
  match: 'shape',
  request: {
    keep: 0,
    messages: [{ role: 'user', content: `question ${n}` }],
    tools: null,
    schema: null,
    temperature: 0.2,
    seed: n,
  },
  reply: { content: 'é'.repeat(20), reason: 'stop', rawReason: 'stop', usage: NO_USAGE },
});

const TURNS = [1, 2, 3].map(turn);
/** Stands there when the first turn comes. */
const OLD = `${JSON.stringify({ ...HEAD, turns: [turn(9)] })}\n`;

interface Written {
  readonly fs: SimulatedFileSystem;
  /** Turns that were told to be in the file. */
  readonly kept: number;
  readonly warnings: readonly string[];
}

/** Three turns on a disk with this fault. */
function write(fault?: Fault): Written {
  const disk = new SimulatedFileSystem();
  replaceFile(disk, FILE, Buffer.from(OLD));
  const fs = disk.afterKill(fault);
  const warnings: string[] = [];
  const tape: Tape = tapeAt(fs, FILE, (text) => warnings.push(text));
  tape.begin({ ...HEAD, turns: [] });
  let kept = 0;
  for (const one of TURNS) {
    tape.add(one);
    if (warnings.length === 0) kept += 1;
  }
  return { fs, kept, warnings };
}

const turnsIn = (fs: SimulatedFileSystem): readonly RecordedTurn[] =>
  parseRecording(readFileIfPresent(fs, FILE)?.toString('utf8') ?? '', FILE).turns;

/** A recording as it may be: what stood there before, or all that was kept and no half of a turn. */
function expectWhole(turns: readonly RecordedTurn[], kept: number): void {
  const isOld = turns[0]?.request.seed === 9;
  if (isOld) expect([turns.length, kept]).toEqual([1, 0]);
  else expect(turns).toEqual(TURNS.slice(0, Math.max(kept, turns.length)));
}

const OPERATIONS = write().fs.operations.length;

describe('a recording is whole', () => {
  it('when nothing goes wrong', () => {
    const { fs, kept, warnings } = write();
    expect([kept, warnings]).toEqual([3, []]);
    expect(turnsIn(fs)).toEqual(TURNS);
    expect(OPERATIONS).toBeGreaterThan(12);
  });

  it('wherever the process is killed, and whatever a power loss then takes', () => {
    for (let at = 0; at < OPERATIONS; at += 1) {
      for (const fault of [
        { kind: 'kill', at },
        { kind: 'kill_in_write', at, bytes: 40 },
      ] as const) {
        const { fs, kept } = write(fault);
        expectWhole(turnsIn(fs.afterKill()), kept);
        for (const bytes of LOST_BYTES)
          expectWhole(turnsIn(fs.afterPowerLoss({ bytes, names: 'half' })), kept);
      }
    }
  });

  it.each(['full', 'full_once', 'io_error'] as const)(
    'wherever the disk fails (%s): it ends there, which is said once',
    (kind) => {
      for (let at = 0; at < OPERATIONS; at += 1) {
        const { fs, kept, warnings } = write({ kind, at });
        expectWhole(turnsIn(fs), kept);
        expect(warnings.length, `operation ${at}`).toBe(kept === 3 ? 0 : 1);
      }
    },
  );
});

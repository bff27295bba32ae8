import { describe, expect, test } from 'vitest';
import { createTrace } from '../../src/context-manager/trace.ts';
import { readFileIfPresent } from '../../src/lib/files/durable-files.ts';
import { fileSystemError } from '../../src/lib/files/memory-file-system.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import type { LoopWindow } from '../../src/schema/state-parts/run-facts.ts';
import { journalMachine, LAYOUT } from '../support/journal-machine.ts';

const NO_LOOP: { loop: LoopWindow } = { loop: { entries: [], blocked: {}, lifted: [] } };

const intended = (id: string, kind: 'write' | 'command', path: string): JournalRecord => ({
  type: 'action_intended',
  id,
  class: kind,
  tool: kind === 'write' ? 'write_file' : 'run_cmd',
  args: kind === 'write' ? { path } : { cmd: 'python3 a.py' },
  signature: 's',
  files: kind === 'write' ? [{ path, before: null, after: 'a' }] : [],
});

const finished = (
  id: string,
  status: 'ok' | 'error' | 'blocked',
  result: string,
): JournalRecord => ({
  type: 'action_finished',
  id,
  tool: 'tool',
  touches: 'nothing',
  target: '',
  signature: 's',
  callId: 'c',
  status,
  result,
  resultHash: 'h',
  facts: { exitCode: 0 },
  hashes: {},
});

function traced(records: readonly JournalRecord[], loop = NO_LOOP) {
  const machine = journalMachine();
  const trace = createTrace(machine);
  let seq = 0;
  const call = { id: 'c', name: 'tool', args: { path: 'b.py' } };
  for (const record of records)
    trace.record({ ...record, seq: ++seq, ts: 0, offset: 0 }, loop, call);
  const text = (path: string) => readFileIfPresent(machine.fs, path)?.toString() ?? '';
  return { machine, trace, text };
}

describe('what a person can follow', () => {
  test('the ledger names files written, commands run, errors and what was only tried', () => {
    const { text } = traced([
      intended('1', 'write', 'a.py'),
      finished('1', 'ok', 'Wrote 5 chars'),
      intended('2', 'command', ''),
      finished('2', 'ok', 'hello'),
      intended('3', 'command', ''),
      finished('3', 'error', 'Traceback\nmore'),
      finished('4', 'blocked', 'again?'),
    ]);
    const lines = text(LAYOUT.ledger).trim().split('\n');
    expect(lines.map((line) => line.slice('1970-01-01T00:00:00.000Z '.length))).toEqual([
      'WRITE a.py',
      'CMD python3 a.py exit 0',
      'ERROR tool {"cmd":"python3 a.py"} error: Traceback more',
      'TRIED tool {"path":"b.py"} blocked',
    ]);
    expect(text(LAYOUT.log)).toMatch(/Z TOOL 1 tool ok: Wrote 5 chars\n/);
    expect(text(LAYOUT.log)).toMatch(/Z ERROR tool error: Traceback more\n/);
  });

  test('loops.json says in words what is blocked, by which rule, and what was lifted', () => {
    const call = { tool: 'run_cmd', target: 'node a.mjs', args: '{"cmd":"node a.mjs"}' };
    const block = { ...call, rule: 'repeated', at: 0, round: 3 } as const;
    const loop = { entries: [], blocked: { sig: block }, lifted: [{ ...block, rule: 'spam' }] };
    const { text } = traced([{ type: 'note', kind: 'n', data: {} }], { loop } as typeof NO_LOOP);
    const shown = { tool: call.tool, args: call.args, round: 3, time: '1970-01-01T00:00:00.000Z' };
    expect(JSON.parse(text(LAYOUT.loops))).toEqual({
      blocked: [{ ...shown, rule: 'repeated' }],
      lifted: [{ ...shown, rule: 'spam' }],
      recent: [],
    });
  });

  test('an internal error leaves its stack', () => {
    const { trace, text } = traced([]);
    trace.internalError(0, new Error('inside out'));
    expect(text(LAYOUT.log)).toMatch(/ERROR Error: inside out\n +at /);
  });

  test('a file is opened once, anew where it could not be written to, and closed at the end', () => {
    const { machine, trace, text } = traced([]);
    const { fs } = machine;
    const [write, close] = [fs.write.bind(fs), fs.close.bind(fs)];
    const open = new Set<number>();
    let isFull = false;
    fs.open = ((real) => (path, flags, mode) => {
      const fd = real(path, flags, mode);
      open.add(fd);
      return fd;
    })(fs.open.bind(fs));
    fs.close = (fd) => {
      open.delete(fd);
      close(fd);
    };
    fs.write = (fd, bytes, at) => {
      if (isFull) throw fileSystemError('ENOSPC', 'write', fd);
      return write(fd, bytes, at);
    };
    for (const said of ['one', 'two']) trace.internalError(0, said);
    expect(open.size).toBe(1);
    isFull = true;
    trace.internalError(0, 'three');
    expect(open.size).toBe(0);
    isFull = false;
    trace.internalError(0, 'four');
    expect(text(LAYOUT.log).match(/one|two|three|four/g)).toEqual(['one', 'two', 'four']);
    expect(open.size).toBe(1);
    trace.close();
    expect(open.size).toBe(0);
  });

  test('nothing that goes wrong with it reaches the run', () => {
    const { machine, trace } = traced([]);
    machine.fs.open = (path) => {
      throw fileSystemError('EACCES', 'open', path);
    };
    expect(() => trace.internalError(0, 'x')).not.toThrow();
  });
});

import { ContextManager } from '../../src/context-manager/context-manager.ts';
import type { Barrier } from '../../src/context-manager/context-ports.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { openUnderLock } from '../../src/run/open.ts';
import {
  altered,
  blessJournal,
  blessSnapshot,
  readingThrough,
} from '../support/altered-file-system.ts';
import type { SimulatedFileSystem } from '../support/simulated-file-system.ts';
import type { PlantedEngineBug } from './engine.ts';
import { type EngineBug, WORKSPACE } from './engine-world.ts';

const isState = (path: string): boolean => path.includes('/.agent_context');

/** Records of a type reach the disk together with the one behind them, though they are called durable. */
const late =
  (type: string) =>
  (fs: SimulatedFileSystem): FileSystem =>
    altered(fs, (real, pathOf) => {
      let held: { readonly bytes: Uint8Array; readonly position: number } | null = null;
      const isJournal = (fd: number) => pathOf(fd).endsWith('history.jsonl');
      return {
        write: (fd, buffer, position) => {
          if (!isJournal(fd)) return real.write(fd, buffer, position);
          if (held !== null) real.write(fd, held.bytes, held.position);
          held = null;
          if (!Buffer.from(buffer).includes(`"type":"${type}"`))
            return real.write(fd, buffer, position);
          held = { bytes: buffer.slice(), position };
          return buffer.length;
        },
        size: (fd) => real.size(fd) + (isJournal(fd) ? (held?.bytes.length ?? 0) : 0),
        read: (fd, buffer, position) => {
          const count = real.read(fd, buffer, position);
          if (held === null || !isJournal(fd) || position + buffer.length <= held.position)
            return count;
          const from = Math.max(0, position + count - held.position);
          const rest = held.bytes.subarray(from, from + buffer.length - count);
          buffer.set(rest, count);
          return count + rest.length;
        },
      };
    });

/** A settling that carries out what it cannot know. */
const rerunUnknown: EngineBug = {
  before: async (machine) => {
    const request = { workspace: WORKSPACE, goal: null, again: false, forceUnlock: false };
    try {
      const opened = openUnderLock({ ...request, emit: () => {}, machine });
      const { run } = machine.processes(WORKSPACE, []);
      for (const { id, class: kind, offset } of Object.values(opened.context.state.intents)) {
        const { args } = opened.context.read(offset, 'action_intended');
        const [file = '', ...rest] = String(args.cmd).split(' ');
        const hooks = {
          signal: new AbortController().signal,
          onOutput: () => {},
          onSpawn: () => {},
        };
        const limits = { cwd: WORKSPACE, env: {}, timeoutMs: 1, maxOutputBytes: 1 };
        if (kind === 'command' && id !== '') await run({ file, args: rest, ...limits }, hooks);
      }
      opened.close();
    } catch {
      // There is no run yet, or it meets its fault here: the engine itself will say so.
    }
  },
};

const survivorsLeft: EngineBug = {
  machine: (machine) => ({
    ...machine,
    processes: (...asked) => ({ ...machine.processes(...asked), endLeftover: async () => 'none' }),
  }),
};

const noSync = (isSkipped: (path: string) => boolean): EngineBug => ({
  fs: (fs) =>
    altered(fs, (real, pathOf) => ({
      fsync: (fd) => {
        if (!isSkipped(pathOf(fd))) real.fsync(fd);
      },
    })),
});

/** An engine that forgets one kind of barrier; what was not told at it is told at the next one. */
const without = (forgotten: Barrier): EngineBug => ({
  plant: () => {
    const { sync } = ContextManager.prototype;
    ContextManager.prototype.sync = function (before) {
      if (before !== forgotten) sync.call(this, before);
    };
    return () => {
      ContextManager.prototype.sync = sync;
    };
  },
});

const isFolder = (path: string): boolean =>
  /\/(\.agent_context|app|work|blobs|lock|runs|quarantine)$/.test(path);

/** Bytes of one write, where a file is written as it comes. */
const PIECE = 512;

const inPlace: EngineBug = {
  fs: (fs) =>
    altered(fs, (real) => ({
      rename: (from, to) => {
        if (isState(to)) return real.rename(from, to);
        const source = real.open(from, 'r');
        const bytes = Buffer.alloc(real.size(source));
        real.read(source, bytes, 0);
        real.close(source);
        const target = real.open(to, 'w');
        for (let at = 0; at < bytes.length; at += PIECE)
          real.write(target, bytes.subarray(at, at + PIECE), at);
        real.fsync(target);
        real.close(target);
        real.unlink(from);
      },
    })),
};

const KILL = 'kill before an operation';
const POWER_LOSS = 'power loss before an operation';
const LOST = /is lost|is another one now/;

/** Bugs an engine could have, each of which must be caught, and for what it is. */
export const ENGINE_BUGS: { readonly [what: string]: PlantedEngineBug } = {
  'no fdatasync after a record': {
    bug: { fs: (fs) => altered(fs, () => ({ fdatasync: () => {} })) },
    shownBy: POWER_LOSS,
    as: /before its records were durable/,
  },
  'no fsync of the folders of the workspace': {
    bug: noSync((path) => isFolder(path) && !isState(path)),
    shownBy: POWER_LOSS,
    as: /not what its outcome says|not durable/,
  },
  'no fsync of the state folder': {
    bug: noSync((path) => isFolder(path) && isState(path)),
    from: 32,
    shownBy: POWER_LOSS,
    as: /is lost|is another one now|E_JOURNAL/,
  },
  'an outcome before its file is durable': {
    bug: noSync((path) => !isState(path) && path.endsWith('.tmp')),
    shownBy: POWER_LOSS,
    as: /not what its outcome says|not durable/,
  },
  'an intent that is written after its effect': {
    bug: { fs: late('action_intended') },
    from: 5,
    shownBy: KILL,
    as: /ran \d times where|is lost|is another one now/,
  },
  'calls that run before their turn is durable': {
    bug: { fs: late('turn_finished') },
    from: 1,
    shownBy: KILL,
    as: /finished model call|is lost|is another one now/,
  },
  'an outcome that is not durable before the model hears it': {
    bug: { fs: late('action_finished') },
    from: 1,
    shownBy: KILL,
    as: LOST,
  },
  'a command of unknown outcome run again': {
    bug: rerunUnknown,
    from: 1,
    shownBy: KILL,
    as: /ran \d times/,
  },
  'a program that begins before its start is written': {
    bug: { beginsAtOnce: true },
    from: 11,
    shownBy: KILL,
    as: /ran \d times where/,
  },
  'a program of a killed run left alone': {
    bug: survivorsLeft,
    from: 11,
    shownBy: KILL,
    as: /still runs/,
  },
  'files written in place': {
    bug: inPlace,
    from: 46,
    shownBy: KILL,
    as: /not what its outcome says|false conflict/,
  },
  'short writes taken for whole ones': {
    bug: {
      fs: (fs) =>
        altered(fs, (real) => ({
          write: (fd, buffer, position) => {
            real.write(fd, buffer, position);
            return buffer.length;
          },
        })),
    },
    shownBy: 'short writes',
    as: /./,
  },
  'nothing taken back after a failed write': {
    bug: { fs: (fs) => altered(fs, () => ({ ftruncate: () => {} })) },
    from: 16,
    shownBy: 'disk full from then on',
    as: /./,
  },
  'a snapshot without a checksum': {
    bug: { fs: readingThrough('state.json', blessSnapshot) },
    from: 3,
    shownBy: 'a flipped or cut snapshot',
    as: /./,
  },
  'a journal without checksums': {
    bug: { fs: readingThrough('history.jsonl', blessJournal) },
    from: 10,
    shownBy: 'a flipped byte in the journal',
    as: /not the one of an uninterrupted run|is wrong|no clear error|not achieved|Error/,
  },
  'no barrier before a request': {
    bug: without('request'),
    shownBy: POWER_LOSS,
    as: /a request was sent before its records were durable/,
  },
  'no barrier before a program starts, and before a file is written': {
    bug: without('effect'),
    shownBy: POWER_LOSS,
    as: /(a program started|a file was written) before its records were durable/,
  },
  'no barrier before the exit code': {
    bug: without('end'),
    shownBy: KILL,
    as: /the run ended before its records were durable/,
  },
  'an undo whose files are not synced': {
    bug: noSync((path) => !isState(path)),
    shownBy: `undo: ${POWER_LOSS}`,
    as: /is not back|is still there|left alone/,
  },
};

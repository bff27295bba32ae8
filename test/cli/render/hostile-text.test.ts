/** Names and texts that a model, a file or a server chose never reach a screen or a log raw. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { historyLine } from '../../../src/cli/commands/history.ts';
import { modelsText } from '../../../src/cli/commands/models.ts';
import { statusText } from '../../../src/cli/commands/status.ts';
import { findingLine, warn } from '../../../src/cli/doctor/finding.ts';
import { jsonLine } from '../../../src/cli/json-line.ts';
import { main } from '../../../src/cli/main.ts';
import { throughTheDoor } from '../../../src/cli/process/door.ts';
import { summaryOf } from '../../../src/cli/render/ending/summary.ts';
import { createRenderer } from '../../../src/cli/render/renderer.ts';
import { createStyle } from '../../../src/cli/render/text/style.ts';
import { eventLinesOf } from '../../../src/cli/render/work/lines.ts';
import { EMPTY_CHAT_VIEW } from '../../../src/cli/screen/chat-view.ts';
import { EMPTY } from '../../../src/cli/screen/editor.ts';
import { frameOf } from '../../../src/cli/screen/frame.ts';
import { reduceView, startView } from '../../../src/cli/screen/view.ts';
import { explainError, shownErrorText } from '../../../src/cli/show-error.ts';
import { createTrace } from '../../../src/context-manager/trace.ts';
import { layoutOf } from '../../../src/journal/layout.ts';
import { TardigradeError } from '../../../src/lib/errors.ts';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { commandLine } from '../../../src/lib/text/shell-words.ts';
import type { RunResult } from '../../../src/run/result.ts';
import { JournalRecord, type Stamped } from '../../../src/schema/records.ts';
import type { RunState } from '../../../src/schema/state.ts';
import type { UndoPreview } from '../../../src/undo/preview.ts';
import { sampleOf } from '../../support/sample-of.ts';
import {
  achieved,
  asEvent,
  fakeEngine,
  fakeTerminal,
  liveScreenLoaded,
  PLAN,
  paused,
  runState,
} from '../support.ts';

/** Clears the screen, sets the title and the clipboard, reorders, hides, breaks the line. */
const HOSTILE =
  'a\u001b[2J\u001b[31mb\u001b]0;title\u0007\u001b]52;c;aGk=\u001b\\\u009b2J\u009d0;x\u009c\rc\u0008\u0000\u007f\u0085' +
  '\u202ed\u2066e\u2069\u200b\u2028f\u2029\u061c\ufeff\u{e0041}\ud800g\nh';

/** What the live screen itself is drawn with, without colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const OWN = /\r|\u001b\[(?:\d*[ABGJK]|\?(?:7|2004|2026)[hl])/g;
const RAW =
  /[^\P{Cc}\n]|[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/u;

const DRAFT = { ...EMPTY, text: HOSTILE, cursor: 3 };
const TYPED = { draft: DRAFT, lines: [HOSTILE], choices: [HOSTILE] };
const SIZE = { columns: 80, rows: 24 };

const NO_COLOR = { LANG: 'C.UTF-8', NO_COLOR: '1' };
const style = createStyle({ env: NO_COLOR, platform: 'linux' }, { isTerminal: false });
const samples = JournalRecord.options.map(
  (schema) =>
    ({ ...(sampleOf(schema, HOSTILE) as object), seq: 3, ts: 1e12, durable: 2 }) as Stamped,
);
const LIVE = samples.filter((_, at) => at % 6 === 0);
const state = hostileState();

function hostileState(): RunState {
  const plan = JSON.parse(JSON.stringify(PLAN), (key, value: unknown) =>
    typeof value === 'string' && !['status', 'type', 'action'].includes(key) ? HOSTILE : value,
  );
  const start = runState();
  const [file] = Object.values(start.files);
  if (!file) throw new Error('a file is known');
  return runState({
    plan,
    goal: HOSTILE,
    files: { [HOSTILE]: { ...file, written: true } },
    recentErrors: [{ text: HOSTILE, about: HOSTILE, seq: 1 }],
    phase: { name: HOSTILE } as unknown as RunState['phase'],
  });
}

const isClean = (text: string): void => expect(text.replace(OWN, '')).not.toMatch(RAW);

const resumeOf = (workspace: string): string =>
  commandLine(['agent', 'resume', '--workspace', workspace], 'linux');

describe('a hostile text', () => {
  test('has all that a screen must not get', () => {
    expect(HOSTILE).toMatch(RAW);
    expect(samples.length).toBeGreaterThan(25);
    expect(JSON.stringify(samples)).toContain('title');
  });

  test.each(samples)(
    'in a record $type is harmless in history, on the screen and in JSON',
    async (record) => {
      isClean(historyLine({ text: '', record, isChanged: false }, 500, style));
      const event = asEvent(record, state);
      const before = startView(0);
      const view = reduceView(before, event, 0);
      // What the live screen shows of each is in its view; it writes the same lines above it.
      const isLive = LIVE.includes(record);
      for (const isTerminal of isLive ? [false, true] : [false]) {
        const terminal = fakeTerminal({ isTerminal, env: NO_COLOR });
        const options = { verbosity: 'debug' } as const;
        const renderer = createRenderer(terminal, options);
        renderer.observe({ type: 'turn_started', purpose: 'plan', target: null });
        terminal.advance(200);
        await liveScreenLoaded();
        renderer.observe(event);
        terminal.advance(200);
        renderer.stop();
        isClean(terminal.stderr.text());
      }
      expect(eventLinesOf(event, { before, after: view }, style.glyphs).length).toBeGreaterThan(0);
      isClean(frameOf(view, TYPED, SIZE, 0, style).join('\n'));
      const json = jsonLine({ v: 1, run: 'run-1', type: 'record', record });
      expect(json.trimEnd()).not.toMatch(RAW);
      expect(JSON.parse(json)).toMatchObject({ record: JSON.parse(JSON.stringify(record)) });
    },
  );

  test('in what a model, a command or a server says is harmless on the screen', async () => {
    for (const isTerminal of [false, true]) {
      const terminal = fakeTerminal({ isTerminal, env: NO_COLOR });
      const options = { verbosity: 'debug' } as const;
      const renderer = createRenderer(terminal, options);
      const name = { provider: HOSTILE, model: HOSTILE, profile: HOSTILE };
      renderer.observe({ type: 'turn_started', purpose: 'content', target: HOSTILE });
      terminal.advance(200);
      await liveScreenLoaded();
      for (const type of ['text', 'thinking', 'action_output'] as const) {
        renderer.observe({ type, text: HOSTILE });
        terminal.advance(200);
      }
      renderer.observe({ type: 'notice', level: 'warning', text: HOSTILE });
      renderer.observe({ type: 'turn_retry', attempt: 2, waitMs: 5, why: HOSTILE });
      renderer.observe({ type: 'model_switched', from: name, to: name, why: HOSTILE });
      terminal.advance(20_000);
      renderer.stop();
      isClean(terminal.stderr.text());
    }
  });

  test('in a state, a result, a finding, an error or a frame is harmless', () => {
    isClean(frameOf(EMPTY_CHAT_VIEW, TYPED, SIZE, 0, style).join('\n'));
    const workspace = `/w/${HOSTILE}`;
    const at = { state, origin: 'own', owner: null, resume: null, workspace } as const;
    const names = { agent: 'agent', typed: (verb: string) => `agent ${verb}` };
    const facts = { ...at, error: HOSTILE, isDebug: true, ...names };
    isClean(statusText({ ...facts, standing: 'killed' }, style));
    const ended = { ...achieved(HOSTILE), state, detail: HOSTILE };
    const patches = [{ path: HOSTILE, kind: 'new', lines: null }] as const;
    const made = {
      undo: resumeOf(workspace),
      apply: 'agent apply',
      diff: 'agent diff',
      agent: 'agent',
      again: { name: 'again', words: HOSTILE },
      printed: HOSTILE,
      patches,
    };
    for (const result of [ended, { ...paused('auth'), state, detail: HOSTILE, hint: HOSTILE }]) {
      const resume = resumeOf(workspace);
      isClean(
        summaryOf(
          { result: result as RunResult, workspace, resume, elapsedMs: 1, ...made },
          style,
          300,
        ),
      );
    }
    isClean(findingLine(warn('model', HOSTILE, HOSTILE), style, 80));
    for (const error of [new TardigradeError('E_USAGE', HOSTILE, HOSTILE), new Error(HOSTILE)])
      isClean(shownErrorText(explainError(error, 'agent'), error, true, 'agent'));
    const model = { name: HOSTILE, contextWindow: 1, capabilities: null, price: null };
    const listing = { provider: 'ollama', where: HOSTILE, models: [model], problem: '', next: '' };
    isClean(modelsText([listing] as never, { style, width: 200, most: 5, agent: 'agent' }));
  });

  test('in a command that can be copied comes back as it was', () => {
    const line = commandLine(
      ['agent', 'resume', '--workspace', `/w/it's\u001b[2J\u202e\\x`],
      'linux',
    );
    expect(line).toBe("agent resume --workspace $'/w/it\\'s\\x1b[2J\\xe2\\x80\\xae\\\\x'");
    isClean(commandLine(['agent', HOSTILE], 'win32'));
  });
});

describe('the files for people', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tardigrade-hostile-'));
    mkdirSync(join(folder, '.agent_context'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('agent.log, the ledger and loops.json hold nothing raw', () => {
    const layout = layoutOf(folder);
    const trace = createTrace({ fs: nodeFileSystem, layout });
    const { loop } = runState();
    const entry = { tool: HOSTILE, args: { [HOSTILE]: HOSTILE } };
    const entries = [entry] as unknown as typeof loop.entries;
    const failed = samples.map((record) =>
      record.type === 'action_finished' ? { ...record, status: 'error' as const } : record,
    );
    for (const record of [...samples, ...failed])
      trace.record({ ...record, offset: 0 }, { loop: { ...loop, entries } });
    trace.internalError(0, new Error(HOSTILE));
    for (const path of [layout.log, layout.ledger, layout.loops]) {
      const text = readFileSync(path, 'utf8');
      expect(text.length).toBeGreaterThan(20);
      isClean(text);
    }
    expect(JSON.parse(readFileSync(layout.loops, 'utf8'))).toHaveProperty('recent');
  });

  test('no command shows them raw, with and without --json, and its JSON stays valid', async () => {
    const lines = [
      ...samples.map((record) => JSON.stringify(record)),
      HOSTILE,
      'x\u001b]0;y\u0007',
    ];
    writeFileSync(join(folder, '.agent_context', 'history.jsonl'), `${lines.join('\n')}\n`);
    const plan = {
      goal: HOSTILE,
      files: [HOSTILE],
      isAsBefore: false,
      left: [HOSTILE],
      commands: [HOSTILE],
      isWatched: false,
    };
    const listed = {
      id: HOSTILE,
      goal: HOSTILE,
      number: 1,
      ...{ startedAt: 0, lastAt: 0 },
      isCurrent: true,
      status: HOSTILE,
      records: 1,
    };
    const words = [HOSTILE];
    const repairPlan = {
      ...{ isNothing: false, detail: HOSTILE, key: '' },
      ...{ found: words, kept: words, lost: words },
    };
    const engine = fakeEngine({
      current: state,
      owner: { host: HOSTILE, pid: 1, startTime: HOSTILE, isAlive: true },
      result: { ...achieved(HOSTILE), state },
      events: samples.map((record) => asEvent(record, state)),
      parts: {
        planUndo: () => Promise.resolve(plan satisfies UndoPreview),
        listRuns: () => [listed],
        planRepair: () => Promise.resolve(repairPlan),
        repair: () =>
          Promise.resolve({
            ...{
              changed: true,
              keptRecords: 1,
              quarantine: HOSTILE,
              detail: HOSTILE,
              other: HOSTILE,
            },
            plan: repairPlan,
          }),
      },
    });
    const commands = [
      'status',
      'plan',
      'history',
      'history --raw',
      'show 1',
      'diff',
      'runs',
      'undo --yes',
      'repair',
      'repair --yes',
      'doctor',
      'models',
      'run hello',
    ];
    for (const command of commands) {
      for (const more of [[], ['--json']]) {
        for (const isTerminal of more.length > 0 ? [false] : [false, true]) {
          const terminal = fakeTerminal({ cwd: folder, isTerminal, env: NO_COLOR });
          await main([...command.split(' '), ...more], terminal, async () => engine);
          isClean(terminal.stderr.text());
          const out = terminal.stdout.text();
          // A file gets the answer as it is.
          if (command !== 'run hello' || more.length > 0 || isTerminal) isClean(out);
          const texts =
            command.startsWith('history') || command === 'run hello'
              ? out.trimEnd().split('\n')
              : [out];
          if (more.length > 0)
            for (const text of texts) expect(() => JSON.parse(text)).not.toThrow();
        }
      }
    }
  });
});

test('what a renderer forgets does not get through the door', () => {
  const terminal = fakeTerminal({ isTerminal: true });
  throughTheDoor(terminal).stderr.write(`\r\u001b[2A\u001b[J\u001b[31mred\u001b[0m ${HOSTILE}`);
  const text = terminal.stderr.text();
  expect(text).toContain('\r\u001b[2A\u001b[J\u001b[31mred\u001b[0m ');
  for (const raw of ['\u009b', '\u0007', '\u202e', '\u2028', '\u001b]', '\u0000'])
    expect(text).not.toContain(raw);
});

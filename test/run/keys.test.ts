/** Keys in use enter neither journal nor log, screen nor request, and no file that did not hold them. */
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/journal/layout.ts';
import { SCRUBBED } from '../../src/llm/secrets/scrub.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { type PlannedWork, planJson, wantedBy } from '../support/models.ts';
import { type RunIn, runIn } from '../support/run-in.ts';
import {
  LARGE,
  type Script,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { someKills } from '../support/some-kills.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../support/test-machine.ts';

const KEY = 'key-in-use-0123456789-abcdefghij';
const ENV_FILE = `API_KEY=${KEY}\nMODE=slow\n`;
const WORK: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'out.mjs', purpose: 'write it' }],
  verify: { cmd: 'node out.mjs', prints: 'hello' },
};
const GOOD = 'console.log("hello");\n';

/** Makes these calls one after the other, then says that it is done. */
const calling =
  (...calls: readonly ScriptedCall[]): Script =>
  (request) => {
    if (wantedBy(request) === 'plan') return planJson(WORK);
    const made = request.messages.filter(
      (one) => one.role === 'tool' && one.toolName !== 'set_plan',
    ).length;
    const call = calls[made] ?? {
      name: 'mark_subtask_complete',
      args: { success: true, reason: `done with ${KEY}` },
    };
    return { text: `I saw ${KEY}.`, calls: [call] };
  };

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
const write = (path: string, content: string): ScriptedCall =>
  call('write_file', { path, content });

function world(): TestWorld {
  const made = testWorld((args) =>
    args[0] === 'env.mjs'
      ? {
          output: `API_KEY=${KEY}\nAUTH=${Buffer.from(`me:${KEY}`).toString('base64')}\n`,
          exitCode: 0,
        }
      : { output: 'hello\n', exitCode: 0 },
  );
  made.write('settings.conf', ENV_FILE);
  made.write('env.mjs', 'console.log(processsettings.conf)\n');
  return made;
}

/** Every file below the state directory but the contents of blobs, which undo needs as they were. */
function kept(on: TestWorld): { readonly texts: string; readonly blobs: readonly string[] } {
  const { fs } = on.machine();
  const layout = layoutOf(WORKSPACE);
  const read = (path: string): string => {
    const bytes = Buffer.alloc(fs.stat(path).size);
    const fd = fs.open(path, 'r');
    fs.read(fd, bytes, 0);
    fs.close(fd);
    return bytes.toString('utf8');
  };
  const blobs = fs.readdir(layout.blobs).map((name) => read(`${layout.blobs}/${name}`));
  const paths = [layout.history, layout.log, layout.ledger, layout.state, layout.loops];
  const there = paths.filter((path) => {
    try {
      return fs.stat(path).kind === 'file';
    } catch {
      return false;
    }
  });
  return { texts: there.map(read).join('\n'), blobs };
}

async function run(calls: readonly ScriptedCall[], options: RunIn = {}) {
  const on = world();
  const provider = scriptedProvider(calling(...calls), LARGE);
  const told = await runIn(on, provider, {
    ...{ toolMode: 'native', keys: [KEY], goal: `Write out.mjs that prints hello, with ${KEY}` },
    ...options,
  });
  return { on, provider, ...told };
}

const resultsIn = (requests: readonly ModelRequest[]): string =>
  (requests.at(-1)?.messages ?? []).map(({ content }) => content).join('\n');

describe('a key in use', () => {
  it('that the goal, the model, a file and a program repeat is kept, shown and sent nowhere', async () => {
    const { on, provider, events, result } = await run([
      call('read_file', { path: 'settings.conf' }),
      call('run_cmd', { cmd: 'node env.mjs' }),
      call('edit_file', { path: 'settings.conf', old_text: 'MODE=slow', new_text: 'MODE=fast' }),
      write('out.mjs', GOOD),
    ]);
    expect(result.ending).not.toBe('paused');
    // The line beside the key was changed, the key itself never passed through a model.
    expect(on.read('settings.conf')).toBe(ENV_FILE.replace('slow', 'fast'));
    const { texts, blobs } = kept(on);
    const all = [texts, JSON.stringify(events), JSON.stringify(provider.requests)];
    for (const text of all) {
      expect(text).toContain(SCRUBBED);
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(Buffer.from(`me:${KEY}`).toString('base64').slice(6, -6));
    }
    // What undo needs keeps its bytes.
    expect(blobs.some((blob) => blob.includes(KEY))).toBe(true);
  });

  it('in pieces of a stream reaches no observer', async () => {
    const on = world();
    const inner = scriptedProvider(calling(write('out.mjs', GOOD)), LARGE);
    const provider = {
      ...inner,
      async *stream(...args: Parameters<typeof inner.stream>) {
        for await (const event of inner.stream(...args)) {
          if (event.type !== 'text') yield event;
          else for (const text of event.text.match(/.{1,5}/gs) ?? []) yield { ...event, text };
        }
      },
    };
    const { events } = await runIn(on, provider, { toolMode: 'native', keys: [KEY] });
    const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
    expect(said).toContain(`I saw ${SCRUBBED}.`);
    expect(said).not.toContain(KEY);
  });

  it('that only its provider knows is taken out as well', async () => {
    const on = world();
    const inner = scriptedProvider(calling(write('out.mjs', GOOD)), LARGE);
    await runIn(on, { ...inner, keys: () => [KEY] }, { toolMode: 'native' });
    expect(kept(on).texts).not.toContain(KEY);
    expect(kept(on).texts).toContain(SCRUBBED);
  });

  it('is in no request either where an older journal holds it', async () => {
    const on = world();
    const script = calling(call('read_file', { path: 'settings.conf' }), write('out.mjs', GOOD));
    const goal = 'Write out.mjs that prints hello';
    const options = { toolMode: 'native', goal } as const;
    await runIn(on, scriptedProvider(script, LARGE), { ...options, maxRounds: 2 });
    expect(kept(on).texts).toContain(KEY);
    const provider = scriptedProvider(script, LARGE);
    await runIn(on, provider, { ...options, keys: [KEY] });
    expect(JSON.stringify(provider.requests)).not.toContain(KEY);
  });
});

describe('a write', () => {
  it.each([
    ['a new file with the mark', write('bsettings.conf', `KEY=${SCRUBBED}\n`), SCRUBBED],
    ['a key that the file did not hold', write('b.txt', `KEY=${KEY}\n`), SCRUBBED],
    [
      'the file again with the mark in place of the key',
      write('settings.conf', ENV_FILE),
      SCRUBBED,
    ],
    [
      'a key put together of two halves',
      call('edit_file', { path: 'half.txt', old_text: 'END', new_text: KEY.slice(16) }),
      SCRUBBED,
    ],
    [
      'a patch that puts the mark into a file',
      call('apply_patch', {
        patch: `*** Begin Patch\n*** Update File: settings.conf\n@@\n-MODE=slow\n+MODE=${SCRUBBED}\n*** End Patch`,
      }),
      SCRUBBED,
    ],
    [
      'a patch that adds a file with a key',
      call('apply_patch', {
        patch: `*** Begin Patch\n*** Add File: b.txt\n+KEY=${KEY}\n*** End Patch`,
      }),
      SCRUBBED,
    ],
    [
      'several files, one of them with the mark',
      call('write_files', {
        files: [
          { path: 'fine.txt', content: 'x' },
          { path: 'b.txt', content: `KEY=${KEY}\n` },
        ],
      }),
      SCRUBBED,
    ],
    [
      'a key into a file beside it by an edit',
      call('edit_file', { path: 'half.txt', edits: [{ old_text: 'END', new_text: `\n${KEY}` }] }),
      SCRUBBED,
    ],
    [
      'the file with the key under another name, by a move',
      call('move_file', { path: 'settings.conf', to: 'b.txt' }),
      SCRUBBED,
    ],
  ])('of %s is refused before its intent, with words that help', async (_, hostile, words) => {
    const on = world();
    on.write('half.txt', `${KEY.slice(0, 16)}END\n`);
    const script = calling(
      call('read_file', { path: 'settings.conf' }),
      call('read_file', { path: 'half.txt' }),
      hostile,
      write('out.mjs', GOOD),
    );
    const provider = scriptedProvider(script, LARGE);
    const { records } = await runIn(on, provider, { toolMode: 'native', keys: [KEY] });
    expect(resultsIn(provider.requests)).toContain(words);
    expect(resultsIn(provider.requests)).toContain('was left as it was');
    expect(on.read('settings.conf')).toBe(ENV_FILE);
    expect(on.read('half.txt')).toBe(`${KEY.slice(0, 16)}END\n`);
    expect(['bsettings.conf', 'b.txt', 'fine.txt'].map((name) => on.read(name))).toEqual([
      ...[null, null, null],
    ]);
    const intended = records.flatMap((one) =>
      one.type === 'action_intended' ? one.files.map(({ path }) => path) : [],
    );
    expect(intended).toEqual(['out.mjs']);
  });

  it('beside a hidden key settles after a crash, whichever record it comes behind', async () => {
    const calls = [
      call('read_file', { path: 'settings.conf' }),
      call('edit_file', { path: 'settings.conf', old_text: 'MODE=slow', new_text: 'MODE=fast' }),
      write('out.mjs', GOOD),
    ];
    const whole = await run(calls);
    const steps = whole.records.flatMap((one, index) =>
      one.type === 'action_intended' || one.type === 'action_finished' ? [index + 1] : [],
    );
    for (const at of someKills(steps, 3, 1)) {
      const on = world();
      const machine = on.machine();
      const goal = `Write out.mjs that prints hello, with ${KEY}`;
      const options = { toolMode: 'native', keys: [KEY], goal } as const;
      const first = runIn(on, scriptedProvider(calling(...calls), LARGE), {
        ...options,
        machine,
        onRecord: (_record, index) => {
          if (index === at) machine.kill();
        },
      });
      await expect(first).rejects.toThrow();
      const second = await runIn(on, scriptedProvider(calling(...calls), LARGE), options);
      expect(second.result.ending).toBe(whole.result.ending);
      expect(on.read('settings.conf')).toBe(ENV_FILE.replace('slow', 'fast'));
      const conflicts = second.records.filter(
        (one) => one.type === 'action_finished' && one.status === 'conflict',
      );
      expect(conflicts).toEqual([]);
    }
  });
});

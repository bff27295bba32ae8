/** A run with all that the page can show, as its events: a question, a kill, a new plan, a proof. */
import type { StreamEvent } from '../../../src/schema/events/stream.ts';
import type { Usage } from '../../../src/schema/model/turn.ts';

const RUN = '0f1e2d3c4b5a6978';
const USAGE: Usage = {
  ...{ input: 1800, output: 240, thinking: 0, cacheRead: 5200, cacheWrite: 300 },
  modelMs: 4200,
};

/** Numbers events as a journal does, a second apart. */
export class Telling {
  readonly events: StreamEvent[] = [];
  seq = 0;
  at: number;

  constructor(at: number) {
    this.at = at;
  }

  record(type: string, fields: object, ms = 1000): this {
    this.seq += 1;
    this.at += ms;
    return this.say('record', { record: { type, seq: this.seq, ts: this.at, ...fields } });
  }

  say(type: string, fields: object): this {
    const live = ['turn_started', 'text_delta', 'thinking_delta', 'tool_output'].includes(type);
    const seq = live ? {} : { seq: this.seq };
    this.events.push({ v: 1, run: RUN, ...seq, type, ...fields } as unknown as StreamEvent);
    return this;
  }

  turn(purpose: string, text: string, tokens = 1): this {
    const usage = { ...USAGE, input: USAGE.input * tokens };
    const turn = this.events.filter(({ type }) => type === 'turn_finished').length + 1;
    return this.record('turn_finished', {}, 4200).say('turn_finished', {
      ...{ turn, purpose, status: 'success', detail: '', text, usage, costUsd: 0.013 * tokens },
    });
  }

  action(id: string, name: string, args: object, files: readonly object[], content: string): this {
    const target = Object.values(args)[0];
    return this.record('action_intended', {
      ...{ id, class: files.length > 0 ? 'write' : 'command', tool: name, args, files },
    })
      .record('action_finished', {
        ...{ id, tool: name, target, status: 'ok', result: content, facts: { durationMs: 340 } },
      })
      .say('tool_result', { id, callId: id, name, status: 'ok', content, durationMs: 340 });
  }

  check(cmd: string, passed: boolean, when: string, text: string): this {
    const facts = passed ? {} : { exitCode: 1, tests: { failed: 2, passed: 41 } };
    return this.record('check_ran', {
      ...{ id: null, subtask: '3.1', check: { cmd }, proof: true, when, passed, text, facts },
    }).say('check', { subtask: '3.1', isProof: true, passed, text });
  }

  subtask(id: string): this {
    return this.record('subtask_started', { subtask: id }).say('subtask_started', { subtask: id });
  }

  ended(id: string, status: string, summary: string): this {
    return this.record('subtask_finished', { subtask: id, status, summary }).say(
      'subtask_finished',
      { subtask: id, status, summary },
    );
  }
}

const subtask = (id: string, purpose: string, target: string) => ({
  ...{ id, purpose, checks: [], status: 'pending' },
  step: { action: 'edit_file', target },
});

const PLAN = {
  tasks: [
    {
      id: '1',
      description: 'Understand the price rules',
      subtasks: [subtask('1.1', 'Read what decides a price today', 'src/rules')],
    },
    {
      id: '2',
      description: 'Move them into one module',
      subtasks: [
        subtask('2.1', 'A module for the rules', 'src/price/rules.ts'),
        subtask('2.2', 'Move the discount of big orders into it', 'src/price/discount.ts'),
        subtask('2.3', 'Let the callers use it, and nothing else', 'src/cart.ts'),
      ],
    },
    {
      id: '3',
      description: 'Show that prices stay as they were',
      subtasks: [subtask('3.1', 'Tests of the rules at their limits', 'test/price.test.ts')],
    },
  ],
  proof: { cmd: 'npm test' },
  fallback: false,
};

const wrote = (path: string, added: number, removed: number) => ({
  ...{ path, before: removed > 0 ? 'a' : null, after: 'b', lines: { added, removed } },
});

const GOAL =
  'Move the price rules into one module, so that a price is decided in one place, and show that no price changes';

/** Up to the middle of the work: 2.2 is written, a command waits for a yes. */
export function atWork(from: number): Telling {
  const telling = new Telling(from);
  const opening = { run: RUN, goal: GOAL, startedAt: from, number: 12, version: '0.1.0' };
  const model = { provider: 'anthropic', model: 'claude-sonnet-5', driver: 'free' };
  return telling
    .record('run_opened', opening)
    .record('settings_changed', { ...model, numCtx: 32_768 })
    .check('npm test', false, 'before', 'npm test: 2 of 43 tests fail\nprice of 100: expected 90')
    .turn('plan', 'I read the rules first.')
    .record('plan_set', {})
    .say('plan', { plan: PLAN, why: '', isReplan: false })
    .subtask('1.1')
    .turn('action', '', 2)
    .action('a1', 'search', { pattern: 'total >' }, [], 'src/cart.ts:41: if (total > 100)')
    .action('a2', 'read_file', { path: 'src/rules/discount.ts' }, [], 'export const discount = …')
    .ended('1.1', 'completed', 'Three places decide a price')
    .subtask('2.1')
    .turn('action', 'I write the module.', 2)
    .action(
      'a3',
      'write_file',
      { path: 'src/price/rules.ts', content: RULES },
      [wrote('src/price/rules.ts', 84, 0)],
      'Wrote it',
    )
    .ended('2.1', 'completed', 'One module has the rules')
    .subtask('2.2')
    .turn('action', '', 3)
    .record('action_intended', {
      ...{
        id: 'a4',
        class: 'command',
        tool: 'run_cmd',
        args: { cmd: 'npm test -- price' },
        files: [],
      },
    })
    .record('lease_taken', { token: 2, host: 'here', version: '0.1.0' }, 600_000)
    .record('action_finished', {
      ...{ id: 'a4', tool: 'run_cmd', target: 'npm test -- price', status: 'interrupted' },
      ...{ result: 'It was cut off; nobody knows what it did.', facts: {} },
    })
    .say('tool_result', {
      ...{ id: 'a4', callId: 'a4', name: 'run_cmd', status: 'interrupted' },
      content: 'It was cut off; nobody knows what it did.',
    })
    .turn('action', 'I run them again.', 3)
    .action(
      'a5',
      'edit_file',
      { path: 'src/price/discount.ts', new: '  return discount(total);' },
      [wrote('src/price/discount.ts', 12, 9)],
      'Edited it',
    );
}

export const RULES = [
  'export interface Rule {',
  '  readonly name: string;',
  '  applies(total: number): boolean;',
  '  price(total: number): number;',
  '}',
  '',
  'export const RULES: readonly Rule[] = [big, loyal];',
].join('\n');

export const ASKED = {
  ...{ id: 'q1', tool: 'run_cmd', target: 'npm install --save-dev fast-check@4' },
  reason: 'It installs a package from the network.',
  ...{ rules: ['run_cmd(npm install *)'], isNoted: false },
};

export function finished(from: number): Telling {
  const telling = atWork(from);
  return telling
    .ended('2.2', 'completed', 'The discount is a rule')
    .subtask('2.3')
    .turn('action', '', 4)
    .action('a6', 'edit_file', { path: 'src/cart.ts' }, [wrote('src/cart.ts', 9, 31)], 'Edited it')
    .ended('2.3', 'completed', 'Callers ask the module')
    .subtask('3.1')
    .turn('action', '', 4)
    .action(
      'a7',
      'write_file',
      { path: 'test/price.test.ts' },
      [wrote('test/price.test.ts', 26, 0)],
      'Wrote it',
    )
    .check('npm test', true, 'after', 'npm test: 51 passed')
    .ended('3.1', 'completed', 'All prices are as they were')
    .record('verdict_given', {
      ...{ isProved: true, named: [], beyond: { files: [], subtasks: ['1.1'] } },
      words: 'proof passed: npm test (51 passed); 2 of them failed before the work',
    })
    .record('run_finished', {
      ending: 'achieved',
      detail: 'proof passed: npm test (51 passed); 2 of them failed before the work',
    });
}

export const PATCH = `--- src/cart.ts
+++ src/cart.ts
@@ -38,7 +38,5 @@
 export function priceOf(cart: Cart): number {
   const total = sum(cart.items);
-  if (total > 100) {
-    return total * 0.9;
-  }
-  return total;
+  return price(total, RULES);
 }
`;

export const RUN_ID = RUN;
export { GOAL };

/** What comes with a folder never moves a request, a key, a permission or a limit upwards. */

import { expect, test } from 'vitest';
import { type FileSettings, over, readSettings, rulesOf } from '../../src/cli/settings.ts';
import type { ConfigFile } from '../../src/host/config/find.ts';
import { modelForRun, parseModel } from '../../src/host/models/model-spec.ts';
import { rowOf } from '../../src/host/providers/providers.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import type { OptionValues } from '../../src/options/option-values.ts';
import { DEFAULT_MAX_ROUNDS } from '../../src/schema/config.ts';
import { dice, fc } from '../support/dice.ts';

const place = { env: { SECRET: 'sk-the-users-secret' }, platform: 'linux', cwd: '/w' } as const;
const USER: ConfigFile = { side: 'user', path: '/user.json' };
const PROJECT: ConfigFile = { side: 'project', path: '/project.json' };

type Typed = OptionValues;

/** `null` where the files are refused. */
function read(user: unknown, project: unknown, typed: Typed): FileSettings | null {
  const fs = new MemoryFileSystem();
  for (const [path, value] of [
    [USER.path, user],
    [PROJECT.path, project],
  ] as const) {
    const fd = fs.open(path, 'w');
    fs.write(fd, Buffer.from(JSON.stringify(value ?? {})), 0);
    fs.close(fd);
  }
  const files = project === undefined ? [USER] : [USER, PROJECT];
  try {
    return readSettings(files, typed, place, fs);
  } catch (error) {
    if (error instanceof TardigradeError && error.code === 'E_USAGE') return null;
    throw error;
  }
}

/** Everything that a request may go to, or be answered from. */
function reachedBy(settings: FileSettings, typed: Typed): ReadonlySet<string> {
  const options = over(settings, typed, false);
  const { model = null, baseUrl = null, fallbacks = [] } = options;
  const first = modelForRun(typed.model ?? null, 'goal', null, '/w', baseUrl, model);
  const others = fallbacks.map((one) => parseModel(one, '/w'));
  return new Set(
    [first, ...others].flatMap(({ provider, model }) => {
      const row = rowOf(provider);
      const isServer = row.kind === 'hosted' || (row.kind === 'local' && row.hostVariable);
      const isElsewhere = row.kind === 'local' && row.passedOn?.test(model ?? '');
      const further = isServer && !isElsewhere ? [] : [`${provider} ${model}`];
      return [...(isServer ? [provider] : []), ...further];
    }),
  );
}

const limitsOf = (settings: FileSettings, typed: Typed): readonly number[] => {
  const options = over(settings, typed, false);
  const most = Number.POSITIVE_INFINITY;
  return [
    options.maxRounds ?? DEFAULT_MAX_ROUNDS.guided,
    options.maxTokens ?? most,
    options.maxCost ?? most,
    options.maxTimeMs ?? most,
  ];
};

const MODELS = [
  'small:1b',
  'big:7b',
  'gpt-oss:120b-cloud',
  'ollama/x:cloud',
  'gpt-5-mini',
  'openai/other',
  'anthropic/claude-x',
  'claude-x',
  'openrouter/a/b',
  'embedded:hf:EVIL/R/F.gguf',
  'embedded:model.gguf',
  'recorded:turns.json',
  `\${SECRET}`,
  ' ',
];
const model = fc.constantFrom(...MODELS);
const rules = fc.array(fc.constantFrom('run_cmd', 'curl *', 'edit(**)', '*'), { maxLength: 2 });
const limits = fc.record(
  {
    maxRounds: fc.integer({ min: 1, max: 100 }),
    maxTokens: fc.integer({ min: 1, max: 1e6 }),
    maxCost: fc.double({ min: 0.01, max: 100, noNaN: true }),
    maxTime: fc.constantFrom('1s', '10m', '2h', '1h30m'),
  },
  { requiredKeys: [] },
);
const shared = {
  model,
  fallbacks: fc.array(model, { maxLength: 3 }),
  limits,
  toolMode: fc.constantFrom('auto', 'native', 'json'),
  temperature: fc.double({ min: 0, max: 2, noNaN: true }),
  sandbox: fc.constantFrom('off', 'auto', 'require'),
  instructions: fc.oneof(fc.boolean(), fc.constant(['X.md'])),
};
const providers = fc.constantFrom(
  { openai: { baseUrl: 'http://evil:1' } },
  { ollama: { baseUrl: 'http://evil:1' } },
  { anthropic: { headers: { a: `\${SECRET}` } } },
  {},
);
const mine = fc.record(
  {
    ...shared,
    providers: fc.constantFrom({ openai: { apiKey: `\${SECRET}`, baseUrl: 'http://mine:1' } }, {}),
    permissions: fc.record({ allow: rules, ask: rules, deny: rules }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
/** Much of it is accepted. */
const modest = fc.record(
  { ...shared, permissions: fc.record({ ask: rules, deny: rules }, { requiredKeys: [] }) },
  { requiredKeys: [] },
);
const brazen = fc.record(
  {
    instructions: fc.constantFrom(['.env'], ['../A.md']),
    providers,
    profiles: fc.constant([{ id: 'p', provider: 'openai', apiKey: 'k' }]),
    permissions: fc.record({ allow: rules, ask: rules, deny: rules }, { requiredKeys: [] }),
    headers: fc.constant({ a: 'b' }),
    envFile: fc.constant('.env'),
    plugins: fc.constant(['./evil.mjs']),
    baseUrl: fc.constant('http://evil:1'),
    __proto__: fc.constant({ model: 'recorded:x' }),
  },
  { requiredKeys: [] },
);
const hostile = fc.oneof(
  modest,
  fc.tuple(modest, brazen).map(([one, other]) => ({ ...one, ...other })),
);
const typed = fc.record(
  {
    model: fc.constantFrom('small:1b', 'openai/mine'),
    baseUrl: fc.constant('http://typed:1/v1'),
    fallbacks: fc.constant(['anthropic/typed']),
    maxRounds: fc.constantFrom(3, 70),
  },
  { requiredKeys: [] },
);

const RUNS = { numRuns: dice(12, 600), seed: 7 };

test('no project file moves a request to another host, a key, a permission, or a limit upwards', () => {
  let accepted = 0;
  fc.assert(
    fc.property(mine, hostile, typed, (own, theirs, options) => {
      const alone = read(own, undefined, options);
      fc.pre(alone !== null);
      const both = read(own, theirs, options);
      // Refused is safe as well.
      if (alone === null || both === null) return;
      accepted += 1;
      const reached = reachedBy(alone, options);
      for (const one of reachedBy(both, options)) expect([...reached]).toContain(one);
      expect(both.config.accounts).toEqual(alone.config.accounts);
      const [before, after] = [rulesOf(alone.config), rulesOf(both.config)];
      expect(after.user).toEqual(before.user);
      expect(after.project ?? {}).not.toHaveProperty('allow');
      const [least, most] = [limitsOf(both, options), limitsOf(alone, options)];
      for (const [at, limit] of least.entries()) expect(limit).toBeLessThanOrEqual(most[at] ?? 0);
    }),
    RUNS,
  );
  // The property says nothing about files that are all refused.
  expect(accepted).toBeGreaterThan(RUNS.numRuns / 6);
});

test('what bounds a message, and who plans, stand in the own file of a user and in no other', () => {
  const chat = { maxTurns: 3, maxRetries: 2, maxToolCalls: 4 };
  const models = { plan: 'openai/gpt-5-mini' };
  const own = read({ chat, models }, undefined, {});
  if (own === null) throw new Error('They are read.');
  expect(over(own, {} as Typed, false)).toMatchObject({
    ...{ maxIterations: 3, maxRetries: 2, maxToolCalls: 4, models },
  });
  expect(over(own, { maxIterations: 9 } as Typed, false).maxIterations).toBe(9);
  expect(read({}, { chat }, {})).toBeNull();
  expect(read({}, { models }, {})).toBeNull();
});

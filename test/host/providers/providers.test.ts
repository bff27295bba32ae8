import { expect, test } from 'vitest';
import { withOtherWay } from '../../../src/host/models/first-model.ts';
import { modelForRun, parseModel } from '../../../src/host/models/model-spec.ts';
import {
  COMPATIBLE_PROVIDER,
  PROVIDER_NAMES,
  PROVIDERS,
  rowOf,
  SETUP_PARTS,
  USUAL_PROVIDER,
} from '../../../src/host/providers/providers.ts';
import { ProviderError } from '../../../src/llm/provider.ts';

test.each(PROVIDER_NAMES)('the example of %s is one of its models', (name) => {
  const [example = ''] = rowOf(name).example.split(',');
  expect(parseModel(example, '/w').provider).toBe(name);
});

test.each(PROVIDER_NAMES)('a hosted %s bears the name of its row', (name) => {
  const row = rowOf(name);
  expect(row.kind === 'hosted' ? row.name : name).toBe(name);
});

test('no plain name belongs to two providers', () => {
  for (const name of ['claude-sonnet-5-5', 'gpt-5-mini', 'o3', 'gpt-oss:20b', 'qwen3']) {
    const owners = PROVIDER_NAMES.filter((one) => rowOf(one).plainNames?.test(name));
    expect(owners.length, name).toBeLessThanOrEqual(1);
  }
});

test('the address of a server goes to the hosted, and everyone else is told where to turn', () => {
  for (const name of PROVIDER_NAMES) {
    const [example = ''] = rowOf(name).example.split(',');
    const choose = () => modelForRun(example, null, null, '/w', 'http://one/v1');
    if (rowOf(name).kind === 'hosted' || name === USUAL_PROVIDER) {
      // A plain name with an address is a model of the server there.
      const expected = name === USUAL_PROVIDER ? COMPATIBLE_PROVIDER : name;
      expect(choose().provider, name).toBe(expected);
    } else expect(choose, name).toThrow(`A base URL does not apply to ${name}.`);
  }
});

test('what can be set up says whether it needs the name of a model', () => {
  expect(SETUP_PARTS.map((name) => [name, PROVIDERS[name].setup])).toEqual([
    ['ollama', 'model'],
    ['embedded', 'engine'],
  ]);
});

test('a server that is not there says which key is set, or what needs no server', () => {
  const hosted = PROVIDER_NAMES.map(rowOf).flatMap((row) => (row.kind === 'hosted' ? [row] : []));
  const away = new ProviderError({ kind: 'network_error', retryable: true }, 'Away.', 'Start it.');
  const told = (env: Record<string, string>, error: unknown = away) =>
    withOtherWay(error, 'Ollama', hosted, { env });
  expect(told({ ANTHROPIC_API_KEY: 'k' })).toMatchObject({
    message: 'Away.',
    hint: 'Start it. Or use Anthropic, whose key is set',
    ...{ command: [], option: 'model', optionValue: 'anthropic', endsInCommand: true },
  });
  expect(told({ ANTHROPIC_API_KEY: ' ' })).toMatchObject({
    hint: 'Start it. Or set the key of a hosted model (ANTHROPIC_API_KEY, OPENAI_API_KEY) and start again. Or without Ollama (1.1 GB)',
    ...{
      command: ['setup', 'embedded'],
      option: 'model',
      optionValue: 'qwen2.5-coder-1.5b',
      endsInCommand: true,
    },
  });
  const other = new Error('something else');
  expect(told({ OPENAI_API_KEY: 'k' }, other)).toBe(other);
});

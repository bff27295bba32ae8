import { describe, expect, it } from 'vitest';
import { priceOf, refuseWithoutPrice, turnCost } from '../../../src/llm/models/turn-cost.ts';
import { type ModelInfo, type Provider, ProviderError } from '../../../src/llm/provider.ts';
import { type ModelEvent, NO_USAGE } from '../../../src/schema/model/turn.ts';
import { diligentModel } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { SCRIPTED_MODEL, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const TOLD = { input: 1, output: 2, cacheRead: 1, cacheWrite: 1 };
const USED = { ...NO_USAGE, input: 1000, output: 500 };
const { signal } = new AbortController();

const HELLO = diligentModel({
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
});

/** A server whose model tells its price, and answers at the cost of `USED` each time. */
function selling(price: ModelInfo['price']): Provider {
  const inner = scriptedProvider(HELLO);
  return {
    ...inner,
    name: 'openrouter',
    async *stream(request, stop): AsyncGenerator<ModelEvent> {
      for await (const event of inner.stream(request, stop)) {
        yield event.type === 'finished' ? { ...event, usage: USED } : event;
      }
    },
    describe: async (model, stop) => ({
      ...(await inner.describe(model, stop)),
      ...(price === undefined ? {} : { price }),
    }),
  };
}

describe('what a turn has cost', () => {
  it('is counted by what the server told where the table knows nothing', () => {
    const model = { provider: 'openrouter', model: 'vendor/new', price: TOLD };
    expect(turnCost(model, USED)).toEqual({ cost: 0.002 });
    expect(turnCost({ ...model, price: null }, USED)).toEqual({ cost: null });
  });

  it('is counted by the table where it knows more', () => {
    const model = { provider: 'anthropic', model: 'claude-haiku-5-5', price: TOLD };
    expect(priceOf(model)).toHaveProperty('long');
  });

  it('is unknown where an answer broke off before its tokens were counted', () => {
    const model = { provider: 'anthropic', model: 'claude-haiku-5-5' };
    expect(turnCost(model, NO_USAGE, true)).toEqual({ cost: null });
    expect(turnCost(model, NO_USAGE)).toEqual({});
    expect(turnCost({ ...model, provider: 'ollama' }, NO_USAGE, true)).toEqual({});
  });

  it('is nothing on the own machine, whatever was told', () => {
    expect(turnCost({ provider: 'ollama', model: 'm', price: TOLD }, USED)).toEqual({});
  });
});

describe('a run on a model whose price the server tells', () => {
  it('counts its turns by it, and keeps it in the journal', async () => {
    const { result, records } = await runIn(testWorld(), selling(TOLD));
    const turns = records.filter(({ type }) => type === 'turn_finished').length;
    expect(turns).toBeGreaterThan(1);
    expect(result.state.settings?.price).toEqual(TOLD);
    expect(result.state.usage.cost?.usd).toBeCloseTo(0.002 * turns);
    expect(result.state.usage.cost?.unknownTurns).toBe(0);
  });

  it('may be bounded by cost, and is not begun where nobody tells a price', async () => {
    const bounded = runIn(testWorld(), selling(TOLD), { maxCost: 0.001 });
    expect((await bounded).result).toMatchObject({ ending: 'paused' });
    const refused = runIn(testWorld(), selling(null), { maxCost: 1 });
    await expect(refused).rejects.toMatchObject({ code: 'E_USAGE' });
  });

  it('is at least what was counted, where an answer broke off', async () => {
    const whole = selling(TOLD);
    let isCut = false;
    const breaking: Provider = {
      ...whole,
      async *stream(request, stop) {
        if (isCut) return yield* whole.stream(request, stop);
        isCut = true;
        yield { type: 'tool_call_started', name: 'write_file' } as ModelEvent;
        throw new ProviderError({ kind: 'network_error', retryable: true }, 'cut', '');
      },
    };
    const { result } = await runIn(testWorld(), breaking);
    expect(result.state.usage.cost).toMatchObject({ unknownTurns: 1 });
  });

  it('is not counted by it after moving to a model without one', async () => {
    const gone: Provider = {
      ...selling(TOLD),
      // biome-ignore lint/correctness/useYield: it fails before it says a word.
      async *stream() {
        throw new ProviderError({ kind: 'quota_exceeded' }, 'nothing left', '');
      },
    };
    const other: Provider = { ...selling(null), name: 'openai' };
    const { result } = await runIn(testWorld(), gone, {
      fallbacks: [{ provider: other, model: SCRIPTED_MODEL, profile: 'default' }],
    });
    expect(result.state.settings).toMatchObject({ provider: 'openai' });
    expect(result.state.settings).not.toHaveProperty('price');
    expect(result.state.usage.cost).toMatchObject({ usd: 0 });
  });
});

describe('a bound of cost', () => {
  const asked: string[] = [];
  const server = (name: string, answer: () => Promise<ModelInfo>) => ({
    provider: {
      name,
      describe: (model: string) => {
        asked.push(`${name} ${model}`);
        return answer();
      },
    },
    model: 'claude-sonnet-5-5',
  });

  it('asks no server about what is known or free, and is refused where none answers', async () => {
    const down = () => Promise.reject(new ProviderError({ kind: 'timeout' }, 'silent', ''));
    await refuseWithoutPrice([server('anthropic', down), server('ollama', down)], signal);
    expect(asked).toEqual([]);
    const unknown = { ...server('openai', down), model: 'm' };
    await expect(refuseWithoutPrice([unknown], signal)).rejects.toMatchObject({ code: 'E_USAGE' });
    expect(asked).toEqual(['openai m']);
  });

  it('is no refusal where the caller went away', async () => {
    const gone = () => Promise.reject(new ProviderError({ kind: 'aborted' }, 'cancelled', ''));
    const unknown = { ...server('openai', gone), model: 'm' };
    await expect(refuseWithoutPrice([unknown], signal)).rejects.toMatchObject({
      status: { kind: 'aborted' },
    });
  });
});

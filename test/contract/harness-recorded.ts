// What another provider did, recorded and played back. There is no wire: what a wire can do to a turn
// stands in the recording as the status it led to.
import { type ModelInfo, type Provider, ProviderError } from '../../src/llm/provider.ts';
import { recordedProvider } from '../../src/llm/recorded/recorded-provider.ts';
import { parseRecording, type RecordedTurn } from '../../src/llm/recorded/recording.ts';
import { recordingProvider } from '../../src/llm/recorded/recording-provider.ts';
import type { ModelEvent, TurnStatus } from '../../src/schema/model/turn.ts';
import { turn, WRITE_FILE } from '../llm/support.ts';
import { recordingOf } from '../support/recording-of.ts';
import { type Act, ANSWER, callsIn, type Harness, QUESTION, THOUGHT } from './harness.ts';

const INFO: ModelInfo = {
  model: 'qwen2.5-coder:1.5b',
  digest: 'abc',
  contextWindow: 32_768,
  capabilities: { tools: true, schema: true, thinking: true },
};

const STATUSES: Readonly<Record<number, TurnStatus>> = {
  401: { kind: 'auth_failed' },
  403: { kind: 'auth_failed' },
  429: { kind: 'rate_limited' },
  500: { kind: 'model_error', retryable: true },
};

export const RECORDED: Harness = {
  name: 'recorded',
  plays(act) {
    switch (act.does) {
      case 'answer':
        return !act.headersAfter && !act.bodyAfter;
      case 'refuse':
        return act.status in STATUSES && !act.headers;
      case 'overflow':
      case 'crash':
        return true;
      default:
        return act.does === 'cut' && act.after === 'text';
    }
  },
  async start(act) {
    const turns: RecordedTurn[] = [];
    const recording = recordingProvider(acting(act), (one) => turns.push(one));
    const messages = [{ role: 'user' as const, content: QUESTION }];
    // Recorded with and without tools, as the contract asks.
    await turn(recording, { messages, tools: [WRITE_FILE] });
    await turn(recording, { messages });
    const text = JSON.stringify(recordingOf('ollama', INFO, turns));
    const provider = recordedProvider(parseRecording(text, 'contract'));
    return {
      provider,
      model: INFO.model,
      request: { model: INFO.model },
      describeUnknown: () => provider.describe('no-such-model', new AbortController().signal),
      close: () => provider.close(),
    };
  },
};

const acting = (act: Act): Provider => ({
  name: 'ollama',
  stream: () => eventsOf(act),
  describe: async () => INFO,
  list: async () => [INFO.model],
  close: async () => undefined,
});

async function* eventsOf(act: Act): AsyncGenerator<ModelEvent> {
  if (act.does === 'refuse') throw failure(STATUSES[act.status]);
  if (act.does === 'overflow') throw failure({ kind: 'context_overflow', windowTokens: 4096 });
  if (act.does === 'crash') throw failure({ kind: 'model_error', retryable: true });
  const parts = act.does === 'answer' ? (act.with ?? []) : [];
  if (parts.includes('thinking')) yield { type: 'thinking', text: THOUGHT };
  yield { type: 'text', text: ANSWER };
  if (act.does !== 'answer') throw failure({ kind: 'network_error', retryable: true });
  const made = callsIn(act).map((call, index) => ({ id: `c${index + 1}`, ...call }));
  for (const call of act.isCutOff ? made.slice(0, -1) : made) yield { type: 'tool_call', call };
  const reason = act.isCutOff ? 'length' : made.length > 0 ? 'tool_calls' : 'stop';
  const usage = { input: 9, output: 5, thinking: 0, cacheRead: 0, cacheWrite: 0, modelMs: 12 };
  yield { type: 'finished', reason, rawReason: reason, usage };
}

const failure = (status: TurnStatus = { kind: 'invalid_response' }): ProviderError =>
  new ProviderError(status, 'It was so.', 'Do this.');

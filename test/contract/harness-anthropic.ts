import { anthropicProvider } from '../../src/llm/anthropic/anthropic-provider.ts';
import {
  type AnthropicReply,
  CLAUDE,
  errorBody,
  startFakeAnthropic,
} from '../support/fake-anthropic.ts';
import { type Act, ANSWER, callsIn, type Harness, THOUGHT } from './harness.ts';

// Loaded before any test's time runs: it is large, and lazy in the provider.
await import('@anthropic-ai/sdk');

const provide = (baseUrl: string) => anthropicProvider({ apiKey: 'sk-ant-not-a-key', baseUrl });

export const ANTHROPIC: Harness = {
  name: 'anthropic',
  plays: () => true,
  async start(act) {
    const server = await startFakeAnthropic({
      script: () => replyFor(act),
      closesConnections: true,
    });
    const provider = provide(server.url);
    return {
      provider,
      model: CLAUDE,
      request: { model: CLAUDE },
      describeUnknown: () => provider.describe('no-such-model', new AbortController().signal),
      wire: {
        bodies: server.raw,
        whenAsked: server.whenRequest,
        whenLeft: server.whenDisconnected,
      },
      async close() {
        await provider.close();
        await server.close();
      },
    };
  },
  at: provide,
};

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'api_error',
};

/** What stands in front of the API answers with a page. */
const refusal = (status: number, headers = {}): AnthropicReply => ({
  error: {
    status,
    body: TYPES[status] ? errorBody(TYPES[status], 'no') : '<html>bad gateway</html>',
    headers: TYPES[status] ? headers : { 'content-type': 'text/html' },
  },
});

function replyFor(act: Act): AnthropicReply {
  switch (act.does) {
    case 'answer': {
      const thinking = { type: 'thinking', thinking: THOUGHT, signature: 'abc' };
      const made = callsIn(act);
      const calls = made.map(({ name, args }, index) => ({
        ...{ type: 'tool_use', id: `toolu_0${index + 1}`, name },
        input: act.isCutOff && index === made.length - 1 ? JSON.stringify(args).slice(0, -3) : args,
      }));
      return {
        blocks: [
          ...(act.with?.includes('thinking') ? [thinking] : []),
          { type: 'text', text: ANSWER },
          ...calls,
        ],
        ...(act.isCutOff ? { stopReason: 'max_tokens' } : {}),
        ...(act.headersAfter ? { headersAfter: act.headersAfter } : {}),
        ...(act.bodyAfter ? { bodyAfter: act.bodyAfter } : {}),
      };
    }
    case 'refuse':
      return refusal(act.status, act.headers);
    case 'overflow':
      return {
        error: {
          status: 400,
          body: errorBody('invalid_request_error', 'prompt is too long: 5000 tokens'),
        },
      };
    case 'crash':
      return { content: ANSWER, errorEvent: errorBody('overloaded_error', 'Overloaded') };
    case 'cut':
      return act.after === 'nothing'
        ? { cut: 'before headers' }
        : { content: ANSWER, cut: 'after content' };
    case 'garble':
      return { raw: 'event: message_stop\ndata: oops\n\n' };
    case 'stop':
      return { content: ANSWER, noStop: true, stopReason: null };
    case 'fall silent':
      return { content: ANSWER, endAfter: new Promise(() => undefined) };
    case 'never answer':
      return { headersAfter: new Promise(() => undefined) };
  }
}

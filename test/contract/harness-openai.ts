import { openAiProvider } from '../../src/llm/openai/openai-provider.ts';
import { type OpenAiReply, startFakeOpenAi } from '../support/fake-openai.ts';
import {
  callDeltas,
  chunk,
  closing,
  event,
  midStream,
  openAiError,
  opening,
} from '../support/fake-openai-bodies.ts';
import { type Act, ANSWER, callsIn, type Harness, THOUGHT } from './harness.ts';

const MODEL = 'gpt-4.1-mini';

export const OPENAI: Harness = {
  name: 'openai',
  plays: () => true,
  async start(act) {
    const server = await startFakeOpenAi({
      script: () => replyFor(act),
      pages: {
        '/v1/models': { data: [{ id: MODEL }] },
        '/v1/models/no-such-model': openAiError(
          404,
          'The model `no-such-model` does not exist',
          'model_not_found',
        ),
      },
    });
    const provider = openAiProvider({ apiKey: 'sk-not-a-key', baseUrl: server.url });
    return {
      provider,
      model: MODEL,
      request: { model: MODEL },
      describeUnknown: () => provider.describe('no-such-model', new AbortController().signal),
      wire: {
        bodies: server.chats,
        whenAsked: server.whenChat,
        whenLeft: server.whenDisconnected,
      },
      async close() {
        await provider.close();
        await server.close();
      },
    };
  },
  at: (baseUrl) => openAiProvider({ apiKey: 'sk-not-a-key', baseUrl }),
};

const TEXT = event(opening()) + event(chunk({ content: ANSWER }));

const forever = new Promise<void>(() => undefined);

function replyFor(act: Act): OpenAiReply {
  switch (act.does) {
    case 'answer': {
      const thinking = act.with?.includes('thinking')
        ? event(chunk({ reasoning_content: THOUGHT }))
        : '';
      const made = callsIn(act).flatMap((call, index) =>
        callDeltas(index, { id: `call_${index + 1}`, ...call }),
      );
      const sent = act.isCutOff ? made.slice(0, -1) : made;
      const calls = sent.map((delta) => event(chunk(delta))).join('');
      const reason = act.isCutOff ? 'length' : made.length > 0 ? 'tool_calls' : 'stop';
      return {
        stream: thinking + TEXT + calls + closing(reason),
        ...(act.headersAfter ? { beforeHeaders: act.headersAfter } : {}),
        ...(act.bodyAfter ? { beforeBody: act.bodyAfter } : {}),
      };
    }
    case 'refuse':
      return openAiError(act.status, 'no', null, act.headers ? { headers: act.headers } : {});
    case 'overflow':
      return openAiError(400, 'too long', 'context_length_exceeded');
    case 'crash':
      return midStream({ error: { message: 'the model has crashed' } });
    case 'cut':
      return act.after === 'nothing' ? { cut: 'before headers' } : { stream: TEXT, isCut: true };
    case 'garble':
      return { stream: 'data: oops\n\n' };
    case 'stop':
      return { stream: TEXT };
    case 'fall silent':
      return { stream: TEXT, beforeEnd: forever };
    case 'never answer':
      return { stream: '', beforeHeaders: forever };
  }
}

import { ollamaProvider } from '../../src/llm/ollama/ollama-provider.ts';
import { type Reply, startFakeOllama } from '../support/fake-ollama.ts';
import { type Act, ANSWER, callsIn, type Harness, THOUGHT } from './harness.ts';

const MODEL = 'gpt-oss:20b';

export const OLLAMA: Harness = {
  name: 'ollama',
  plays: () => true,
  async start(act) {
    const server = await startFakeOllama({
      // Of this family, since the others are told not to think.
      models: [
        { name: MODEL, family: 'gptoss', capabilities: ['completion', 'tools', 'thinking'] },
      ],
      script: () => replyFor(act),
      closesConnections: true,
    });
    const provider = ollamaProvider({ host: server.url });
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
  at: (host) => ollamaProvider({ host }),
};

const error = (status: number, text: string, headers = {}): Reply => ({
  error: { status, body: JSON.stringify({ error: text }), headers },
});

function replyFor(act: Act): Reply {
  switch (act.does) {
    case 'answer':
      return {
        content: ANSWER,
        ...(act.with?.includes('thinking') ? { thinking: THOUGHT } : {}),
        // A call that is cut never comes: the server hands out what it could read.
        toolCalls: callsIn(act)
          .slice(0, act.isCutOff ? -1 : undefined)
          .map(({ name, args }) => ({ name, arguments: args })),
        ...(act.isCutOff ? { doneReason: 'length' } : {}),
        ...(act.headersAfter ? { beforeHeaders: act.headersAfter } : {}),
        ...(act.bodyAfter ? { beforeBody: act.bodyAfter } : {}),
      };
    case 'refuse':
      return error(act.status, 'no', act.headers);
    case 'overflow':
      return error(400, 'the input length exceeds the context length');
    case 'crash':
      return { content: ANSWER, errorLine: 'CUDA error: launch' };
    case 'cut':
      return act.after === 'nothing'
        ? { cut: 'before headers' }
        : { content: ANSWER, cut: 'after content' };
    case 'garble':
      return { raw: '<html>hello</html>\n' };
    case 'stop':
      return { content: ANSWER, noDone: true };
    case 'fall silent':
      return { content: ANSWER, beforeEnd: new Promise(() => undefined) };
    case 'never answer':
      return { beforeHeaders: new Promise(() => undefined) };
  }
}

// The real engine process around a stand-in for llama.cpp, which repeats what it is asked.
import { join } from 'node:path';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { fakeEngine } from '../llm/embedded/fake-engine.ts';
import type { Act, Harness } from './harness.ts';

/** An engine that answers lives on: its process is started once for all who are answered. */
let answering: ReturnType<typeof begun> | null = null;

function begun() {
  const engine = fakeEngine();
  const provider = engine.provider({ abortGraceMs: 1 });
  let isOpen = true;
  const end = async (): Promise<void> => {
    await provider.close();
    if (isOpen) engine.remove();
    isOpen = false;
  };
  return { engine, provider, end };
}

export const EMBEDDED: Harness = {
  name: 'embedded',
  plays(act) {
    if (act.does === 'answer') return !act.with && !act.headersAfter && !act.bodyAfter;
    return act.does === 'overflow' || act.does === 'crash' || act.does === 'fall silent';
  },
  async start(act) {
    const isKept = act.does === 'answer';
    if (isKept) answering ??= begun();
    const { engine, provider, end } = answering && isKept ? answering : begun();
    return {
      provider,
      model: engine.modelFile,
      request: { model: engine.modelFile, ...requestFor(act) },
      async describeUnknown() {
        const elsewhere = engine.provider({ modelFile: join(engine.folder, 'none.gguf') });
        return await elsewhere.describe('none', new AbortController().signal);
      },
      close: isKept ? async () => undefined : end,
    };
  },
  async end() {
    await answering?.end();
    answering = null;
  },
};

/** The engine's part follows from what it is asked. */
function requestFor(act: Act): Partial<ModelRequest> {
  const asking = (content: string) => ({ messages: [{ role: 'user' as const, content }] });
  switch (act.does) {
    case 'answer':
      return act.isCutOff ? { maxOutputTokens: 3 } : {};
    case 'overflow':
      return { ...asking('word '.repeat(100)), contextWindow: 100 };
    case 'crash':
      return asking('CRASH');
    default:
      // It says the same letter for ever.
      return asking('ENDLESS');
  }
}

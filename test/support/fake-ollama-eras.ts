// What differs on the wire between Ollama's own runner (to 0.24) and llama-server under it (from 0.30).
import type { Overflow } from './fake-ollama-validation.ts';

export type Era = '0.24' | '0.33';

interface EraWire {
  readonly version: string;
  readonly overflow: Overflow;
  /** `/api/tags` says what a model can. */
  readonly tagsHaveCapabilities: boolean;
  /** Where calls stand unless the reply says so: one chunk each, or all in the last one. */
  readonly callsIn: 'middle' | 'final';
  /** A schema that no grammar can be made of; `null`: the recorded body. */
  readonly badSchema: { readonly status: number; readonly body: string } | null;
  /** What is said when the runner dies before the first chunk; then the same on a last line. */
  readonly runnerDied: string;
}

export const ERAS: { readonly [E in Era]: EraWire } = {
  '0.24': {
    version: '0.24.0',
    overflow: '400 text',
    tagsHaveCapabilities: false,
    callsIn: 'middle',
    badSchema: { status: 500, body: '{"error":"invalid JSON schema in format"}' },
    runnerDied:
      'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details',
  },
  '0.33': {
    version: '0.33.0',
    overflow: '400 nested',
    tagsHaveCapabilities: true,
    callsIn: 'final',
    badSchema: null,
    runnerDied: 'an error was encountered while running the model: unexpected EOF',
  },
};

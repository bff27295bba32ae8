/** A hosted API as the tests of whole runs see it: the same model, behind another wire. */
import type { Clock } from '../../src/lib/clock.ts';
import type { Provider } from '../../src/llm/provider.ts';
import type { Script } from './scripted-provider.ts';

/** What an answer can meet on its way, each in the words of its API. */
export type Trouble =
  | 'expired key'
  | 'rate limited'
  | 'server error'
  | 'connection reset'
  | 'cut midway'
  | 'falls silent midway'
  | 'error event'
  | 'no end'
  | 'call cut off by the limit';

export interface HostedOptions {
  /** All others are refused, whatever they ask for. */
  readonly onlyKey?: string;
  /** `n` counts requests for an answer from 1; null: it is answered. */
  readonly trouble?: (n: number, key: string) => Trouble | null;
  /** What every answer has used, in Anthropic's own counts. */
  readonly usage?: Readonly<Record<string, unknown>>;
}

export interface HostedServer {
  /** What a user gives as base URL. */
  readonly url: string;
  /** Raw bodies of the requests for an answer. */
  readonly asked: readonly string[];
  /** The keys it was shown, in the order they first came. */
  keys(): readonly string[];
  close(): Promise<void>;
}

export interface HostedApi {
  readonly name: 'anthropic' | 'openai';
  readonly model: string;
  readonly keyVariable: string;
  readonly urlVariable: string;
  serve(script: Script, options?: HostedOptions): Promise<HostedServer>;
  provider(server: HostedServer, key: string, clock: Clock): Provider;
  /** The conversation of a request in its smallest parts, as they stand on the wire; no cache marks. */
  partsOf(body: string): readonly string[];
}

type Headers = { readonly authorization?: string | undefined };

export const keyIn = ({ authorization = '' }: Headers): string =>
  authorization.replace(/^Bearer /, '');

export const keysIn = (headers: readonly Headers[]): readonly string[] => [
  ...new Set(headers.map(keyIn)),
];

/** A log entry of a run or conversation, for people and programs that watch several agents. */

export type Severity = 'VRB' | 'WRN' | 'ERR' | 'TRC';

/** The data of one line of a log. */
export interface LogEntry {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly severity: Severity;
  /** Counted from 1. */
  readonly turn: number;
  /** 0 for the model, then one number for each call in its answer. */
  readonly subturn: number;
  readonly direction: 'request' | 'response';
  /** `mcp` for every tool, built in or from a server. */
  readonly type: 'llm' | 'mcp';
  /** `provider:model` or `server:tool`; `builtin` for tools without a server. */
  readonly remoteIdentifier: string;
  /** Nothing is tried after this. */
  readonly fatal: boolean;
  readonly message: string;
}

/** What one request or one call cost. */
export type AccountingEntry =
  | {
      readonly type: 'llm';
      readonly timestamp: number;
      readonly status: 'ok' | 'failed';
      readonly latencyMs: number;
      readonly provider: string;
      readonly model: string;
      /** `input` excludes tokens read from or written to a cache. */
      readonly tokens: {
        readonly input: number;
        readonly output: number;
        readonly thinking: number;
        readonly cacheRead: number;
        readonly cacheWrite: number;
      };
      /** US dollars; `null` if the price is unknown. */
      readonly costUsd: number | null;
      readonly error?: string;
    }
  | {
      readonly type: 'tool';
      readonly timestamp: number;
      readonly status: 'ok' | 'failed';
      readonly latencyMs: number;
      readonly server: string;
      readonly tool: string;
      readonly charactersIn: number;
      readonly charactersOut: number;
      readonly error?: string;
    };

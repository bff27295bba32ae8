/** The question that execution puts to a policy before a tool prepares anything, and the answers. */

import type { Touches } from '../schema/actions.ts';
import type { Args } from './args-schema.ts';
import type { Target, Tool } from './contract.ts';

export interface PolicyRequest {
  readonly tool: string;
  readonly touches: Touches;
  /** What the call is about; `null`: its tool does not say. */
  readonly target: Target | null;
  /** Of a tool that a server offers. */
  readonly server?: Tool['server'];
  /** Validated, defaults filled in. */
  readonly args: Args;
  /** Who wants it: `engine` for checks and the proof. */
  readonly asker: 'model' | 'engine';
}

export type Decision =
  | { readonly kind: 'allow' }
  /** Both for the model: why not, and what can be done instead. */
  | { readonly kind: 'deny'; readonly reason: string; readonly hint: string }
  /** A person may allow it; as long as nobody can be asked it is denied with these words. */
  | { readonly kind: 'ask'; readonly reason: string; readonly hint: string };

/** Allows, denies or asks, by the request alone; it may wait for a person. */
export type Decide = (request: PolicyRequest) => Promise<Decision>;

/** A conversation that a program holds open. */

import type { Talk } from '../round/chat/talk.ts';
import type { SessionRequest } from './options.ts';

export interface LiveSession extends Talk {
  readonly request: SessionRequest;
}

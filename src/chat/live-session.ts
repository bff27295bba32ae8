/** A conversation that a program holds open. */
import type { SessionRequest } from './options.ts';
import type { Talk } from './talk.ts';

export interface LiveSession extends Talk {
  readonly request: SessionRequest;
}

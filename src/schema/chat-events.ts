export type { SessionEmit, SessionEvent } from './events.ts';

/** The commands about conversations, loaded as one piece. */
export { chatCommand } from './chat.ts';
export { readableSessions, tellOfDamaged } from './damaged.ts';
export { exportCommand } from './export.ts';
export { sessionsCommand } from './sessions.ts';

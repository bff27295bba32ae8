/** The same engine for programs of other designs: with their calls and names of events and outcomes. */
export { type AgentRun, AIAgent, type AIAgentSession } from './host/library/agent/ai-agent.ts';
export type {
  AIAgentConfig,
  AIAgentOptions,
  AIAgentServers,
  ConversationMessage,
} from './host/library/agent/contract.ts';
export {
  type AgentCall,
  type AgentConfig,
  type AgentReply,
  runAgent,
} from './host/library/agent/run-agent.ts';
export { executeTurn, type TurnRequest } from './host/library/execute-turn.ts';
export type {
  PublicTurnResult as TurnResult,
  PublicTurnStatus as TurnStatus,
} from './host/library/public-turn.ts';
export {
  ensureWorkspace,
  scaffoldBootstrapFiles,
  type WorkspaceOptions,
} from './host/library/starter.ts';
export { logLine } from './host/log/line.ts';
export { engineEvents, type NamedEvent, streamEvents } from './run/stream/other-names.ts';
export type { AccountingEntry, LogEntry } from './schema/events/log-entry.ts';
export type { PublicStatus as ToolStatus } from './schema/events/outcome.ts';
export { publicStatus as toolStatus } from './tools/public-status.ts';

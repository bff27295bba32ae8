/** What programs that embed Tardigrade use. It prints nothing and reads no environment. */
export type { RunResult } from './agent.ts';
export type { LockOwner, ProviderListing, RunListing } from './host/engine-port.ts';
export type { ApplyReport } from './host/journals/apply-contract.ts';
export {
  type ConversationOptions,
  type ConversationSession,
  createSession,
  type MessageCall,
  type MessageOptions,
} from './host/library/create-session.ts';
export { type ConfigOptions, type LoadedConfig, loadConfig } from './host/library/load-config.ts';
export {
  type JournalPort,
  type MemoryJournalOptions,
  memoryJournal,
} from './host/library/memory-journal.ts';
export { type MemoryWorkspace, memoryWorkspace } from './host/library/memory-workspace.ts';
export { type ActiveRun, openRun, resumeAt } from './host/library/open-run.ts';
export type { ProviderAccounts, Where } from './host/library/place.ts';
export {
  type ApplyOptions,
  applyRun,
  diff,
  type FileOptions,
  history,
  listRuns,
  listSessions,
  type ModelsOptions,
  models,
  type RunStatus,
  status,
  type TranscriptOptions,
  transcript,
  type UndoOptions,
  undo,
} from './host/library/queries.ts';
export { type MakeProvider, registerProvider } from './host/library/registered-providers.ts';
export {
  type GoalOptions,
  type ResumeOptions,
  type RunCall as RunHandle,
  type RunOutcome,
  resumeRun,
  runGoal,
} from './host/library/run-goal.ts';
export {
  type ErrorCode,
  type OptionAdvice,
  type OptionName,
  TardigradeError,
} from './lib/errors.ts';
export { createMemoryFileSystem } from './lib/files/memory-file-system.ts';
export type { Listening, LongCall } from './lib/long-call.ts';
export { VERSION } from './lib/version.ts';
export { anthropicProvider } from './llm/anthropic/anthropic-provider.ts';
export type { Candidate } from './llm/failover/candidate.ts';
export type { LanguageModelLike } from './llm/language-model/contract.ts';
export {
  fromLanguageModel,
  type LanguageModelOptions,
} from './llm/language-model/language-model.ts';
export type { Learnt, Lesson, Lessons } from './llm/models/lessons.ts';
export { parseOllamaHost } from './llm/ollama/ollama-host.ts';
export { ollamaProvider } from './llm/ollama/ollama-provider.ts';
export { openAiProvider } from './llm/openai/openai-provider.ts';
export { type ModelInfo, type Provider, ProviderError } from './llm/provider.ts';
export { type PlayedReply, playedProvider } from './llm/recorded/played-provider.ts';
export { recordedProvider } from './llm/recorded/recorded-provider.ts';
export { parseRecording } from './llm/recorded/recording.ts';
export { openRecordingFile, type RecordingFile } from './llm/recorded/recording-file.ts';
export { scrubbedProvider, textScrubber } from './llm/secrets/scrubbed-provider.ts';
export type { Deadlines } from './llm/turn/deadlines.ts';
export type { HostDecision, HostPolicy } from './policy/host-policy.ts';
export type { Ask, AskAnswer } from './round/permission/answer.ts';
export type {
  CanUseTool,
  CanUseToolOptions,
  PermissionResult,
  PermissionUpdate,
} from './round/permission/can-use-tool.ts';
export type { PermissionQuestion as Question } from './round/permission/person.ts';
export type { AskPlan, PlanAnswer, PlanQuestion } from './round/plan/plan-review.ts';
export { type Machine, systemMachine } from './run/machine.ts';
export type { RunEvent } from './schema/events/events.ts';
export type { CommandResult } from './schema/events/outcome.ts';
export {
  readStreamEvent,
  type StreamEvent,
  type StreamEventOf,
  type StreamType,
} from './schema/events/stream.ts';
export type { Message, ToolCall } from './schema/model/messages.ts';
export type {
  ModelEvent,
  ModelRequest,
  ToolDefinition,
  TurnStatus as ProviderStatus,
  Usage,
} from './schema/model/turn.ts';
export type { Check, Plan, Proof, Subtask, Task } from './schema/plan.ts';
export type { JournalRecord, Located, PauseReason } from './schema/records.ts';
export type { RunState } from './schema/state.ts';
export type { MessageOutcome } from './sessions/message-result.ts';
export type { SessionListing } from './sessions/places.ts';
export type { TranscriptLine } from './sessions/transcripts/export.ts';
export {
  type PlainMessage,
  plainMessages,
  type ReadingMessages,
  readMessages,
} from './sessions/transcripts/imported-messages.ts';
export { type PlainCall, type PlainTool, type Toolset, tool } from './tools/own/plain-tool.ts';
export type { StandardSchema } from './tools/own/standard-schema.ts';
export type { FileDifference } from './undo/differences.ts';
export type { UndoReport } from './undo/report.ts';

/** Pure data: every route with the right it needs, its body and its answer. `openapi.json` is generated from it. */
import { get, post } from './route-row.ts';
import * as runs from './run-schemas.ts';
import * as schemas from './schemas.ts';
import * as sessions from './session-schemas.ts';

const RUN = '/api/runs/{run}';
const SESSION = '/api/sessions/{session}';

const open = get(null);
const observe = get('observe');
const work = post('work');
const create = post('work', 201);
/** The work itself follows the answer. */
const accept = post('work', 202);
const answer = post('answer');

const look = {
  health: open('/health', 'Whether it works', schemas.Health),
  openapi: open('/openapi.json', 'This description', 'any'),
  me: observe('/api/me', 'What this token may do', schemas.Me),
  models: observe('/api/models', 'Models that can be used', schemas.Models),
  workspaces: observe('/api/workspaces', 'Folders that are known', schemas.Workspaces),
  permissions: observe(
    '/api/permissions',
    'What was allowed always, by folder',
    schemas.Permissions,
  ),
  events: observe('/api/events', 'What changes, of all runs; no pieces', 'events'),
  runs: observe('/api/runs', 'Runs of all folders, the latest first', runs.Runs),
  run: observe(RUN, 'Where a run stands', runs.RunDetail),
  runEvents: observe(`${RUN}/events`, 'What it has done and does', 'events'),
  runHistory: observe(`${RUN}/history`, 'The same', runs.HistoryPage),
  runRecord: observe(`${RUN}/records/{seq}`, 'A record', runs.RecordAnswer),
  runPlan: observe(`${RUN}/plan`, 'Its plan', runs.RunPlan),
  runFacts: observe(`${RUN}/facts`, 'What it knows', runs.RunFacts),
  runOutput: observe(`${RUN}/outputs/{action}`, 'What a call gave, in pieces', runs.OutputPiece),
  runDiff: observe(`${RUN}/diff`, 'Files that it changed', runs.Diff),
  sessions: observe('/api/sessions', 'Conversations of all folders', sessions.Sessions),
  session: observe(SESSION, 'Where it stands', sessions.SessionDetail),
  sessionTranscript: observe(`${SESSION}/transcript`, 'What was said', sessions.Transcript),
  sessionStream: observe(`${SESSION}/stream`, 'What happens', 'events', 409),
} as const;

const change = {
  token: post(null, 201)(
    '/api/token',
    'A token for the key of a link; once',
    schemas.KeyBody,
    schemas.TokenAnswer,
    401,
    429,
  ),
  link: post('answer', 201)(
    '/api/links',
    'A new link, good once',
    schemas.LinkBody,
    schemas.LinkAnswer,
  ),
  addWorkspace: create(
    '/api/workspaces',
    'Make a folder known',
    schemas.WorkspaceBody,
    schemas.Workspace,
    422,
  ),
  forgetRule: answer(
    '/api/permissions/forget',
    'Take a lasting permission back',
    schemas.ForgetBody,
    schemas.Forgotten,
    404,
  ),
  startRun: create('/api/runs', 'Begin a run', runs.RunBody, runs.RunBegun, 409, 422, 429),
  typedRun: post('observe')(
    '/api/runs/typed',
    'The command that begins such a run; nothing is begun',
    runs.RunBody,
    runs.TypedCommand,
    422,
  ),
  approveRun: answer(
    `${RUN}/approvals/{id}`,
    'Answer a question',
    runs.Approval,
    runs.Approved,
    410,
  ),
  say: accept(`${RUN}/say`, 'Say something to the model', runs.SayBody, runs.Taken),
  resumeRun: accept(`${RUN}/resume`, 'Go on with it', runs.ResumeBody, runs.RunBegun, 422),
  cancelRun: accept(`${RUN}/cancel`, 'Pause it; it can go on', runs.CancelBody, runs.Taken),
  applyRun: work(
    `${RUN}/apply`,
    'Bring in what it changed and nothing proves',
    runs.CancelBody,
    runs.ApplyAnswer,
    422,
  ),
  undoRun: work(`${RUN}/undo`, 'Put back what it changed', runs.UndoBody, runs.UndoAnswer, 422),
  adoptRun: answer(
    `${RUN}/adopt`,
    'Take over a run that came with its folder; first what that means',
    runs.AgreedBody,
    runs.AdoptAnswer,
    422,
  ),
  repairRun: answer(
    `${RUN}/repair`,
    'Mend the journal of a folder; first what that means',
    runs.AgreedBody,
    runs.RepairAnswer,
    422,
  ),
} as const;

const talk = {
  startSession: create(
    '/api/sessions',
    'Begin a conversation',
    sessions.SessionBody,
    sessions.SessionBegun,
    409,
    422,
    429,
  ),
  chat: accept(
    `${SESSION}/chat`,
    'Say something; the answer comes on the stream',
    sessions.ChatBody,
    sessions.ChatTaken,
  ),
  approveCall: answer(
    `${SESSION}/approvals/{id}`,
    'Answer a question',
    runs.Approval,
    runs.Approved,
    410,
  ),
  resumeSession: work(
    `${SESSION}/resume`,
    'Go on with a conversation from its journal',
    sessions.SessionResume,
    sessions.SessionResumed,
    422,
    429,
  ),
  cancelSession: accept(
    `${SESSION}/cancel`,
    'End the message that is worked on',
    runs.CancelBody,
    runs.Taken,
  ),
  undoSession: work(
    `${SESSION}/undo`,
    'Put back what its messages changed',
    sessions.SessionUndo,
    runs.UndoAnswer,
    422,
  ),
  commandSession: work(
    `${SESSION}/commands`,
    'A command behind a slash, such as /model NAME',
    sessions.CommandBody,
    sessions.CommandAnswer,
  ),
  closeSession: {
    ...get('work')(SESSION, 'Close it; its journal stays', null),
    method: 'DELETE',
    answer: { status: 204, body: null },
  } as const,
} as const;

export const ROUTES = { ...look, ...change, ...talk } as const;

export type RouteName = keyof typeof ROUTES;

/** Routes that accept `Idempotency-Key`. */
export const IDEMPOTENT: ReadonlySet<RouteName> = new Set([
  'startRun',
  'resumeRun',
  'startSession',
] as const);

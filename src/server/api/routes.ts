/** Pure data: every route with the right it needs, its body and its answer. `openapi.json` is generated from it. */
import { answered, answeredOk, created, get, post, taken } from './route-row.ts';
import * as runs from './run-schemas.ts';
import * as schemas from './schemas.ts';
import * as sessions from './session-schemas.ts';

const RUN = '/api/runs/{run}';
const SESSION = '/api/sessions/{session}';

const open = get(null);
const observe = get('observe');
const work = post('work');
const answer = post('answer');

const look = {
  health: open('/health', 'Whether it works', answeredOk(schemas.Health)),
  openapi: open('/openapi.json', 'This description', answeredOk('any')),
  me: observe('/api/me', 'What this token may do', answeredOk(schemas.Me)),
  models: observe('/api/models', 'Models that can be used', answeredOk(schemas.Models)),
  workspaces: observe('/api/workspaces', 'Folders that are known', answeredOk(schemas.Workspaces)),
  permissions: observe(
    '/api/permissions',
    'What was allowed always, by folder',
    answeredOk(schemas.Permissions),
  ),
  events: observe('/api/events', 'What changes, of all runs; no pieces', answeredOk('events')),
  runs: observe('/api/runs', 'Runs of all folders, the latest first', answeredOk(runs.Runs)),
  run: observe(RUN, 'Where a run stands', answeredOk(runs.RunDetail)),
  runEvents: observe(`${RUN}/events`, 'What it has done and does', answeredOk('events')),
  runHistory: observe(`${RUN}/history`, 'The same', answeredOk(runs.HistoryPage)),
  runRecord: observe(`${RUN}/records/{seq}`, 'A record', answeredOk(runs.RecordAnswer)),
  runPlan: observe(`${RUN}/plan`, 'Its plan', answeredOk(runs.RunPlan)),
  runFacts: observe(`${RUN}/facts`, 'What it knows', answeredOk(runs.RunFacts)),
  runOutput: observe(
    `${RUN}/outputs/{action}`,
    'What a call gave, in pieces',
    answeredOk(runs.OutputPiece),
  ),
  runDiff: observe(`${RUN}/diff`, 'Files that it changed', answeredOk(runs.Diff)),
  sessions: observe('/api/sessions', 'Conversations of all folders', answeredOk(sessions.Sessions)),
  session: observe(SESSION, 'Where it stands', answeredOk(sessions.SessionDetail)),
  sessionTranscript: observe(
    `${SESSION}/transcript`,
    'What was said',
    answeredOk(sessions.Transcript),
  ),
  sessionStream: observe(`${SESSION}/stream`, 'What happens', answeredOk('events'), 409),
} as const;

const change = {
  token: post(null)(
    '/api/token',
    'A token for the key of a link; once',
    schemas.KeyBody,
    created(schemas.TokenAnswer),
    401,
    429,
  ),
  link: answer(
    '/api/links',
    'A new link, good once',
    schemas.LinkBody,
    created(schemas.LinkAnswer),
  ),
  addWorkspace: work(
    '/api/workspaces',
    'Make a folder known',
    schemas.WorkspaceBody,
    created(schemas.Workspace),
    422,
  ),
  forgetRule: answer(
    '/api/permissions/forget',
    'Take a lasting permission back',
    schemas.ForgetBody,
    answeredOk(schemas.Forgotten),
    404,
  ),
  startRun: work('/api/runs', 'Begin a run', runs.RunBody, created(runs.RunBegun), 409, 422, 429),
  typedRun: post('observe')(
    '/api/runs/typed',
    'The command that begins such a run; nothing is begun',
    runs.RunBody,
    answeredOk(runs.TypedCommand),
    422,
  ),
  approveRun: answer(
    `${RUN}/approvals/{id}`,
    'Answer a question',
    runs.Approval,
    answeredOk(runs.Approved),
    410,
  ),
  say: work(`${RUN}/say`, 'Say something to the model', runs.SayBody, taken(runs.Taken)),
  resumeRun: work(`${RUN}/resume`, 'Go on with it', runs.ResumeBody, taken(runs.RunBegun), 422),
  cancelRun: work(`${RUN}/cancel`, 'Pause it; it can go on', runs.CancelBody, taken(runs.Taken)),
  applyRun: work(
    `${RUN}/apply`,
    'Bring in what it changed and nothing proves',
    runs.CancelBody,
    answeredOk(runs.ApplyAnswer),
    422,
  ),
  undoRun: work(
    `${RUN}/undo`,
    'Put back what it changed',
    runs.UndoBody,
    answeredOk(runs.UndoAnswer),
    422,
  ),
  adoptRun: answer(
    `${RUN}/adopt`,
    'Take over a run that came with its folder; first what that means',
    runs.AgreedBody,
    answeredOk(runs.AdoptAnswer),
    422,
  ),
  repairRun: answer(
    `${RUN}/repair`,
    'Mend the journal of a folder; first what that means',
    runs.AgreedBody,
    answeredOk(runs.RepairAnswer),
    422,
  ),
} as const;

const talk = {
  startSession: work(
    '/api/sessions',
    'Begin a conversation',
    sessions.SessionBody,
    created(sessions.SessionBegun),
    409,
    422,
    429,
  ),
  chat: work(
    `${SESSION}/chat`,
    'Say something; the answer comes on the stream',
    sessions.ChatBody,
    taken(sessions.ChatTaken),
  ),
  approveCall: answer(
    `${SESSION}/approvals/{id}`,
    'Answer a question',
    runs.Approval,
    answeredOk(runs.Approved),
    410,
  ),
  resumeSession: work(
    `${SESSION}/resume`,
    'Go on with a conversation from its journal',
    sessions.SessionResume,
    answeredOk(sessions.SessionResumed),
    422,
    429,
  ),
  cancelSession: work(
    `${SESSION}/cancel`,
    'End the message that is worked on',
    runs.CancelBody,
    taken(runs.Taken),
  ),
  undoSession: work(
    `${SESSION}/undo`,
    'Put back what its messages changed',
    sessions.SessionUndo,
    answeredOk(runs.UndoAnswer),
    422,
  ),
  commandSession: work(
    `${SESSION}/commands`,
    'A command behind a slash, such as /model NAME',
    sessions.CommandBody,
    answeredOk(sessions.CommandAnswer),
  ),
  closeSession: {
    ...get('work')(SESSION, 'Close it; its journal stays', answered(204)(null)),
    method: 'DELETE',
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

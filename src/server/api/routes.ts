/** Pure data: every route with the right it needs, its body and its answer. `openapi.json` is generated from it. */
import type * as z from 'zod';
import * as runs from './run-schemas.ts';
import * as schemas from './schemas.ts';
import * as sessions from './session-schemas.ts';

export interface RouteRow<Body extends z.ZodType | null = z.ZodType | null> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Each name in braces stands for one segment of the path. */
  readonly path: string;
  /** `null`: no token is needed. */
  readonly right: schemas.Right | null;
  readonly about: string;
  readonly body: Body;
  readonly answer: Answer;
  /** Statuses of problems, besides those of every route. */
  readonly problems: readonly number[];
}

interface Answer {
  readonly status: 200 | 201 | 202 | 204;
  /** `null`: none; `events`: a stream of them. */
  readonly body: z.ZodType | 'events' | 'any' | null;
}

const answered =
  (status: Answer['status']) =>
  (body: Answer['body']): Answer => ({ status, body });
const ok = answered(200);
const created = answered(201);
const taken = answered(202);

type Right = schemas.Right | null;

const get = (
  path: string,
  right: Right,
  about: string,
  answer: Answer,
  ...problems: readonly number[]
): RouteRow<null> => ({ method: 'GET', path, right, about, body: null, answer, problems });

const post = <Body extends z.ZodType | null>(
  path: string,
  right: Right,
  about: string,
  body: Body,
  answer: Answer,
  ...problems: readonly number[]
): RouteRow<Body> => ({ method: 'POST', path, right, about, body, answer, problems });

const RUN = '/api/runs/{run}';
const SESSION = '/api/sessions/{session}';

const look = {
  health: get('/health', null, 'Whether it works', ok(schemas.Health)),
  openapi: get('/openapi.json', null, 'This description', ok('any')),
  me: get('/api/me', 'observe', 'What this token may do', ok(schemas.Me)),
  models: get('/api/models', 'observe', 'Models that can be used', ok(schemas.Models)),
  workspaces: get('/api/workspaces', 'observe', 'Folders that are known', ok(schemas.Workspaces)),
  events: get('/api/events', 'observe', 'What changes, of all runs; no pieces', ok('events')),
  runs: get('/api/runs', 'observe', 'Runs of all folders, the latest first', ok(runs.Runs)),
  run: get(RUN, 'observe', 'Where a run stands', ok(runs.RunDetail), 404),
  runEvents: get(`${RUN}/events`, 'observe', 'What it has done and does', ok('events'), 404),
  runHistory: get(`${RUN}/history`, 'observe', 'The same', ok(runs.HistoryPage), 404),
  runRecord: get(`${RUN}/records/{seq}`, 'observe', 'A record', ok(runs.RecordAnswer), 404),
  runPlan: get(`${RUN}/plan`, 'observe', 'Its plan', ok(runs.RunPlan), 404),
  runFacts: get(`${RUN}/facts`, 'observe', 'What it knows', ok(runs.RunFacts), 404),
  runOutput: get(
    `${RUN}/outputs/{action}`,
    'observe',
    'What a call gave, in pieces',
    ok(runs.OutputPiece),
    404,
  ),
  runDiff: get(`${RUN}/diff`, 'observe', 'Files that it changed', ok(runs.Diff), 404),
  sessions: get('/api/sessions', 'observe', 'Conversations of all folders', ok(sessions.Sessions)),
  session: get(SESSION, 'observe', 'Where it stands', ok(sessions.SessionDetail), 404),
  sessionTranscript: get(
    `${SESSION}/transcript`,
    'observe',
    'What was said',
    ok(sessions.Transcript),
    404,
  ),
  sessionStream: get(`${SESSION}/stream`, 'observe', 'What happens', ok('events'), 404, 409),
} as const;

const change = {
  token: post(
    '/api/token',
    null,
    'A token for the key of a link; once',
    schemas.KeyBody,
    created(schemas.TokenAnswer),
    401,
    429,
  ),
  link: post(
    '/api/links',
    'answer',
    'A new link, good once',
    schemas.LinkBody,
    created(schemas.LinkAnswer),
  ),
  addWorkspace: post(
    '/api/workspaces',
    'work',
    'Make a folder known',
    schemas.WorkspaceBody,
    created(schemas.Workspace),
    422,
  ),
  startRun: post(
    '/api/runs',
    'work',
    'Begin a run',
    runs.RunBody,
    created(runs.RunBegun),
    409,
    422,
    429,
  ),
  typedRun: post(
    '/api/runs/typed',
    'observe',
    'The command that begins such a run; nothing is begun',
    runs.RunBody,
    ok(runs.TypedCommand),
    422,
  ),
  approveRun: post(
    `${RUN}/approvals/{id}`,
    'answer',
    'Answer a question',
    runs.Approval,
    ok(runs.Approved),
    404,
    409,
    410,
  ),
  say: post(
    `${RUN}/say`,
    'work',
    'Say something to the model',
    runs.SayBody,
    taken(runs.Taken),
    404,
    409,
  ),
  resumeRun: post(
    `${RUN}/resume`,
    'work',
    'Go on with it',
    runs.ResumeBody,
    taken(runs.RunBegun),
    404,
    409,
    422,
  ),
  cancelRun: post(
    `${RUN}/cancel`,
    'work',
    'Pause it; it can go on',
    runs.CancelBody,
    taken(runs.Taken),
    404,
    409,
  ),
  undoRun: post(
    `${RUN}/undo`,
    'work',
    'Put back what it changed',
    runs.UndoBody,
    ok(runs.UndoAnswer),
    404,
    409,
    422,
  ),
  adoptRun: post(
    `${RUN}/adopt`,
    'answer',
    'Take over a run that came with its folder; first what that means',
    runs.AgreedBody,
    ok(runs.AdoptAnswer),
    404,
    409,
    422,
  ),
  repairRun: post(
    `${RUN}/repair`,
    'answer',
    'Mend the journal of a folder; first what that means',
    runs.AgreedBody,
    ok(runs.RepairAnswer),
    404,
    409,
    422,
  ),
} as const;

const talk = {
  startSession: post(
    '/api/sessions',
    'work',
    'Begin a conversation',
    sessions.SessionBody,
    created(sessions.SessionBegun),
    409,
    422,
    429,
  ),
  chat: post(
    `${SESSION}/chat`,
    'work',
    'Say something; the answer comes on the stream',
    sessions.ChatBody,
    taken(sessions.ChatTaken),
    404,
    409,
  ),
  approveCall: post(
    `${SESSION}/approvals/{id}`,
    'answer',
    'Answer a question',
    runs.Approval,
    ok(runs.Approved),
    404,
    409,
    410,
  ),
  resumeSession: post(
    `${SESSION}/resume`,
    'work',
    'Go on with a conversation from its journal',
    sessions.SessionResume,
    ok(sessions.SessionResumed),
    404,
    409,
    422,
    429,
  ),
  cancelSession: post(
    `${SESSION}/cancel`,
    'work',
    'End the message that is worked on',
    runs.CancelBody,
    taken(runs.Taken),
    404,
    409,
  ),
  undoSession: post(
    `${SESSION}/undo`,
    'work',
    'Put back what its messages changed',
    sessions.SessionUndo,
    ok(runs.UndoAnswer),
    404,
    409,
    422,
  ),
  commandSession: post(
    `${SESSION}/commands`,
    'work',
    'A command behind a slash, such as /model NAME',
    sessions.CommandBody,
    ok(sessions.CommandAnswer),
    404,
    409,
  ),
  closeSession: {
    ...get(SESSION, 'work', 'Close it; its journal stays', answered(204)(null), 404),
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

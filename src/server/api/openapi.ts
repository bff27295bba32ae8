/** Pure: builds OpenAPI 3.1 from the table of routes; OpenAPI 3.1 uses the JSON Schema dialect of these schemas. */
import * as z from 'zod';
import type { RouteRow } from './route-row.ts';
import { IDEMPOTENT, ROUTES, type RouteName } from './routes.ts';
import { Problem } from './schemas.ts';

/** Statuses of every route, of routes that need a token, and of routes that take a body. */
const EVERY = [400, 403, 405, 421, 429, 500, 503];
const WITH_TOKEN = [401];
const WITH_BODY = [413, 415];

export function openApi(version: string): object {
  const paths: { [path: string]: { [method: string]: object } } = {};
  for (const [name, row] of Object.entries(ROUTES) as [RouteName, RouteRow][])
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(name, row) };
  return {
    openapi: '3.1.0',
    info: { title: 'Tardigrade', version, description: 'What the server answers.' },
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: schemaOf(Problem) },
    },
  };
}

function operation(name: RouteName, row: RouteRow): object {
  const { right, about, body, problems, method } = row;
  const statuses = [
    ...EVERY,
    ...problems,
    ...(right === null ? [] : WITH_TOKEN),
    ...(method === 'GET' ? [] : WITH_BODY),
  ];
  return {
    operationId: name,
    summary: about,
    security: right === null ? [] : [{ token: [] }],
    ...(right === null ? {} : { 'x-right': right }),
    parameters: parametersOf(name, row),
    ...(body === null
      ? {}
      : { requestBody: { required: true, content: json(schemaOf(body, 'input')) } }),
    responses: {
      [row.answer.status]: answerOf(row),
      ...Object.fromEntries(statuses.toSorted().map((status) => [status, PROBLEM])),
    },
  };
}

const PROBLEM = {
  description: 'Why not',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

function answerOf({ answer, about }: RouteRow): object {
  const { body } = answer;
  const content =
    body === null
      ? {}
      : body === 'events'
        ? { content: { 'text/event-stream': { schema: { type: 'string' } } } }
        : { content: json(body === 'any' ? {} : schemaOf(body)) };
  return { description: about, ...content };
}

function parametersOf(name: RouteName, { path }: RouteRow): readonly object[] {
  const text = { schema: { type: 'string' } };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, word]) => ({
    name: word,
    in: 'path',
    required: true,
    ...text,
  }));
  const inQuery = Object.entries(QUERIES[name] ?? {}).map(([word, description]) => ({
    name: word,
    in: 'query',
    description,
    ...text,
  }));
  const headers = [
    ...(IDEMPOTENT.has(name) ? ['Idempotency-Key'] : []),
    ...(ROUTES[name].answer.body === 'events' ? ['Last-Event-ID'] : []),
  ].map((word) => ({ name: word, in: 'header', ...text }));
  return [...inPath, ...inQuery, ...headers];
}

const json = (schema: object) => ({ 'application/json': { schema } });

function schemaOf(type: z.ZodType, io: 'input' | 'output' = 'output'): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io });
  return schema;
}

const PAGED = { limit: 'At most so many; 50', after: 'The next of the page before' };
const STREAMED = {
  after: 'The id of the event that was heard last; the header Last-Event-ID goes before it',
  records: '1: events of type record as well',
  pieces: '0: no pieces of text',
  names: 'tardigrade or seed: which names events have',
};

/** Query parameters, with what each is for. */
const QUERIES: { readonly [Name in RouteName]?: { readonly [word: string]: string } } = {
  runs: { workspace: 'Of the folder with this id', ...PAGED },
  runEvents: STREAMED,
  runHistory: { ...PAGED, records: STREAMED.records },
  runOutput: { from: 'Characters before the piece; 0' },
  runDiff: { path: 'One file, with its patch' },
  sessionStream: { ...STREAMED, observe: '1: beside the holder' },
};

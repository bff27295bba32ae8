/** What a row of the table of routes says, and how one is written. */
import type * as z from 'zod';
import type * as schemas from './schemas.ts';

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

export const answered =
  (status: Answer['status']) =>
  (body: Answer['body']): Answer => ({ status, body });
export const answeredOk = answered(200);
export const created = answered(201);
export const taken = answered(202);

type Right = schemas.Right | null;

/** A path with a part in braces names something that may not exist. */
const missingIn = (path: string): readonly number[] => (path.includes('{') ? [404] : []);

/** The object of an action may not be in a state for it. */
const unfitIn = (path: string): readonly number[] => (path.includes('{') ? [404, 409] : []);

/** @param more statuses of problems, besides those that follow from the path */
export const get =
  (right: Right) =>
  (path: string, about: string, answer: Answer, ...more: readonly number[]): RouteRow<null> => {
    const problems = [...missingIn(path), ...more];
    return { method: 'GET', path, right, about, body: null, answer, problems };
  };

/** The same. */
export const post =
  (right: Right) =>
  <Body extends z.ZodType | null>(
    path: string,
    about: string,
    body: Body,
    answer: Answer,
    ...more: readonly number[]
  ): RouteRow<Body> => {
    const problems = [...unfitIn(path), ...more];
    return { method: 'POST', path, right, about, body, answer, problems };
  };

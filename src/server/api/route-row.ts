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

type Right = schemas.Right | null;

/** A path with a part in braces names something that may not exist. */
const hasPart = (path: string): boolean => path.includes('{');

/** @param more statuses of problems, besides those that follow from the path */
export const get =
  (right: Right) =>
  (
    path: string,
    about: string,
    answer: Answer['body'],
    ...more: readonly number[]
  ): RouteRow<null> => {
    const problems = [...(hasPart(path) ? [404] : []), ...more];
    const asked = { method: 'GET', path, right, about, body: null } as const;
    return { ...asked, answer: { status: 200, body: answer }, problems };
  };

/** The same; what is named may also not be in a state for it. */
export const post =
  (right: Right, status: Answer['status'] = 200) =>
  <Body extends z.ZodType | null>(
    path: string,
    about: string,
    body: Body,
    answer: Answer['body'],
    ...more: readonly number[]
  ): RouteRow<Body> => {
    const problems = [...(hasPart(path) ? [404, 409] : []), ...more];
    return { method: 'POST', path, right, about, body, answer: { status, body: answer }, problems };
  };

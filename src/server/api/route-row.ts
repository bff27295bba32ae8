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
export const ok = answered(200);
export const created = answered(201);
export const taken = answered(202);

type Right = schemas.Right | null;

export const get = (
  path: string,
  right: Right,
  about: string,
  answer: Answer,
  ...problems: readonly number[]
): RouteRow<null> => ({ method: 'GET', path, right, about, body: null, answer, problems });

export const post = <Body extends z.ZodType | null>(
  path: string,
  right: Right,
  about: string,
  body: Body,
  answer: Answer,
  ...problems: readonly number[]
): RouteRow<Body> => ({ method: 'POST', path, right, about, body, answer, problems });

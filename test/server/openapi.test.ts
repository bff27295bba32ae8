import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApi } from '../../src/server/api/openapi.ts';
import { ROUTES } from '../../src/server/api/routes.ts';

const described = openApi('1.2.3') as {
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } };
};

test('the description names every route once, with every part of its path', () => {
  const named = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const rows = Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`);
  expect(named.toSorted()).toEqual(rows.toSorted());
  expect(new Set(rows).size).toBe(rows.length);
});

test('the page for contributors has a row for every route', () => {
  const page = readFileSync('docs/internals/http-api.md', 'utf8');
  const told = [...page.matchAll(/^\| (GET|POST|DELETE) `([^`?]+)/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const rows = Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`);
  expect(told.toSorted()).toEqual(rows.toSorted());
});

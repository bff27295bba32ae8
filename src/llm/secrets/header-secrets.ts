/** Pure: the secrets in a provider's headers. */

const SECRET_HEADER = /auth|key|token|secret|cookie/i;
/** A shorter value is a word. */
const SHORTEST = 4;

/** The values of headers that carry credentials, also without their scheme. */
export const secretsInHeaders = (
  headers: Readonly<Record<string, string>> = {},
): readonly string[] =>
  Object.entries(headers)
    .filter(([name]) => SECRET_HEADER.test(name))
    .flatMap(([, value]) => [value.trim(), value.trim().replace(/^\w+ +/, '')]);

/** Longest first, so that no secret leaves a part of a longer one behind. */
export const secretsAmong = (values: readonly string[]): readonly string[] =>
  [...new Set(values)]
    .filter((secret) => secret.length >= SHORTEST)
    .sort((one, other) => other.length - one.length);

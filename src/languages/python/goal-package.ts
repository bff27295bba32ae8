/**
 * The package that a goal asks for: in Python a folder, and not a module. The word alone may mean a
 * parcel, a file called package.json or what npm installs, so it counts only as what is to be made.
 * Pure.
 */

/** `create a small mathx package`, `turn it into a package`. */
const TO_BE_MADE =
  /\b(?:create|make|write|build|develop|implement|set up|start|need|want|like|give me|into)\s+(?:me\s+|us\s+)?(?:a|an|the|one|another)\s+((?:(?!(?:an?|the|about|of|for|with|in|on|to|from|and)\s)[\w-]+\s+){0,3}?)package(?![-_\w/\\]|\.\w)(.*)/is;
/** Whose packages are none of Python's. */
const OTHERS = /\b(?:npm|node|node\.?js|javascript|js|typescript|ts|go|golang|debian|deb|rpm|r)\b/i;
/** `package tracker`: the next word says what it is about. */
const IS_ALL =
  /^\s*(?:$|[.,;:!?(–—-]|(?:with|called|named|that|which|whose|for|from|in|and|of|out|having|containing|holding|to|please|where)\b)/i;
const ORDINARY =
  /^(?:python|new|small|simple|tiny|little|short|single|minimal|basic|installable|whole|separate|complete|proper|reusable|good|nice|own|real|py|pip|first|second|local|clean)$/i;

/** Its name, '' where it has none; `null` where the goal asks for no package. */
export function packageAskedFor(goal: string): string | null {
  const found = TO_BE_MADE.exec(goal);
  const [, before = '', behind = ''] = found ?? [];
  if (found === null || OTHERS.test(before)) return null;
  const name = /^\s+([A-Za-z_]\w*)/.exec(behind)?.[1] ?? '';
  // Named where the goal also names what lies in it, or what is imported from it.
  if (name !== '' && new RegExp(`\\b${name}(?:/|\\.\\w)|\\b(?:from|import) ${name}\\b`).test(goal))
    return name;
  if (!IS_ALL.test(behind)) return null;
  const called = /^\s+(?:called|named)\s+[`"']?([A-Za-z_]\w*)/i.exec(behind)?.[1];
  const last = before.trim().split(/\s+/).at(-1) ?? '';
  return called ?? (/^[a-z_]\w*$/i.test(last) && !ORDINARY.test(last) ? last : '');
}

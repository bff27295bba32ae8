import { describe, expect, it } from 'vitest';
import { python } from '../../../src/languages/python/python.ts';

describe('a Python file that only defines', () => {
  it.each([
    'def add(a, b):\n    return a + b\n',
    '"""Rooms.\n\nprint(1)\n"""\nimport math\n\nSIZE: int = 3\n\n\n@cache\ndef area(\n    a,\n):\n    return a\n\n\nclass Room:\n    pass\n',
    '__all__ = ["f"]\n\n\nasync def f():\n    pass\n',
  ])('does nothing when it is run: %j', (text) => {
    expect(python.onlyDefines?.(text)).toBe(true);
  });

  it.each([
    'print("hello")\n',
    'def main():\n    print(1)\n\n\nmain()\n',
    'def main():\n    print(1)\n\n\nif __name__ == "__main__":\n    main()\n',
    'SIZE = 3\n',
    'def f():\n    pass\nfor x in [1]:\n    f()\n',
    '',
  ])('or does something: %j', (text) => {
    expect(python.onlyDefines?.(text)).toBe(false);
  });
});

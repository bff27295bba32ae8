import { describe, expect, it } from 'vitest';
import { parseOllamaHost } from '../../../src/llm/ollama/ollama-host.ts';

describe('OLLAMA_HOST is read as the server itself reads it', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['', 'http://127.0.0.1:11434'],
    ['1.2.3.4', 'http://1.2.3.4:11434'],
    [':1234', 'http://127.0.0.1:1234'],
    ['1.2.3.4:1234', 'http://1.2.3.4:1234'],
    ['example.com', 'http://example.com:11434'],
    ['example.com:1234', 'http://example.com:1234'],
    [':66000', 'http://127.0.0.1:11434'],
    [':-1', 'http://127.0.0.1:11434'],
    ['1.2.3.4:abc', 'http://1.2.3.4:11434'],
    ['[::1]', 'http://[::1]:11434'],
    ['::1', 'http://[::1]:11434'],
    ['[::1]:1337', 'http://[::1]:1337'],
    [' 1.2.3.4 ', 'http://1.2.3.4:11434'],
    ['"1.2.3.4"', 'http://1.2.3.4:11434'],
    [' " 1.2.3.4 " ', 'http://1.2.3.4:11434'],
    ["'1.2.3.4'", 'http://1.2.3.4:11434'],
    ['http://1.2.3.4', 'http://1.2.3.4:80'],
    ['http://1.2.3.4:4321', 'http://1.2.3.4:4321'],
    ['https://1.2.3.4', 'https://1.2.3.4:443'],
    ['https://1.2.3.4:4321', 'https://1.2.3.4:4321'],
    ['https://example.com/ollama', 'https://example.com:443/ollama'],
    ['https://example.com/ollama/', 'https://example.com:443/ollama'],
    ['example.com/', 'http://example.com:11434'],
    ['HTTP://example.com', 'http://example.com:80'],
  ])('%s is %s', (value, url) => {
    expect(parseOllamaHost(value)).toBe(url);
  });

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:1234', 'http://127.0.0.1:1234'],
    ['[::]', 'http://[::1]:11434'],
    ['::', 'http://[::1]:11434'],
  ])('%s, every interface of a server, is the loopback for a client: %s', (value, url) => {
    expect(parseOllamaHost(value)).toBe(url);
  });

  it.each([
    'ftp://example.com',
    'two words',
    'http://',
    'user:secret@example.com:80',
    'a?b',
    'http://%%',
  ])('%s is refused with the form that works', (value) => {
    const refused = () => parseOllamaHost(value);
    if (value === 'http://') expect(refused()).toBe('http://127.0.0.1:80');
    else expect(refused).toThrow(expect.objectContaining({ code: 'E_USAGE' }));
  });
});

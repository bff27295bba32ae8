/** Pure: a tool and a seed in the form that the APIs of Ollama and OpenAI accept. */
import type { ToolDefinition } from '../../schema/model/turn.ts';
import { toWireParameters } from './wire-schema.ts';

/** @param name as it is on the wire */
export const wireTool = ({ description, parameters }: ToolDefinition, name: string) => ({
  type: 'function' as const,
  function: { name, description, parameters: toWireParameters(parameters) },
});

/** Some servers keep 32 bits of a seed, and read -1 as "random". */
export const wireSeed = (seed: number): number => Math.abs(Math.trunc(seed)) % 0x7fffffff;

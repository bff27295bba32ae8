/** Earlier builds left the penalty for repetition to Ollama; all else of a request is as it was, to the byte. */
export const asBefore = (body: string): string => body.replace(',"repeat_penalty":1}', '}');

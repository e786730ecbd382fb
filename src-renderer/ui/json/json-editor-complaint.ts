import { jsonMistakeAt } from './json-mistake.ts';

export interface JsonComplaint {
  /** From 1. */
  line: number;
  /** The parser's message, without its position. */
  message: string;
}

/** Why a text is not JSON and in which line; null when it is JSON or blank. */
export function jsonComplaint(text: string): JsonComplaint | null {
  if (text.trim() === '') return null;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const { message } = error as SyntaxError;
    return {
      line: text.slice(0, jsonMistakeAt(text)).split('\n').length,
      message: message.replace(/ (?:in JSON )?at (?:position|line) .*$/u, '').replace(/^JSON\.parse: /, ''),
    };
  }
}

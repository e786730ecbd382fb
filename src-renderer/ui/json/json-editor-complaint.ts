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
    const position = /position (\d+)/.exec(message)?.[1];
    const line = /line (\d+)/.exec(message)?.[1];
    // Browsers report the position in different ways; a text that ends too early fails in its last line.
    const at = position === undefined ? text.length : Number(position);
    return {
      line: line === undefined ? text.slice(0, at).split('\n').length : Number(line),
      message: message.replace(/ (?:in JSON )?at (?:position|line) .*$/u, '').replace(/^JSON\.parse: /, ''),
    };
  }
}

import { MAX_PATTERN_LENGTH } from '../contract.ts';

/** A pattern that is safe to run on untrusted text, or why not. */
export type PatternVerdict = { ok: true; pattern: RegExp } | { ok: false; kind: 'tooLong' | 'invalid'; reason: string };

/**
 * Compiles an operator's User-Agent pattern. Only patterns that a linear-time engine can run are accepted, because the
 * text is untrusted: no lookaround, no backreference, and no repetition of something that itself repeats or has
 * alternatives. A leading flag group such as `(?i)` is turned into flags.
 */
export function compilePattern(source: string): PatternVerdict {
  if (source.length > MAX_PATTERN_LENGTH) return { ok: false, kind: 'tooLong', reason: '' };
  const leading = /^\(\?([ims]+)\)/.exec(source);
  const body = leading === null ? source : source.slice(leading[0].length);
  const flags = [...new Set(leading?.[1] ?? '')].join('');
  try {
    const pattern = new RegExp(body, flags);
    const objection = findObjection(body);
    return objection === null ? { ok: true, pattern } : { ok: false, kind: 'invalid', reason: objection };
  } catch (error) {
    return { ok: false, kind: 'invalid', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Linear engines unroll counted repetitions and so limit them, too. */
const MAX_REPEATS = 1000;

interface Group {
  /** Whether it contains a repetition or an alternative. */
  hasChoice: boolean;
}

/** Walks a compiled pattern and returns the first part that can cost more than linear time; null when there is none. */
function findObjection(body: string): string | null {
  const groups: Group[] = [{ hasChoice: false }];
  let closed: Group | null = null;
  for (let at = 0; at < body.length; at++) {
    const rest = body.slice(at, at + 4);
    const char = rest[0]!;
    if (char === '\\') {
      if (/^\\[1-9]/.test(rest) || rest.startsWith('\\k')) return 'backreferences are not supported';
      at++;
      closed = null;
    } else if (char === '[') {
      at = endOfClass(body, at);
      closed = null;
    } else if (char === '(') {
      if (/^\(\?<?[=!]/.test(rest)) return 'lookahead and lookbehind are not supported';
      groups.push({ hasChoice: false });
      if (rest.startsWith('(?')) at++;
      closed = null;
    } else if (char === ')') {
      closed = groups.pop()!;
      if (closed.hasChoice) groups.at(-1)!.hasChoice = true;
    } else if (char === '|') {
      groups.at(-1)!.hasChoice = true;
      closed = null;
    } else {
      const repetition = /^(?:[*+]|\{\d+(?:,\d*)?\})/.exec(body.slice(at, at + 24))?.[0];
      if (repetition !== undefined) {
        if (/\d/.test(repetition) && Math.max(...repetition.match(/\d+/g)!.map(Number)) > MAX_REPEATS)
          return `a repetition count must be at most ${MAX_REPEATS}`;
        if (closed?.hasChoice === true) return 'a repeated group must not repeat or choose inside';
        groups.at(-1)!.hasChoice = true;
        at += repetition.length - 1;
      } else if (char === '?') {
        groups.at(-1)!.hasChoice = true;
      }
      closed = null;
    }
  }
  return null;
}

/** Position of the `]` that ends the character class at `start`. */
function endOfClass(body: string, start: number): number {
  for (let at = start + 1; at < body.length; at++) {
    if (body[at] === '\\') at++;
    else if (body[at] === ']') return at;
  }
  return body.length;
}

/** A piece of a remark template: literal text, or a token by name. */
export type Piece = { text: string } | { token: string };

/** Where a remark is shown; decides which parts of the template it may show. */
export type RemarkContext =
  /** First link of a subscription: everything. */
  | 'first'
  /** Later links of a subscription: no usage, no name of the client. */
  | 'repeat'
  /** Later links when the settings keep the client's name on all of them: no usage. */
  | 'repeatNamed'
  /**
   * Pages, QR codes and lists of links: no usage, nothing about the connection. A shared code must not reveal a quota.
   */
  | 'display';

const ALIASES: Readonly<Record<string, string>> = {
  EMAIL: 'EMAIL',
  DATA_USAGE: 'TRAFFIC_USED',
  DATA_LEFT: 'TRAFFIC_LEFT',
  DATA_LIMIT: 'TRAFFIC_TOTAL',
  DAYS_LEFT: 'DAYS_LEFT',
  EXPIRE_DATE: 'EXPIRE_DATE',
  JALALI_EXPIRE_DATE: 'JALALI_EXPIRE_DATE',
  TIME_LEFT: 'TIME_LEFT',
  STATUS_EMOJI: 'STATUS_EMOJI',
  USAGE_PERCENTAGE: 'USAGE_PERCENTAGE',
  PROTOCOL: 'PROTOCOL',
  TRANSPORT: 'TRANSPORT',
  SECURITY: 'SECURITY',
};
const isUsage = (token: string): boolean =>
  token.startsWith('TRAFFIC_') ||
  [
    'UP',
    'DOWN',
    'DAYS_LEFT',
    'EXPIRE_DATE',
    'EXPIRE_UNIX',
    'STATUS',
    'STATUS_EMOJI',
    'USAGE_PERCENTAGE',
    'TIME_LEFT',
    'JALALI_EXPIRE_DATE',
  ].includes(token);
const REMOVED: Readonly<Record<RemarkContext, (token: string) => boolean>> = {
  first: () => false,
  repeat: (token) => isUsage(token) || token === 'EMAIL' || token === 'USERNAME',
  repeatNamed: isUsage,
  display: (token) => isUsage(token) || ['PROTOCOL', 'TRANSPORT', 'SECURITY'].includes(token),
};

/** Segments of a template in a context; null when it has no tokens and is used unchanged. */
export function segmentsOf(template: string, context: RemarkContext): Piece[][] | null {
  const translated = template.replaceAll(/(?<!\{)\{([A-Z_]+)\}(?!\})/g, (whole, name: string) =>
    ALIASES[name] === undefined ? whole : `{{${ALIASES[name]}}}`,
  );
  if (!translated.includes('{{')) return null;
  const segments = translated.split('|').map(piecesOf);
  if (context === 'first') return segments;
  return segments.map((pieces) => without(pieces, REMOVED[context])).filter((pieces) => pieces.length > 0);
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(/\{\{([A-Z_]+)\}\}/g)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index) });
    pieces.push({ token: match[1] ?? '' });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}

/** Splits at every removed token; literal text next to it disappears with it. */
function without(pieces: readonly Piece[], isRemoved: (token: string) => boolean): Piece[] {
  if (!pieces.some((piece) => 'token' in piece && isRemoved(piece.token))) return trimmed(pieces);
  const runs: Piece[][] = [[]];
  for (const piece of pieces) {
    if ('token' in piece && isRemoved(piece.token)) runs.push([]);
    else runs.at(-1)?.push(piece);
  }
  const kept = runs
    .map((run, index) => {
      const first = run.findIndex((piece) => 'token' in piece);
      const last = run.findLastIndex((piece) => 'token' in piece);
      if (first < 0) return [];
      return trimmed(run.slice(index > 0 ? first : 0, index < runs.length - 1 ? last + 1 : run.length));
    })
    .filter((run) => run.length > 0);
  return kept.flatMap((run, index) => (index === 0 ? run : [{ text: ' ' }, ...run]));
}

function trimmed(pieces: readonly Piece[]): Piece[] {
  const copy = [...pieces];
  const [head] = copy;
  if (head !== undefined && 'text' in head) copy[0] = { text: head.text.trimStart() };
  const tail = copy.at(-1);
  if (tail !== undefined && 'text' in tail) copy[copy.length - 1] = { text: tail.text.trimEnd() };
  return copy.filter((piece) => 'token' in piece || piece.text !== '');
}

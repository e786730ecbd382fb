import { segmentsOf, type Piece, type RemarkContext } from './template.ts';
import { isReal, tokenValue, type RemarkFacts } from './values.ts';

/** A remark template, parsed once for each context. */
export interface RemarkTemplate {
  /** The name of a link. */
  render(facts: RemarkFacts, context: RemarkContext): string;
}

/**
 * An empty template means inbound, host and e-mail, those that exist, joined with dashes.
 * @param otherwise where nothing is left of the template; the inbound's remark by default.
 */
export function compileRemark(template: string, otherwise?: string): RemarkTemplate {
  const compiled = new Map<RemarkContext, Piece[][] | null>();
  return {
    render(facts, context) {
      const { endpoint, client } = facts;
      if (template === '')
        return [endpoint.inboundRemark, endpoint.remark, client.email].filter((part) => part !== '').join('-');
      let segments = compiled.get(context);
      if (segments === undefined) compiled.set(context, (segments = segmentsOf(template, context)));
      if (segments === null) return template;
      const text = segments
        .map((pieces) => expand(pieces, facts))
        .filter((segment) => segment !== null)
        .join('|');
      return text.trim() === '' ? (otherwise ?? endpoint.inboundRemark) : text;
    },
  };
}

/** The remark of a host, with tokens of its own; its words stay where no token of it shows anything. */
export function compileHostRemark(remark: string): RemarkTemplate {
  const pieces = segmentsOf(remark, 'first')?.flat() ?? [];
  const words = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
  const template = compileRemark(remark, words.trim());
  return {
    render: (facts, context) => template.render({ ...facts, endpoint: { ...facts.endpoint, remark: '' } }, context),
  };
}

/** One segment; null when all of its tokens are empty. */
function expand(pieces: readonly Piece[], facts: RemarkFacts): string | null {
  const values = pieces.map((piece) => ('token' in piece ? tokenValue(piece.token, facts) : piece.text));
  const tokens = pieces.flatMap((piece, at) =>
    'token' in piece ? [{ token: piece.token, value: values[at] ?? '' }] : [],
  );
  if (tokens.length > 0 && !tokens.some(({ token, value }) => isReal(token, value))) return null;
  let hasSpoken = false;
  let text = '';
  pieces.forEach((piece, at) => {
    const value = values[at] ?? '';
    if ('token' in piece) {
      hasSpoken ||= value !== '';
      text += value;
      return;
    }
    const isJoint = /^ *- *$/.test(value) && isToken(pieces[at - 1]) && isToken(pieces[at + 1]);
    if (isJoint && (!hasSpoken || values[at + 1] === '')) return;
    text += value;
  });
  return text;
}

const isToken = (piece: Piece | undefined): boolean => piece !== undefined && 'token' in piece;

/** Links in the body of a provider's subscription, plain or base64, in order and unchanged. */
export function linesOf(body: string): string[] {
  const lines: string[] = [];
  for (const line of decoded(body.trim()).split(/[\r\n]+|\\n/)) {
    const link = line.trim();
    if (link.includes('://') && !link.startsWith('#') && !/\p{Cc}/u.test(link)) lines.push(link);
  }
  return lines;
}

/** Decodes base64 of either alphabet, with or without padding, if it is the whole body. */
function decoded(body: string): string {
  const packed = body.replaceAll(/\s+/g, '');
  return packed !== '' && /^[\w+/-]+={0,2}$/.test(packed) ? Buffer.from(packed, 'base64').toString('utf8') : body;
}

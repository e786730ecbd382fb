/** The effective flow: that of the first attachment that has one; the record's while there is no attachment. */
export function effectiveFlow(recordFlow: string, links: readonly { flowOverride: string }[]): string {
  return links.length === 0 ? recordFlow : (links.find((link) => link.flowOverride !== '')?.flowOverride ?? '');
}

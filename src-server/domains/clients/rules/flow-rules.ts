/** The flow to show and to hand on: that of the first attachment that has one; the record's while nothing is attached. */
export function effectiveFlow(recordFlow: string, links: readonly { flowOverride: string }[]): string {
  return links.length === 0 ? recordFlow : (links.find((link) => link.flowOverride !== '')?.flowOverride ?? '');
}

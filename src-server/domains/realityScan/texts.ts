/** English texts of the scanner. */
export const texts: Readonly<Record<string, string>> = {
  'realityScan.invalid': 'Failed to scan REALITY target. ({text})',
  'realityScan.cancelled': 'The scan was cancelled.',
};

/** Persian and Arabic digits as plain ones, one character for one. */
export const plainDigits = (text: string): string =>
  text
    .replaceAll(/[\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660));

const DAY_MS = 86_400_000;
const GB = 1_073_741_824;
/** Anything above is treated as a typo. */
const MAX_NUMBER = 999_999;

export const QUOTAS_GB = [1, 5, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200] as const;
export const TERMS_DAYS = [7, 10, 14, 20, 30, 90, 180, 365] as const;

/** A typed number, with Persian or Arabic digits too; null if it is not a number. */
export function numberTyped(text: string): number | null {
  const plain = text
    .trim()
    .replaceAll(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[,٫]/, '.');
  const value = /^[+-]?\d{1,6}(\.\d{1,3})?$/.test(plain) ? Number(plain) : NaN;
  return Math.abs(value) < MAX_NUMBER ? value : null;
}

/** Quota in bytes, 0 = unlimited; null if invalid. */
export const bytesOfGb = (gb: number): number | null => (gb < 0 || gb >= MAX_NUMBER ? null : Math.round(gb * GB));

/**
 * Moves an expiry by days. A future expiry moves from its date. One that has passed, or was not set, becomes a duration
 * from the first use; a duration gets longer or shorter. 0 days = no expiry. Null when no time would be left.
 */
export function movedExpiry(expiryTime: number, days: number, nowMs: number): number | null {
  if (days === 0) return 0;
  if (expiryTime > nowMs) {
    const later = expiryTime + Math.round(days * DAY_MS);
    return later > nowMs ? later : null;
  }
  const moved = Math.min(expiryTime, 0) - Math.round(days * DAY_MS);
  return moved < 0 ? moved : null;
}

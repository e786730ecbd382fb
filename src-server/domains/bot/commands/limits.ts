const DAY_MS = 86_400_000;
const GB = 1_073_741_824;
/** More is taken for a slip. */
const MOST = 999_999;

export const QUOTAS_GB = [1, 5, 10, 20, 30, 40, 50, 60, 80, 100, 150, 200] as const;
export const TERMS_DAYS = [7, 10, 14, 20, 30, 90, 180, 365] as const;

/** A number as people type it, with Persian or Arabic figures too; null when it is none. */
export function numberTyped(text: string): number | null {
  const plain = text
    .trim()
    .replaceAll(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[,٫]/, '.');
  const value = /^[+-]?\d{1,6}(\.\d{1,3})?$/.test(plain) ? Number(plain) : NaN;
  return Math.abs(value) < MOST ? value : null;
}

/** Bytes of a quota, 0 = unlimited; null for what is none. */
export const bytesOfGb = (gb: number): number | null => (gb < 0 || gb >= MOST ? null : Math.round(gb * GB));

/**
 * An expiry moved by days: one in the future from where it is. One that is over, or that there was not, becomes a duration from
 * the first use; a duration gets longer or shorter. 0 days = no end. Null when nothing would be left.
 */
export function movedExpiry(expiryTime: number, days: number, nowMs: number): number | null {
  if (days === 0) return 0;
  if (expiryTime > nowMs) return expiryTime + Math.round(days * DAY_MS);
  const moved = Math.min(expiryTime, 0) - Math.round(days * DAY_MS);
  return moved < 0 ? moved : null;
}

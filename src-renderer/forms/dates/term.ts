import { dayOf, endOfDayMs } from './calendar-day.ts';

const DAY_MS = 86_400_000;

/** How long something lasts: days from now, or its last day as `2026-03-21`; null = unlimited. */
export type Term = number | string | null;

/** A moment that is already stored, and the days that stand for it. */
export interface StoredTerm {
  days: number;
  /** Ms since the epoch. */
  endMs: number;
}

/** The moment a term ends, ms since the epoch; 0 = never. A day lasts until its last second by the browser's clock. */
export function endOfTerm(term: Term, nowMs: number): number {
  if (term === null) return 0;
  return typeof term === 'number' ? nowMs + term * DAY_MS : endOfDayMs(term);
}

/** Whole days of a term, counted from now. */
export function daysOf(term: string | number, nowMs: number): number {
  return typeof term === 'number' ? term : Math.ceil((endOfDayMs(term) - nowMs) / DAY_MS);
}

/** The date this many days from now. */
export const dayAfter = (days: number, nowMs: number): string => dayOf(new Date(nowMs + days * DAY_MS));

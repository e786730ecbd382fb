/** Code of an error that means: the database server cannot be asked now. What was under way may have been done or not. */
export const DATABASE_AWAY = 'DATABASE_AWAY';

/** Whether a failure is only that the database server is away: the store tells once when it goes and when it is back. */
export function isDatabaseAway(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === DATABASE_AWAY;
}

/**
 * Code of an error that means: the database server is unreachable. The work under way may or may not have been done.
 */
export const DATABASE_AWAY = 'DATABASE_AWAY';

/**
 * Whether a failure only means that the database server is away: the store reports once when it goes and when it is
 * back.
 */
export function isDatabaseAway(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === DATABASE_AWAY;
}

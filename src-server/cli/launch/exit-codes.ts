/** The panel asks its launcher to start it again: a restart from the settings, an import, an update. */
export const RESTART_EXIT_CODE = 86;

/**
 * The panel cannot start and starting again would not help: the data folder is in use, or its database is from a newer
 * version. Every other code but 0 and {@link RESTART_EXIT_CODE} is a crash.
 */
export const GIVE_UP_EXIT_CODE = 78;

/** The command line was wrong. */
export const USAGE_EXIT_CODE = 64;

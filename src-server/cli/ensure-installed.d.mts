/** Whether what is installed in this project folder is what its lock file says. */
export function isInstalled(root: string): boolean;
/** Does work while no other process does work under the same lock file. `onWait` is called once, when it has to wait. */
export function whileLocked<T>(file: string, work: () => T | Promise<T>, onWait: () => void): Promise<T>;

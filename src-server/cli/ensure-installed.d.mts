/** Whether what is installed in this project folder is what its lock file says. */
export function isInstalled(root: string): boolean;

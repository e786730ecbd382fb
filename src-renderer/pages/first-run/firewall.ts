/** Systems whose firewalls differ. */
type System = 'windows' | 'mac' | 'linux';

/** @param userAgent of the window, which runs on the machine in question */
export function systemOf(userAgent: string): System {
  if (/Windows/.test(userAgent)) return 'windows';
  return /Macintosh/.test(userAgent) ? 'mac' : 'linux';
}

/** Commands that open ports in the two firewalls of Linux desktops; other systems get instructions in words. */
export function firewallCommands(ports: readonly number[]): string[] {
  const add = ports.map((port) => `--add-port=${port}/tcp`).join(' ');
  return [
    ports.map((port) => `sudo ufw allow ${port}/tcp`).join(' && '),
    `sudo firewall-cmd --permanent ${add} && sudo firewall-cmd --reload`,
  ];
}

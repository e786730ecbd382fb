import { useQuery } from '@tanstack/react-query';
import type { ConnectionView } from '../../src-main/bridge/contract.ts';
import { desktopBridge } from './desktop.ts';
import { keys } from './keys.ts';
import { useTransport } from './transport-context.tsx';

/** The desktop window's connection; undefined until it is read, and in a browser, which has one panel. */
export function useCurrentConnection(): ConnectionView | undefined {
  const bridge = desktopBridge();
  const { data } = useQuery({
    queryKey: keys.connections,
    queryFn: () => bridge?.connections.list() ?? [],
    enabled: bridge !== null,
  });
  return data?.find(({ isCurrent }) => isCurrent);
}

/**
 * Web address of this page's panel, with its base path and a `/` at the end. Programs on this computer reach it there;
 * the address of a page in the desktop window says nothing.
 * @returns null until the window has read its connection, and while this computer's panel does not run
 */
export function usePanelUrl(): URL | null {
  const transport = useTransport();
  const current = useCurrentConnection();
  if (desktopBridge() === null) return new URL(transport.fileUrl('/'), location.href);
  return current === undefined || current.address === '' ? null : new URL(current.address);
}

import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useOpenPage } from '../../forms/leave-blocker.tsx';

/** More than this many say that the text is not a name yet. */
const FOUND = 7;

/** Inbounds whose name, tag, protocol or port holds the text; none for an empty one. */
export function usePaletteInbounds(
  text: string,
): { id: string; label: string; description: string; onClick: () => void }[] {
  const openPage = useOpenPage();
  const call = useCall();
  const wanted = text.trim().toLowerCase();
  const { data = [] } = useQuery({
    queryKey: [...keys.inbounds, 'options'],
    // Its contract comes with the first search, not with the first page.
    queryFn: async ({ signal }) => call((await import('#contract/inbounds')).listInboundOptions, {}, signal),
    enabled: wanted !== '',
  });
  if (wanted === '') return [];
  return data
    .filter(({ remark, tag, protocol, port }) =>
      `${remark}\n${tag}\n${protocol}\n${port}`.toLowerCase().includes(wanted),
    )
    .slice(0, FOUND)
    .map(({ id, remark, tag, protocol, port }) => ({
      id: `inbound ${id}`,
      label: remark || tag,
      description: `${protocol} · ${port}`,
      onClick: () => openPage(`/panel/inbounds?show=${id}`),
    }));
}

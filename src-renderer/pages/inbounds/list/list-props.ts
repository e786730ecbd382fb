import type { Inbound } from '#contract/inbounds';
import type { InboundDeeds } from './use-inbound-deeds.ts';

/** What a list of inbounds takes, whether it is a table or cards. */
export interface InboundListProps {
  rows: readonly Inbound[];
  deeds: InboundDeeds;
  selected: ReadonlySet<number>;
  onSelect: (rows: readonly Inbound[], isSelected: boolean) => void;
  onOpen: (id: number) => void;
}

import type { CountedInbound } from '#contract/inbounds';
import type { InboundChoice } from './shown-inbounds.ts';
import type { InboundActions } from './verbs/use-inbound-actions.ts';

/** Props of a list of inbounds, table or cards. */
export interface InboundListProps {
  rows: readonly CountedInbound[];
  actions: InboundActions;
  selected: ReadonlySet<number>;
  onSelect: (rows: readonly CountedInbound[], isSelected: boolean) => void;
  onOpen: (id: number) => void;
  /** Names of nodes by id; empty while there are none. */
  nodeNames: ReadonlyMap<number, string>;
  choice: InboundChoice;
  onChoose: (part: Partial<InboundChoice>) => void;
}

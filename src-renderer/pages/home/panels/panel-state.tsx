import { Badge } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { PanelCard } from '../../../../src-main/bridge/panels.ts';
import { needOf, type Need } from './panel-model.ts';
import { usePanelWords } from './use-panel-words.ts';

const COLORS: Record<Need, string> = {
  away: 'red.9',
  error: 'red.9',
  attention: 'yellow.9',
  unknown: 'gray.7',
  fine: 'teal.9',
};

/** State of a panel in one word; never by colour alone. */
export function PanelStateBadge({ card }: { card: PanelCard }) {
  const { t } = useTranslation('home');
  const { stateWords } = usePanelWords();
  const need = needOf(card);
  const words =
    card.state === 'ok' && card.matters.length > 0
      ? t('attentionCount', { count: card.matters.length })
      : stateWords(card);
  return <StateBadge need={need} words={words} detail={card.detail} />;
}

const StateBadge = memo(function StateBadge({ need, words, detail }: { need: Need; words: string; detail: string }) {
  return (
    <Badge color={COLORS[need]} title={detail} style={{ flexShrink: 0 }}>
      {words}
    </Badge>
  );
});

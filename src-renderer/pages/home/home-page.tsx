import { Alert, Button, Container, Stack, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { useDialogParam } from '../../ui/address/use-dialog-param.ts';
import { GroupDialog } from './panels/group-dialog.tsx';
import { HomeHead } from './home-head.tsx';
import { PanelDrawer } from './stored/panel-drawer.tsx';
import { PanelGroups } from './panels/panel-groups.tsx';
import { SearchEverywhere } from './search/search-everywhere.tsx';
import { SumsBar } from './panels/sums-bar.tsx';
import { usePanelVerbs } from './panels/use-panel-verbs.ts';
import { useShownPanels } from './panels/use-shown-panels.ts';
import { useSlowNow } from './panels/use-slow-now.ts';
import { WatchDrawer } from './watch-drawer.tsx';
import { UnfinishedNotice } from './jobs/unfinished-notice.tsx';

/** Every saved panel, live, at first from its last reading: the overview of everything an operator runs. */
export function HomePage() {
  const { t } = useTranslation(['home', 'words']);
  const [search] = useSearchParams();
  const drawer = useDialogParam('panel');
  const watch = useDialogParam('watch');
  const wall = useDialogParam('wall');
  const { view, panels, nameOf, areKnown, failure, setChoices } = useShownPanels();
  const [groupedId, setGrouped] = useState<string | null>(null);
  const nowMs = useSlowNow();
  const isWall = wall.value !== null;
  useEffect(() => {
    document.title = `${t('words:allPanels')} · Switchyard`;
  }, [t]);
  const opened = panels.find(({ card }) => card.id === drawer.value);
  useEscape(isWall && opened === undefined && watch.value === null, wall.close);
  const grouped = panels.find(({ card }) => card.id === groupedId);
  const verbs = usePanelVerbs({
    panels,
    canMove: view?.choices.sort === 'own',
    setOrder: (order) => setChoices({ order }),
    group: setGrouped,
  });
  if (view === null || !areKnown) return failure === null ? null : <Alert color="red">{failure.message}</Alert>;

  const { choices } = view;
  return (
    <Container fluid py={isWall ? 'xs' : 'md'} component="main">
      <Stack>
        {isWall ? (
          <VisuallyHidden>
            <h1>{t('words:allPanels')}</h1>
          </VisuallyHidden>
        ) : (
          <>
            <HomeHead choices={choices} setChoices={setChoices} onWall={wall.open} onWatch={watch.open} />
            <SearchEverywhere nameOf={nameOf} nowMs={nowMs} isWanted={search.get('search') !== null} />
            <UnfinishedNotice nameOf={nameOf} />
            {!view.isKept && <Alert color="blue">{t('notKept')}</Alert>}
            {failure !== null && <Alert color="red">{failure.message}</Alert>}
          </>
        )}
        <SumsBar cards={panels.map(({ card }) => card)} />
        {panels.length === 0 && (
          <EmptyState
            text={t('empty')}
            action={
              <Button component={Link} to="/desktop/connections?add=">
                {t('add')}
              </Button>
            }
          />
        )}
        <PanelGroups
          panels={panels}
          layout={isWall ? 'cards' : choices.layout}
          isWall={isWall}
          nowMs={nowMs}
          onOpen={drawer.open}
          verbs={isWall ? null : verbs}
        />
        {isWall && (
          <Button variant="subtle" color="gray" onClick={wall.close} style={{ alignSelf: 'end' }}>
            {t('leaveWall')}
          </Button>
        )}
      </Stack>
      {opened !== undefined && <PanelDrawer panel={opened} nowMs={nowMs} onUse={verbs.use} onClose={drawer.close} />}
      {watch.value !== null && (
        <WatchDrawer
          choices={choices}
          shortcut={view.shortcut}
          panels={panels}
          onChange={setChoices}
          onClose={watch.close}
        />
      )}
      {grouped !== undefined && (
        <GroupDialog
          name={grouped.name}
          group={grouped.group}
          known={[...new Set(Object.values(choices.groups))].filter((group) => group !== '')}
          onClose={() => setGrouped(null)}
          onSave={(group) => {
            setChoices({ groups: { ...choices.groups, [grouped.card.id]: group } });
            setGrouped(null);
          }}
        />
      )}
    </Container>
  );
}

function useEscape(isOn: boolean, leave: () => void): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const handleKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') leave();
    };
    // Where the kit's dialogs listen: the key that closes one is over before this one listens again.
    window.addEventListener('keydown', handleKey, true);
    return () => window.removeEventListener('keydown', handleKey, true);
  }, [isOn, leave]);
}

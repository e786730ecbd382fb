import { Alert, Button, Checkbox, List, Modal, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { updateNodePanels, type Node } from '#contract/nodes';
import { getPanelUpdateInfo } from '#contract/panelUpdate';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useChange } from '../../api/use-change.ts';
import { DialogFooter } from '../../ui/dialog-footer.tsx';
import { isOlder } from './node-state.ts';

interface UpdateDialogProps {
  nodes: readonly Node[];
  /** `all`, or the id of a node. */
  what: string;
  onClose: () => void;
}

/** Starts the update of the panel on nodes, one after the other, and tells how that went on each. */
export function UpdateDialog({ nodes, what, onClose }: UpdateDialogProps) {
  const { t } = useTranslation(['nodes', 'shell']);
  const call = useCall();
  const [chosen, setChosen] = useState<readonly string[]>(what === 'all' ? [] : [what]);
  const [isDev, setDev] = useState(false);
  const update = useChange(updateNodePanels, [keys.nodes]);
  const { data: info } = useQuery({
    queryKey: ['panelUpdate', 'info'],
    queryFn: ({ signal }) => call(getPanelUpdateInfo, {}, signal),
    staleTime: 600_000,
    retry: false,
  });
  const latest = info?.latestVersion ?? '';
  const own = nodes.filter(({ transitive }) => transitive !== true);
  const isReady = ({ enable, status }: Node): boolean => enable && status === 'online';
  const ready = new Set(own.filter(isReady).map(({ id }) => String(id)));
  const sent = chosen.filter((id) => ready.has(id));
  return (
    <Modal opened onClose={onClose} title={t('update.title')} closeButtonProps={{ 'aria-label': t('shell:close') }}>
      <Stack>
        {update.data === undefined ? (
          <>
            <Text size="sm">{t('update.text')}</Text>
            <Checkbox.Group
              label={t('update.which')}
              description={latest === '' ? undefined : t('update.latest', { version: latest })}
              value={[...chosen]}
              onChange={setChosen}
            >
              <Stack gap="xs" mt="xs">
                {own.map((node) => (
                  <Checkbox
                    key={node.id}
                    value={String(node.id)}
                    disabled={!isReady(node)}
                    label={<bdi>{node.name}</bdi>}
                    description={
                      isReady(node)
                        ? `${node.panelVersion}${isOlder(node.panelVersion, latest) ? ` · ${t('update.behind')}` : ''}`
                        : t('update.notReady')
                    }
                  />
                ))}
              </Stack>
            </Checkbox.Group>
            <Switch
              label={t('update.dev')}
              description={t('update.devText')}
              checked={isDev}
              onChange={(event) => setDev(event.currentTarget.checked)}
            />
          </>
        ) : (
          <List size="sm" spacing="xs" role="status">
            {update.data.map(({ id, name, ok, error = '' }) => (
              <List.Item key={id}>
                <bdi>{name || `#${id}`}</bdi>: {ok ? t('update.launched') : <bdi>{error}</bdi>}
              </List.Item>
            ))}
          </List>
        )}
        {update.isError && (
          <Alert color="red" role="alert">
            <bdi>{update.error.message}</bdi>
          </Alert>
        )}
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            {t('shell:close')}
          </Button>
          {update.data === undefined && (
            <Button
              disabled={sent.length === 0}
              loading={update.isPending}
              onClick={() => update.mutate({ body: { ids: sent.map(Number), dev: isDev } })}
            >
              {t('update.run', { count: sent.length })}
            </Button>
          )}
        </DialogFooter>
      </Stack>
    </Modal>
  );
}

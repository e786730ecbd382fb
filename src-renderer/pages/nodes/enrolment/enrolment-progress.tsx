import { Alert, Button, List, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { cancelEnrolment, getEnrolment, type Enrolment } from '#contract/nodes/enrolment';
import type { Node } from '#contract/nodes';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { serverTimeAt } from '../../../stores/server-clock.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { lastErrorWords, nodeRefusalWords } from '../node-refusal-words.ts';
import { useNodes } from '../use-nodes.ts';

const LOOK_EVERY_MS = 2_000;
/** A host that can run the line has come by then. */
const SOON_MS = 60_000;
const VALID_MS = 30 * 60_000;

/** Progress of the host, followed until it is connected; and what is wrong when it is not. */
export function EnrolmentProgress({ id, isLineShown }: { id: string; isLineShown: boolean }) {
  const { t } = useTranslation('nodes');
  const nodes = useNodes(LOOK_EVERY_MS);
  const enrolment = useRead(getEnrolment, { params: { id } }, [...keys.nodes, 'enrolment', id], {
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? LOOK_EVERY_MS : false),
  });
  return (
    <QueryView query={enrolment}>
      {(found) => {
        const isUsed = found.state === 'used';
        const node = isUsed
          ? nodes.data?.find((each) => each.id === found.nodeId && each.transitive !== true)
          : undefined;
        return (
          <>
            <Steps enrolment={found} node={node} />
            <div role="status">
              {!isUsed && <Problem enrolment={found} isLineShown={isLineShown} />}
              {node?.enable === false && <Alert color="yellow">{t('enrol.nodeOff', { name: node.name })}</Alert>}
              {node?.enable === true && node.status === 'offline' && (
                <Alert color="yellow">
                  <bdi>{lastErrorWords(node)}</bdi>
                </Alert>
              )}
            </div>
            {found.state === 'open' && <Cancel id={id} />}
            {(found.state === 'expired' || found.state === 'cancelled') && (
              <Button component={Link} to={`/panel/nodes?enrol=${found.nodeId > 0 ? `node:${found.nodeId}` : 'new'}`}>
                {t('enrol.another')}
              </Button>
            )}
          </>
        );
      }}
    </QueryView>
  );
}

function Steps({ enrolment, node }: { enrolment: Enrolment; node: Node | undefined }) {
  const { t } = useTranslation('nodes');
  const isOnline = node?.status === 'online';
  const steps: [text: string, isDone: boolean][] = [
    [t('enrol.step.came'), enrolment.state === 'used'],
    [node?.dialledBy === 'panel' ? t('enrol.step.dialled') : t('enrol.step.connected'), isOnline],
    [
      isOnline ? t('enrol.step.versions', { panel: node.panelVersion, core: node.coreVersion }) : t('enrol.step.asked'),
      isOnline,
    ],
    [
      node?.coreState === 'error' ? t('enrol.step.coreFailed') : t('enrol.step.core'),
      node?.coreState === 'running' && isOnline,
    ],
  ];
  return (
    <List spacing="xs" aria-label={t('enrol.progress')}>
      {steps.map(([text, isDone]) => (
        <List.Item
          key={text}
          icon={
            isDone ? (
              <IconCircleCheck color="var(--mantine-color-green-filled)" aria-label={t('enrol.done')} />
            ) : (
              <IconCircleDashed aria-label={t('enrol.waits')} />
            )
          }
        >
          <bdi>{text}</bdi>
        </List.Item>
      ))}
    </List>
  );
}

/** Why no host has come yet, as far as this panel can tell. */
function Problem({ enrolment, isLineShown }: { enrolment: Enrolment; isLineShown: boolean }) {
  const { t } = useTranslation('nodes');
  const format = useFormat();
  const nowMs = serverTimeAt(useNow());
  const { attempt, state, expiresAt, url } = enrolment;
  const leftMs = expiresAt - nowMs;
  const isLong = VALID_MS - leftMs > SOON_MS;
  const refusal = attempt?.refusal ?? null;
  return (
    <>
      {state === 'open' && (
        <Text size="sm">{t('enrol.left', { time: format.duration(Math.max(0, Math.round(leftMs / 1000))) })}</Text>
      )}
      {state === 'expired' && <Alert color="red">{t('enrol.expired')}</Alert>}
      {state === 'cancelled' && <Alert color="red">{t('enrol.cancelled')}</Alert>}
      {attempt !== null && refusal !== null && (
        <Alert color="red">
          {t('enrol.refused', { address: attempt.address, reason: nodeRefusalWords(refusal) ?? attempt.error })}
        </Alert>
      )}
      {attempt !== null && attempt.clockOffSec !== 0 && (
        <Alert color="yellow">{t('enrol.clock', { time: format.duration(Math.abs(attempt.clockOffSec)) })}</Alert>
      )}
      {state === 'open' && attempt === null && isLong && <Alert color="yellow">{t('enrol.nobody', { url })}</Alert>}
      {state === 'open' && !isLineShown && <Alert color="gray">{t('enrol.lineGone')}</Alert>}
    </>
  );
}

function Cancel({ id }: { id: string }) {
  const { t } = useTranslation('nodes');
  const cancel = useChange(cancelEnrolment, [keys.nodes]);
  return (
    <Button
      variant="default"
      loading={cancel.isPending}
      onClick={() => cancel.mutate({ params: { id } }, { onError: announceFailure })}
    >
      {t('enrol.cancel')}
    </Button>
  );
}

import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { previewUndo, undoEntry } from '#contract/journal';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { reasonWords } from '../../i18n/refusal-words.ts';
import { DialogFooter } from '../layout/dialog-footer.tsx';
import { partWords } from '../notices/part-words.ts';

/** How the result is reported. */
export interface Tell {
  done: (message: string) => void;
  coreWarnings: (warnings: readonly string[]) => void;
}

interface UndoConfirmationProps {
  /** Entries of the journal, oldest first: the last is undone first. */
  entryIds: readonly number[];
  tell: Tell;
  onClose: () => void;
}

/** What undoing changes would do, what prevents it, and the button to do it. */
export function UndoConfirmation({ entryIds, tell, onClose }: UndoConfirmationProps) {
  const { t } = useTranslation('journal');
  const call = useCall();
  const cache = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const previews = useQueries({
    queries: entryIds.map((id) => ({
      queryKey: [...keys.journal, 'undo', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(previewUndo, { params: { id: String(id) } }, signal),
      staleTime: 0,
    })),
  });
  const shown = previews.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const unread = previews.find(({ error }) => error !== null)?.error ?? null;
  const isLooking = shown.length < entryIds.length && unread === null;
  const refusals = shown.flatMap((preview) => preview.refusals);

  async function handleUndo(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      for (const id of entryIds.toReversed()) {
        const { coreError } = await call(undoEntry, { params: { id: String(id) } });
        if (coreError !== '') tell.coreWarnings([coreError]);
      }
      tell.done(t('undone'));
      onClose();
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setBusy(false);
      await cache.invalidateQueries();
    }
  }

  return (
    <Stack>
      {(failure ?? unread) !== null && (
        <Alert color="red" role="alert">
          <bdi>{failure ?? unread!.message}</bdi>
        </Alert>
      )}
      {isLooking && <Text size="sm">{t('undo.looking')}</Text>}
      {shown.length > 0 && (
        <div>
          <Text size="sm">{t('undo.does')}</Text>
          <List size="sm" mt={4}>
            {shown.flatMap(({ parts }, at) =>
              parts.map((part) => (
                <List.Item key={`${entryIds[at]} ${part.kind} ${part.action}`}>{partWords(t, part, true)}</List.Item>
              )),
            )}
          </List>
          <Text size="sm" c="dimmed" mt="xs">
            {t('undo.trafficStays')}
          </Text>
        </div>
      )}
      {refusals.length > 0 && (
        <Alert color="orange" role="alert" title={t('undo.refused')}>
          {refusals.map(({ code, params, msg, entryId }) => (
            <Text key={code + JSON.stringify(params)} size="sm">
              <bdi>{reasonWords({ code, params, reason: msg })}</bdi>{' '}
              {entryId > 0 && (
                <Anchor component={Link} size="sm" to={`/panel/journal?entry=${entryId}`} onClick={onClose}>
                  {t('undo.show', { id: entryId })}
                </Anchor>
              )}
            </Text>
          ))}
        </Alert>
      )}
      <DialogFooter onCancel={onClose}>
        <Button loading={isBusy} disabled={isLooking || refusals.length > 0} onClick={() => void handleUndo()}>
          {t('undo.action')}
        </Button>
      </DialogFooter>
    </Stack>
  );
}

import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { movePanel } from '#contract/nodes/enrolment';
import { keys } from '../../../api/keys.ts';
import { CallError } from '../../../api/transport.ts';
import { useChange } from '../../../api/use-change.ts';
import { Failure } from '../../../ui/notices/failure.tsx';
import { useNodes } from '../use-nodes.ts';

/** Tells enrolled nodes this panel's present or future address. */
export function MovedForm({ onTyped }: { onTyped: (isTyped: boolean) => void }) {
  const { t } = useTranslation('nodes');
  const [url, setUrl] = useState('');
  const nodes = useNodes();
  const move = useChange(movePanel, [keys.nodes]);
  const refused = move.error instanceof CallError ? move.error.issues : [];
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    move.mutate({ body: { url: url.trim() } }, { onSuccess: () => onTyped(false) });
  };
  const handleUrl = (typed: string): void => {
    setUrl(typed);
    onTyped(typed !== '');
  };
  const namesOf = (ids: readonly number[]): string =>
    ids.map((id) => nodes.data?.find((node) => node.id === id)?.name ?? String(id)).join(', ');
  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('moved.text')}</Text>
        <TextInput
          label={t('moved.url')}
          placeholder="https://panel.example.com/"
          value={url}
          error={refused.find(({ field }) => field === 'url')?.message}
          onChange={(event) => handleUrl(event.currentTarget.value)}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        {(refused.length === 0 || refused.some(({ field }) => field !== 'url')) && <Failure error={move.error} />}
        <Button type="submit" loading={move.isPending}>
          {t('moved.tell')}
        </Button>
        {move.data !== undefined && (
          <div role="status">
            <Alert color={move.data.waiting.length === 0 ? 'teal' : 'yellow'}>
              {t('moved.told', { count: move.data.told.length })}
              {move.data.waiting.length > 0 && (
                <Text size="sm">
                  <bdi>{t('moved.waiting', { names: namesOf(move.data.waiting) })}</bdi>
                </Text>
              )}
            </Alert>
          </div>
        )}
      </Stack>
    </form>
  );
}

import { Button, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { routeTest } from '#contract/coreSettings';
import { useCall } from '../../../api/transport-context.tsx';
import { useRead } from '../../../api/use-read.ts';
import { useWireForm } from '../../../forms/use-wire-form.ts';
import { getStatus } from '#contract/server';
import { keys } from '../../../api/keys.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../core.module.css';
import { useCoreSettings, useNames } from '../draft/use-core-settings.ts';
import { readObject } from '../../../forms/draft/json.ts';
import { useDraft, useIsUnsaved } from '../model/draft.ts';
import { blockedBy, rulesBehind, type RouteResult, type RouteQuery } from '../model/match-rule.ts';
import { itemsAt, OUTBOUNDS, RULES } from '../model/lists.ts';
import { isSame } from '../../../forms/draft/differences.ts';
import { objectAt } from '../../../forms/draft/json.ts';
import { Failure } from '../../../ui/notices/failure.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import { SelectField } from '../../../forms/controlled-fields.tsx';
import { registered } from '../../../forms/registered.ts';

const TesterForm = z.object({
  target: z.string().trim().min(1).max(253),
  port: z.string(),
  network: z.enum(['tcp', 'udp']),
  inboundTag: z.string(),
  protocol: z.string(),
  email: z.string(),
});
const START = { target: '', port: '443', network: 'tcp', inboundTag: '', protocol: '', email: '' } as const;

type ConnectionForm = UseFormReturn<z.infer<typeof TesterForm>>;

/** Asks the running core where a connection would go, and highlights the rule. */
export function RouteTester({ onFound }: { onFound: (indexes: readonly number[]) => void }) {
  const { t } = useTranslation('core');
  const call = useCall();
  const isUnsaved = useIsUnsaved();
  const { data: settings } = useCoreSettings();
  const status = useRead(getStatus, {}, keys.status);
  const form = useWireForm(TesterForm, START);
  const test = useMutation({
    mutationFn: (query: RouteQuery) => call(routeTest, { body: { ...query, network: query.network as 'tcp' } }),
  });
  const { formState } = form;
  const handleTest = form.handleSubmit(async ({ target, port, ...rest }) => {
    const isAddress = /^[\d.]+$|:/.test(target);
    const query = { ...rest, port: Number(port), domain: isAddress ? '' : target, ip: isAddress ? target : '' };
    onFound([]);
    await form.attempt(async () => {
      const result = await test.mutateAsync(query);
      // The core knows what is saved; a rule is highlighted only where the draft still has it.
      const running = readObject(settings?.xraySetting ?? '') ?? {};
      const rules = itemsAt(running, RULES);
      const shown = itemsAt(useDraft.getState().draft, RULES);
      const behind = rulesBehind(objectAt(running['routing']), query, result).map((index) => rules[index]);
      onFound(behind.map((rule) => shown.findIndex((other) => isSame(other, rule))).filter((index) => index >= 0));
    });
  });
  const isDown = status.data !== undefined && status.data.core.state !== 'running';
  return (
    <Paper withBorder p="md" component="section" aria-label={t('tester.title')}>
      <form onSubmit={(event) => void handleTest(event)}>
        <Stack gap="sm">
          <Title order={2} size="h4">
            {t('tester.title')}
          </Title>
          <ConnectionFields form={form} />
          <div>
            <Button type="submit" variant="default" loading={test.isPending}>
              {t('tester.ask')}
            </Button>
          </div>
          <Failure error={formState.errors.root} />
          <div role="status" className={classes['answer']}>
            {test.data !== undefined && formState.errors.root === undefined && (
              <ResultText result={test.data} stop={stopOf(settings?.xraySetting ?? '', test.variables, test.data)} />
            )}
          </div>
          {(isUnsaved || isDown) && <Hint size="xs">{isDown ? t('tester.down') : t('tester.unsaved')}</Hint>}
        </Stack>
      </form>
    </Paper>
  );
}

/** The connection to test. */
function ConnectionFields({ form }: { form: ConnectionForm }) {
  const { t } = useTranslation('core');
  const { inbounds } = useNames();
  const { register, control } = form;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <TextInput label={t('tester.target')} placeholder="example.org" dir="ltr" {...registered(form, 'target')} />
      <TextInput label={t('rule.port')} inputMode="numeric" dir="ltr" {...registered(form, 'port')} />
      <SelectField control={control} name="network" label={t('rule.network')} data={['tcp', 'udp']} />
      <SelectField
        control={control}
        name="inboundTag"
        label={t('field.inboundTag')}
        data={inbounds}
        clearable
        searchable
      />
      <TextInput label={t('tester.client')} dir="ltr" {...register('email')} />
      <TextInput label={t('rule.protocol')} placeholder="bittorrent" dir="ltr" {...register('protocol')} />
    </SimpleGrid>
  );
}

function ResultText({ result, stop }: { result: RouteResult; stop: ReturnType<typeof stopOf> }) {
  const { t } = useTranslation('core');
  const format = useFormat();
  return (
    <>
      <Text fw={600}>
        {result.matched ? t('tester.goes', { tag: result.outboundTag }) : t('tester.default')}{' '}
        {result.groupTags !== undefined && t('tester.through', { tag: result.groupTags.join(', ') })}
      </Text>
      {stop !== null && (
        <Text>
          {stop.rule === 0
            ? t('tester.privateBlocked')
            : t(stop.isSure ? 'tester.blocked' : 'tester.maybeBlocked', { number: format.number(stop.rule) })}
        </Text>
      )}
    </>
  );
}

/** What the chosen outbound finally does with the connection. */
function stopOf(
  running: string,
  query: RouteQuery,
  { matched, outboundTag }: RouteResult,
): ReturnType<typeof blockedBy> {
  const outbounds = itemsAt(readObject(running) ?? {}, OUTBOUNDS);
  const outbound = matched ? outbounds.find(({ tag }) => tag === outboundTag) : outbounds[0];
  return outbound === undefined ? null : blockedBy(outbound, query);
}

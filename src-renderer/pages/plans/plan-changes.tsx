import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PlanPreview, PlanValues } from '#contract/plans';
import { useFormat } from '../../i18n/format.ts';
import { useExpiryText } from '../clients/use-expiry-text.ts';
import { useInboundOptions } from '../clients/use-inbound-options.ts';
import { severityTone } from '../../ui/palette/tones.ts';
import { Hint } from '../../ui/layout/hint.tsx';
import classes from './plans.module.css';

/** The clients that would change, each with its present and its new values. */
export function PlanChanges({ preview, planName }: { preview: PlanPreview; planName: string }) {
  const { t } = useTranslation(['plans', 'clients', 'shell']);
  const format = useFormat();
  const expiryText = useExpiryText();
  const inbounds = useInboundOptions();
  if (preview.clients.length === 0) return null;

  const inboundName = (id: number): string => {
    const option = inbounds.data?.find((one) => one.id === id);
    return option === undefined ? `#${id}` : option.remark || option.tag;
  };
  const words = (values: PlanValues): [name: string, text: string][] => {
    const { planId, totalGB, expiryTime, reset, resetDay, limitIp, group, flow, inboundIds } = values;
    const none = t('clients:form.noChoice');
    const parts: [string, string][] = [];
    if (planId !== undefined) parts.push([t('choose'), planId === 0 ? none : planName]);
    if (totalGB !== undefined)
      parts.push([t('apply.part.quota'), totalGB === 0 ? t('clients:unlimited') : format.bytes(totalGB)]);
    if (expiryTime !== undefined)
      parts.push([t('apply.part.term'), expiryTime > 0 ? format.date(expiryTime) : expiryText(expiryTime)]);
    if (reset !== undefined)
      parts.push([
        t('apply.part.renewal'),
        reset > 0
          ? t('every', { days: reset })
          : (resetDay ?? 0) > 0
            ? t('everyMonth', { day: format.number(resetDay ?? 0) })
            : none,
      ]);
    if (limitIp !== undefined)
      parts.push([t('apply.part.limitIp'), limitIp === 0 ? t('clients:unlimited') : format.number(limitIp)]);
    if (group !== undefined) parts.push([t('apply.part.group'), group || none]);
    if (flow !== undefined) parts.push([t('apply.part.flow'), flow || none]);
    if (inboundIds !== undefined)
      parts.push([t('apply.part.inbounds'), inboundIds.map(inboundName).join(', ') || none]);
    return parts;
  };

  const losesInbounds = preview.clients.some(({ before, after }) =>
    before.inboundIds?.some((id) => after.inboundIds?.includes(id) === false),
  );
  return (
    <>
      {losesInbounds && (
        <Text size="sm" data-tone={severityTone('warning')} className={classes['warning'] ?? ''}>
          {t('apply.detaches')}
        </Text>
      )}
      <div className={classes['changes']} tabIndex={0} role="region" aria-label={t('shell:nav.clients')}>
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {preview.clients.map(({ email, before, after }) => {
              const former = words(before);
              return (
                <Table.Tr key={email}>
                  <Table.Th scope="row" className={classes['email'] ?? ''}>
                    <bdi>{email}</bdi>
                  </Table.Th>
                  <Table.Td>
                    {words(after).map(([name, text], at) => (
                      <div key={name}>
                        {name}: <bdi>{former[at]?.[1]}</bdi> <span className={classes['arrow']}>→</span>{' '}
                        <bdi className={classes['after']}>{text}</bdi>
                      </div>
                    ))}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </div>
      {preview.changed > preview.clients.length && <Hint>{t('apply.first', { count: preview.clients.length })}</Hint>}
    </>
  );
}

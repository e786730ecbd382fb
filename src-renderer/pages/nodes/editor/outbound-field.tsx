import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { getCoreSettings, type CoreSettings } from '#contract/coreSettings';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import type { NodeForm } from './node-form.ts';
import { SelectField } from '../../../forms/controlled-fields.tsx';

const Tagged = z.array(z.looseObject({ tag: z.string().catch(''), protocol: z.string().catch('') })).catch([]);
const Template = z.object({
  outbounds: Tagged,
  routing: z.object({ balancers: Tagged }).catch({ balancers: [] }),
});
/** Outbounds through which no panel can be reached. */
const DEAD_ENDS = new Set(['blackhole', 'dns', 'loopback']);

/** How the node is reached: directly, or through an outbound or balancer of this panel's core. */
export function OutboundField({ form }: { form: UseFormReturn<NodeForm> }) {
  const { t } = useTranslation('nodes');
  const settings = useRead(getCoreSettings, {}, [...keys.core, 'settings']);
  const chosen = useWatch({ control: form.control, name: 'outboundTag' });
  return (
    <SelectField
      control={form.control}
      name="outboundTag"
      label={t('field.outboundTag')}
      description={t('hint.outboundTag')}
      data={[
        { value: '', label: t('direct') },
        // A deleted one stays listed until another is chosen.
        ...[...new Set([...tagsOf(settings.data), chosen])].filter((tag) => tag !== ''),
      ]}
      searchable
      error={form.formState.errors.outboundTag?.message ?? settings.error?.message}
    />
  );
}

function tagsOf(settings: CoreSettings | undefined): string[] {
  if (settings === undefined) return [];
  const { outbounds, routing } = Template.parse(JSON.parse(settings.xraySetting));
  const own = outbounds.filter(({ protocol }) => !DEAD_ENDS.has(protocol));
  return [...[...own, ...routing.balancers].map(({ tag }) => tag), ...(settings.subscriptionOutboundTags ?? [])];
}

import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { addHost } from '#contract/hosts';
import { addInbound } from '#contract/inbounds';
import { getNewX25519Cert } from '#contract/server';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useChange } from '../../api/use-change.ts';
import { FormFields } from '../../forms/form-fields.tsx';
import { NumberField } from '../../forms/number-field.tsx';
import { announceCoreWarnings, announceDone, announceFailure } from '../../ui/notices/announce.ts';
import { CertificateWarnings } from '../../ui/notices/certificate-warnings.tsx';
import { DialogFooter } from '../../ui/layout/dialog-footer.tsx';
import { Failure } from '../../ui/notices/failure.tsx';
import { certificatesText, useInboundCertificates } from './editor/use-inbound-certificates.ts';
import { RecipeNeeds } from './recipe-needs.tsx';
import { hostOf, inboundOf, RECIPES, traitsOf, type RecipeForm as Fields } from './recipes.ts';
import { useProposedPort } from './use-proposed-port.ts';

const random = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
/** No port = the suggested one. */
type Draft = Omit<Fields, 'port'> & { port: number | null };
/** No site suits every machine: one is found by a scan. */
const NEW_FORM: Draft = {
  recipe: 'reality',
  remark: '',
  port: null,
  target: '',
  domain: '',
  certFile: '',
  keyFile: '',
  admitsOtherEngines: false,
};

interface RecipeFormProps {
  onAdded: () => void;
  /** Shown beside the submit button. */
  otherWay?: ReactNode;
}

/** Creates an inbound from a recipe; keys and secrets are generated. */
export function RecipeForm({ onAdded, otherWay }: RecipeFormProps) {
  const { t } = useTranslation(['inbounds', 'recipes']);
  const [draft, setDraft] = useState(NEW_FORM);
  const proposed = useProposedPort(draft.recipe);
  const form: Fields = { ...draft, port: draft.port ?? proposed ?? 0 };
  const set = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const { add, failure, isPending, warnings } = useAddRecipe(onAdded);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void add(form);
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        <Failure error={failure} />
        <FormFields isSaving={isPending}>
          <Radio.Group label={t('recipes:label')} value={form.recipe} onChange={(value) => set({ recipe: value })}>
            <Stack gap="xs" mt="xs">
              {RECIPES.map((recipe) => (
                <Radio
                  key={recipe}
                  value={recipe}
                  label={t(`recipes:name.${recipe}`)}
                  description={t(`recipes:text.${recipe}`)}
                  // The fields below it may be out of view.
                  {...(recipe === NEW_FORM.recipe && { 'data-autofocus': true })}
                />
              ))}
            </Stack>
          </Radio.Group>
          <TextInput
            label={t('column.remark')}
            value={form.remark}
            onChange={(event) => set({ remark: event.currentTarget.value })}
            maxLength={100}
          />
          <NumberField
            label={t('column.port')}
            min={1}
            max={65_535}
            value={form.port === 0 ? null : form.port}
            empty={null}
            required
            onChange={(port) => set({ port: port ?? 0 })}
          />
          <RecipeNeeds form={form} onChange={set} />
        </FormFields>
        <CertificateWarnings warnings={warnings(form)} />
        <DialogFooter>
          {otherWay}
          <Button type="submit" loading={isPending}>
            {t('add')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

/** Adds the inbound of a recipe, and the host through which a CDN reaches it. */
function useAddRecipe(onAdded: () => void) {
  const { t } = useTranslation('inbounds');
  const call = useCall();
  const add = useChange(addInbound, [keys.inbounds, keys.clients]);
  const addAddress = useChange(addHost, [keys.hosts]);
  const certificates = useInboundCertificates();
  const [failure, setFailure] = useState<Error | null>(null);
  const subjectOf = (form: Fields): string => certificatesText(inboundOf(form, [], () => new Uint8Array(0)));
  return {
    failure,
    isPending: add.isPending || addAddress.isPending || certificates.isChecking,
    warnings: (form: Fields) => certificates.warningsOf(subjectOf(form)),
    add: async (form: Fields): Promise<void> => {
      setFailure(null);
      try {
        if (!(await certificates.isAccepted(subjectOf(form)))) return;
        const { pairs } = traitsOf(form.recipe);
        const made = await Promise.all(Array.from({ length: pairs }, () => call(getNewX25519Cert, {})));
        const { id, coreWarnings } = await add.mutateAsync({ body: inboundOf(form, made, random) });
        const host = hostOf(form, id);
        // The inbound exists by now: a refused address is shown, and can be added later.
        if (host !== null) await addAddress.mutateAsync({ body: host }).catch(announceFailure);
        announceDone(t('added', { remark: form.remark.trim() || String(form.port) }));
        announceCoreWarnings(coreWarnings);
        onAdded();
      } catch (error) {
        setFailure(error as Error);
      }
    },
  };
}

import { Button, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { addInbound } from '#contract/inbounds';
import { getNewX25519Cert } from '#contract/server';
import { keys } from '../../api/keys.ts';
import { useCall } from '../../api/transport-context.tsx';
import { useChange } from '../../api/use-change.ts';
import { announceCoreWarnings, announceDone } from '../../ui/notices/announce.ts';
import { DialogFooter } from '../../ui/layout/dialog-footer.tsx';
import { Failure } from '../../ui/notices/failure.tsx';
import { TargetScan } from './editor/security/target-scan.tsx';
import { inboundOf, RECIPES, type RecipeForm as Fields } from './recipes.ts';
import { useProposedPort } from './use-proposed-port.ts';

const random = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
/** No port = the proposed one. */
type Draft = Omit<Fields, 'port'> & { port: number | null };
/** No site is right for everybody: the one that fits this machine is looked for. */
const NEW_FORM: Draft = { recipe: 'reality', remark: '', port: null, target: '' };

interface RecipeFormProps {
  onAdded: () => void;
  /** Stands beside the button that adds. */
  otherWay?: ReactNode;
}

/** Makes an inbound from a recipe; keys and secrets are made on the way. */
export function RecipeForm({ onAdded, otherWay }: RecipeFormProps) {
  const { t } = useTranslation('inbounds');
  const call = useCall();
  const add = useChange(addInbound, [keys.inbounds, keys.clients]);
  const [draft, setDraft] = useState(NEW_FORM);
  const proposed = useProposedPort(draft.recipe);
  const form: Fields = { ...draft, port: draft.port ?? proposed ?? 0 };
  const [failure, setFailure] = useState<Error | null>(null);
  const set = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const handleSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setFailure(null);
    try {
      const made = form.recipe === 'reality' ? await call(getNewX25519Cert, {}) : null;
      const { coreWarnings } = await add.mutateAsync({ body: inboundOf(form, made, random) });
      announceDone(t('added', { remark: form.remark.trim() || String(form.port) }));
      announceCoreWarnings(coreWarnings);
      onAdded();
    } catch (error) {
      setFailure(error as Error);
    }
  };
  return (
    <form onSubmit={(event) => void handleSubmit(event)}>
      <Stack>
        <Failure error={failure} />
        <Radio.Group label={t('recipe.label')} value={form.recipe} onChange={(value) => set({ recipe: value })}>
          <Stack gap="xs" mt="xs">
            {RECIPES.map((recipe) => (
              <Radio
                key={recipe}
                value={recipe}
                label={t(`recipe.${recipe}.name`)}
                description={t(`recipe.${recipe}.text`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label={t('column.remark')}
          value={form.remark}
          onChange={(event) => set({ remark: event.currentTarget.value })}
          maxLength={100}
          data-autofocus
        />
        <NumberInput
          label={t('column.port')}
          min={1}
          max={65_535}
          allowDecimal={false}
          value={form.port === 0 ? '' : form.port}
          required
          onChange={(value) => set({ port: Number(value) })}
        />
        {form.recipe === 'reality' && (
          <>
            <TextInput
              label={t('recipe.target')}
              description={t('recipe.targetHint')}
              dir="ltr"
              required
              value={form.target}
              onChange={(event) => set({ target: event.currentTarget.value.trim() })}
            />
            <TargetScan onUse={({ target }) => set({ target })} />
          </>
        )}
        <DialogFooter>
          {otherWay}
          <Button type="submit" loading={add.isPending}>
            {t('add')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

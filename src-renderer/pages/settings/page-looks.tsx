import { Button, ColorInput, Group, Input, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fitPicture } from './fit-picture.ts';
import classes from './settings.module.css';
import { ChooseFile } from '../../ui/files/choose-file.tsx';

interface LookProps {
  label: string;
  error?: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

/** Preset colours, each readable on the light and the dark page. */
const SWATCHES = ['#1261c9', '#0f766e', '#15803d', '#b45309', '#c2410c', '#be123c', '#7e22ce', '#475569'];

/** The accent colour of a subscription's page. */
export function PageColor({ label, error, value, onChange }: LookProps) {
  const { t } = useTranslation('pageLooks');
  return (
    <ColorInput
      label={label}
      description={t('colorHint')}
      error={error}
      dir="ltr"
      format="hex"
      withEyeDropper={false}
      // It would set back what was typed: a wrong colour, which is refused at the field, or the last key before Tab.
      fixOnBlur={false}
      swatches={SWATCHES}
      value={value}
      onChange={onChange}
    />
  );
}

/** The logo of a subscription's page: chosen as a file, shrunk in this browser. */
export function PagePicture({ label, error, value, onChange }: LookProps) {
  const { t } = useTranslation('pageLooks');
  const [problem, setProblem] = useState<'unread' | 'tooLarge' | null>(null);
  const handleFile = async (file: File | null): Promise<void> => {
    if (file === null) return;
    try {
      const made = await fitPicture(file);
      setProblem(made === null ? 'tooLarge' : null);
      if (made !== null) onChange(made);
    } catch {
      setProblem('unread');
    }
  };
  return (
    <Input.Wrapper
      label={label}
      description={t('pictureHint')}
      error={problem === null ? error : t(problem)}
      labelElement="div"
    >
      <Group gap="sm" mt={6}>
        {value !== '' && <img className={classes['picture']} src={value} alt={label} />}
        <Stack gap={4}>
          <ChooseFile accept="image/*" onChange={(file) => void handleFile(file)}>
            {(props) => (
              <Button {...props} variant="default" size="compact-sm">
                {t('choose')}
              </Button>
            )}
          </ChooseFile>
          {value !== '' && (
            <Button variant="subtle" size="compact-sm" onClick={() => onChange('')}>
              {t('remove')}
            </Button>
          )}
        </Stack>
      </Group>
    </Input.Wrapper>
  );
}

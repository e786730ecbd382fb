import { Button, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { renderSVG } from 'uqr';
import classes from './qr-code.module.css';
import { Hint } from './layout/hint.tsx';

/** Bytes that fit into the largest code at error correction M. */
const MAX_QR_BYTES = 2_331;

/** A QR code, dark on light in both themes, with its content as text. Says so when the text is too long for a code. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation(['shell', 'words']);
  const isTooLong = new TextEncoder().encode(text).length > MAX_QR_BYTES;
  const source = useMemo(
    () =>
      isTooLong
        ? ''
        : `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(text, { ecc: 'M', border: 4, pixelSize: 8 }))}`,
    [text, isTooLong],
  );
  if (isTooLong) return <Text size="sm">{t('qr.tooLong')}</Text>;
  return (
    <Stack align="center" gap="xs">
      <img src={source} alt={t('qr.alt', { label })} className={classes['code']} width={256} height={256} />
      <Hint size="xs">
        <bdi>{label}</bdi>
      </Hint>
      <Button component="a" href={source} download={`${label}.svg`} size="xs" variant="default">
        {t('words:download')}
      </Button>
    </Stack>
  );
}

import { useTranslation } from 'react-i18next';
import { Hint } from '../../../../ui/layout/hint.tsx';

/** Protocols that are all about their clients. */
export function NoFields() {
  const { t } = useTranslation('inboundEditor');
  return <Hint>{t('protocol.onlyClients')}</Hint>;
}

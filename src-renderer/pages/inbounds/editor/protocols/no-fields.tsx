import { useTranslation } from 'react-i18next';
import { Hint } from '../../../../ui/layout/hint.tsx';

/** For protocols that have settings only on their clients. */
export function NoFields() {
  const { t } = useTranslation('inboundEditor');
  return <Hint>{t('protocol.onlyClients')}</Hint>;
}

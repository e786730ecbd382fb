import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Certificate } from '#contract/certificates';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { CertificateDetails } from './certificate-details.tsx';
import { CertificateDialog } from './certificate-dialog.tsx';
import { CertificateRow } from './certificate-row.tsx';
import { useCertificates } from './use-certificates.ts';

/** Certificates by name: their domains, expiry and uses. */
export function CertificatesSection() {
  const { t } = useTranslation(['certificates', 'words']);
  const found = useCertificates();
  const editor = useDialogParam('certificate');
  const details = useDialogParam('details');
  return (
    <TitledCard title={t('title')} actions={<Button onClick={() => editor.open('new')}>{t('add')}</Button>}>
      <Text size="sm">{t('text')}</Text>
      <QueryView query={found}>
        {({ certificates, dnsHooks, dnsHookFolder }) => {
          const edited = withId(certificates, editor.value);
          const looked = withId(certificates, details.value);
          return (
            <>
              {certificates.length === 0 ? (
                <EmptyState text={t('none')} />
              ) : (
                <CardTable
                  minWidth={720}
                  columns={[t('words:certificate'), t('words:state'), t('column.renewal'), t('column.usedBy')]}
                  actions={t('words:actions')}
                >
                  {certificates.map((certificate) => (
                    <CertificateRow
                      key={certificate.id}
                      certificate={certificate}
                      onEdit={() => editor.open(String(certificate.id))}
                      onDetails={() => details.open(String(certificate.id))}
                    />
                  ))}
                </CardTable>
              )}
              {(editor.value === 'new' || edited !== undefined) && (
                <CertificateDialog
                  key={editor.value}
                  certificate={edited ?? null}
                  dnsHooks={dnsHooks}
                  dnsHookFolder={dnsHookFolder}
                  onClose={editor.close}
                />
              )}
              {looked !== undefined && <CertificateDetails certificate={looked} onClose={details.close} />}
            </>
          );
        }}
      </QueryView>
    </TitledCard>
  );
}

const withId = (certificates: readonly Certificate[], id: string | null): Certificate | undefined =>
  certificates.find((one) => String(one.id) === id);

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type PaymentProvider, paymentApi, paymentProviderQuery } from '../../../api/payments.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Row, Rows, Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { BillingTabs } from './billing-tabs.tsx'
import { ProviderDialog } from './provider-dialog.tsx'

/** The account that machine payments are charged to. */
export function ProviderPage() {
  const { data, error, isPending, refetch } = useQuery(paymentProviderQuery)
  const [dialog, setDialog] = useState<'set' | 'remove'>()
  const close = () => setDialog(undefined)
  return (
    <Page title="Billing" tabs={<BillingTabs />}>
      {isPending && <SkeletonRows rows={2} />}
      {error && !data && <Failure error={error} onRetry={() => refetch()} />}
      {data && (
        <Section
          title="Payment provider"
          lead="Machine payments are charged to the saved payment method of a Stripe customer. Without a provider they are recorded, and no money moves."
        >
          {data.provider ? (
            <Configured provider={data.provider} onChoose={setDialog} />
          ) : (
            <Button look="primary" className="self-start" onClick={() => setDialog('set')}>
              Connect Stripe
            </Button>
          )}
        </Section>
      )}
      {dialog === 'set' && <ProviderDialog provider={data?.provider ?? null} onClose={close} />}
      {dialog === 'remove' && (
        <ConfirmDialog
          title="Remove Stripe"
          phrase="stripe"
          action="Remove provider"
          mutate={() => paymentApi.paymentProvider.remove()}
          invalidates={[['payments']]}
          success="Removed Stripe"
          onClose={close}
        >
          <p>
            The API key is deleted. Payments are recorded only, and those with an unknown result stay unknown.
          </p>
        </ConfirmDialog>
      )}
    </Page>
  )
}

interface ConfiguredProps {
  provider: PaymentProvider
  onChoose: (dialog: 'set' | 'remove') => void
}

const Configured = ({ provider, onChoose }: ConfiguredProps) => (
  <Rows label="Payment provider">
    <Row
      title={
        <>
          <span className="font-medium">Stripe</span>
          <Badge>{provider.mode === 'live' ? 'Live' : 'Test mode'}</Badge>
        </>
      }
      note={`${provider.customerId} · ${provider.paymentMethodId} · key …${provider.lastFour}`}
    >
      <Button look="quiet" onClick={() => onChoose('set')}>
        Change
      </Button>
      <Button look="quiet" onClick={() => onChoose('remove')}>
        Remove
      </Button>
    </Row>
  </Rows>
)

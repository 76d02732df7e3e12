import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import {
  type PaymentProvider,
  paymentApi,
  paymentProviderQuery,
  refreshPayments,
} from '../../../api/payments.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Row, Rows, Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { BillingTabs } from './billing-tabs.tsx'

export function ProviderPage() {
  const { data, error, isPending, refetch } = useQuery(paymentProviderQuery)
  const [dialog, setDialog] = useState<'set' | 'remove'>()
  const close = () => setDialog(undefined)
  return (
    <Page title="Payments" tabs={<BillingTabs />}>
      {isPending && <SkeletonRows rows={2} />}
      {error && !data && <Failure error={error} onRetry={() => refetch()} />}
      {data && (
        <Section
          title="Payment provider"
          lead="Machine payments are charged to a Stripe customer’s saved payment method. Without a provider, they’re only recorded and no money moves."
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
          success={t`Stripe removed`}
          onClose={close}
        >
          <p>This deletes the API key. Payments will only be recorded, and unknown results stay unknown.</p>
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
          <Badge>{provider.mode === 'live' ? t`Live` : t`Test mode`}</Badge>
        </>
      }
      note={t`${provider.customerId} · ${provider.paymentMethodId} · key …${provider.lastFour}`}
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

/** Every change requires the key: a stored key is never used for another customer without it. */
function ProviderDialog({ provider, onClose }: { provider: PaymentProvider | null; onClose: () => void }) {
  const [apiKey, setApiKey] = useState('')
  const [customerId, setCustomerId] = useState(provider?.customerId ?? '')
  const [paymentMethodId, setPaymentMethodId] = useState(provider?.paymentMethodId ?? '')
  const save = useMutation({
    mutationFn: () => paymentApi.paymentProvider.put({ kind: 'stripe', apiKey, customerId, paymentMethodId }),
    onSuccess: async () => {
      await refreshPayments()
      toast(t`Payment provider saved`)
      onClose()
    },
  })
  const errorOf = (field: string) => fieldMessage(save.error, field)
  const hasFieldError = ['apiKey', 'customerId', 'paymentMethodId'].some(errorOf)
  const input = { required: true, autoComplete: 'off', spellCheck: false }
  return (
    <FormDialog
      title={provider ? t`Change Stripe` : t`Connect Stripe`}
      action="Save"
      failure={hasFieldError ? undefined : failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField
        {...input}
        label="API key"
        type="password"
        placeholder="rk_live_…"
        hint="A restricted key that can write payment intents and refunds and read payment methods. Stored encrypted and never shown again."
        value={apiKey}
        error={errorOf('apiKey')}
        onChange={(event) => setApiKey(event.target.value)}
      />
      <TextField
        {...input}
        label="Customer"
        placeholder="cus_…"
        value={customerId}
        error={errorOf('customerId')}
        onChange={(event) => setCustomerId(event.target.value)}
      />
      <TextField
        {...input}
        label="Saved payment method"
        placeholder="pm_…"
        value={paymentMethodId}
        error={errorOf('paymentMethodId')}
        onChange={(event) => setPaymentMethodId(event.target.value)}
      />
    </FormDialog>
  )
}

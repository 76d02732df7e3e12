import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { type PaymentProvider, paymentApi, refreshPayments } from '../../../api/payments.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { toast } from '../../../components/toast.tsx'

/** The key is required with every change: a stored key is never used for another customer without it. */
export function ProviderDialog({
  provider,
  onClose,
}: {
  provider: PaymentProvider | null
  onClose: () => void
}) {
  const [apiKey, setApiKey] = useState('')
  const [customerId, setCustomerId] = useState(provider?.customerId ?? '')
  const [paymentMethodId, setPaymentMethodId] = useState(provider?.paymentMethodId ?? '')
  const save = useMutation({
    mutationFn: () => paymentApi.paymentProvider.put({ kind: 'stripe', apiKey, customerId, paymentMethodId }),
    onSuccess: async () => {
      await refreshPayments()
      toast('Saved the payment provider')
      onClose()
    },
  })
  const errorOf = (field: string) => fieldMessage(save.error, field)
  const hasFieldError = ['apiKey', 'customerId', 'paymentMethodId'].some(errorOf)
  const input = { required: true, autoComplete: 'off', spellCheck: false }
  return (
    <FormDialog
      title={provider ? 'Change Stripe' : 'Connect Stripe'}
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
        hint="A restricted key that may write payment intents and refunds and read payment methods. Stored encrypted and never shown again."
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

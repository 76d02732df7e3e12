import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MANDATE_HOLDERS, type MandateHolder } from '../../../../contract/billing/payment-options.ts'
import { t } from '../../../../contract/text.ts'
import { fieldMessage } from '../../../api/explain.ts'
import { paymentApi, refreshPayments } from '../../../api/payments.ts'
import { parseAmount } from '../../../components/amounts.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { useCreateDialog } from '../../../components/dialogs/use-create-dialog.ts'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { toast } from '../../../components/toast.tsx'
import { useSubjects } from '../usage/budgets/use-subjects.ts'
import { HOLDER_LABELS } from './payment-labels.ts'

const EMPTY = { currency: 'usd', perPayment: '', perDay: '', total: '', payees: '', expires: '' }
type Draft = typeof EMPTY

const FIELDS = ['currency', 'perPayment', 'perDay', 'total', 'expiresAt']

/** A mandate never changes, so the form only creates. */
export function MandateDialog() {
  const [holder, setHolder] = useState<MandateHolder>('agent')
  const [holderId, setHolderId] = useState('')
  const [draft, setDraft] = useState<Draft>(EMPTY)
  const subjects = useSubjects(holder, holderId, null)
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/settings/organization/payments/mandates' })
  const { form, errorOf } = useCreateDialog({
    create: () => paymentApi.mandates.create({ holder, holderId, ...requestOf(draft) }),
    onCreated: async () => {
      await refreshPayments()
      toast(t`Mandate created`)
      close()
    },
    onClose: close,
    isFieldError: (error) => FIELDS.some((name) => fieldMessage(error, name)),
  })
  const field = (name: keyof Draft, apiName: string = name) => ({
    value: draft[name],
    autoComplete: 'off',
    error: errorOf(apiName),
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
  })
  return (
    <FormDialog
      title="New mandate"
      action="Create mandate"
      lead="Payments within these limits need no approval, except in runs that have read untrusted content. You can’t change a mandate, only revoke it."
      {...form}
    >
      <Select
        label="Who can pay"
        value={holder}
        onChange={(event) => {
          setHolder(event.target.value as MandateHolder)
          setHolderId('')
        }}
      >
        {MANDATE_HOLDERS.map((each) => (
          <option key={each} value={each}>
            {HOLDER_LABELS[each]}
          </option>
        ))}
      </Select>
      <Select
        label={HOLDER_LABELS[holder]}
        required
        value={holderId}
        hint={HINTS[holder]}
        onChange={(event) => setHolderId(event.target.value)}
      >
        <option value="">Choose…</option>
        {subjects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <div className="grid grid-cols-2 gap-12">
        <TextField label="Currency" required placeholder="usd" {...field('currency')} />
        <TextField
          label="Per payment"
          required
          inputMode="decimal"
          placeholder={t`20.00`}
          {...field('perPayment')}
        />
        <TextField label="Per day (UTC)" inputMode="decimal" placeholder={t`50.00`} {...field('perDay')} />
        <TextField label="In total" inputMode="decimal" placeholder={t`500.00`} {...field('total')} />
      </div>
      <TextField
        label="Payees (optional)"
        hint="Accounts, hosts or names, separated by commas. Leave empty to allow any payee."
        placeholder="data.example.com, acct_1Pgc…"
        {...field('payees')}
      />
      <TextField label="Ends on (optional)" type="date" {...field('expires', 'expiresAt')} />
    </FormDialog>
  )
}

const HINTS: Record<MandateHolder, string> = {
  key: t`Your own API keys are listed. The key also needs the scope billing:machine:charge.`,
  agent: t`Its runs can pay if an owner or admin started them.`,
  project: t`Applies to every agent and API key that pays for this project.`,
}

const requestOf = ({ currency, perPayment, perDay, total, payees, expires }: Draft) => ({
  currency: currency.trim(),
  perPayment: parseAmount(perPayment),
  perDay: parseAmount(perDay) || null,
  total: parseAmount(total) || null,
  payees: payees
    .split(',')
    .map((payee) => payee.trim())
    .filter(Boolean),
  expiresAt: expires ? `${expires}T23:59:59Z` : null,
})

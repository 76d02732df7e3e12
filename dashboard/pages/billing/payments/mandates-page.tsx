import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { FileSignature, Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { failureMessage } from '../../../api/explain.ts'
import { type Mandate, mandatesQuery, paymentApi, refreshPayments } from '../../../api/payments.ts'
import { formatMoney } from '../../../components/amounts.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { BillingTabs } from './billing-tabs.tsx'
import { HOLDER_LABELS, METHOD_LABELS } from './payment-labels.ts'

export function MandatesPage() {
  const { data, error, isPending, refetch } = useQuery(mandatesQuery)
  const navigate = useNavigate()
  const create = () => void navigate({ to: '/settings/organization/payments/mandates/new' })
  usePageKeys([{ label: t`New mandate`, keys: 'c', icon: Plus, run: create }])
  const activeCount = data?.items.filter(({ state }) => state === 'active').length ?? 0
  return (
    <Page title="Payments" count={activeCount || undefined} tabs={<BillingTabs />} action={<NewMandate />}>
      {isPending && <SkeletonRows />}
      {error && !data && <Failure error={error} onRetry={() => refetch()} />}
      {data?.items.length === 0 && (
        <Empty icon={FileSignature} title="No mandates yet" action={<NewMandate />}>
          A mandate lets an API key, an agent or a project’s agents pay without asking, up to a limit per
          payment, per day and in total. Everything else waits for your approval.
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <ul aria-label="Mandates" className="flex max-w-extra-wide flex-col px-16 md:px-24">
          {data.items.map((mandate) => (
            <MandateRow key={mandate.id} mandate={mandate} />
          ))}
        </ul>
      )}
      <Outlet />
    </Page>
  )
}

const NewMandate = () => (
  <Link to="/settings/organization/payments/mandates/new" className={buttonClass('primary')}>
    New mandate
  </Link>
)

const STATES: Record<Mandate['state'], { label: string; meaning: Meaning }> = {
  active: { label: t`Active`, meaning: 'good' },
  expired: { label: t`Expired`, meaning: 'neutral' },
  revoked: { label: t`Revoked`, meaning: 'neutral' },
}

function MandateRow({ mandate }: { mandate: Mandate }) {
  const { holder, holderName, currency, perPayment, perDay, total, spent, spentToday, state } = mandate
  const [isRevoking, setRevoking] = useState(false)
  const name = holderName ?? t`Private or deleted`
  return (
    <li className="flex flex-wrap items-start gap-x-16 gap-y-8 border-neutral-6 border-b py-16">
      <div className="flex min-w-0 flex-1 basis-filter flex-col gap-8">
        <div className="flex flex-wrap items-baseline justify-between gap-x-16 gap-y-4">
          <span className="min-w-0 truncate">
            <span className="text-neutral-11">{HOLDER_LABELS[holder]}</span>{' '}
            <span className="font-medium">
              <Name>{name}</Name>
            </span>
          </span>
          <Status meaning={STATES[state].meaning}>{STATES[state].label}</Status>
        </div>
        <p className="text-12 text-neutral-11">
          Up to {formatMoney(perPayment, currency)} per payment · <Scope mandate={mandate} />
        </p>
        {perDay && <Spent label="Today" name={name} spent={spentToday} limit={perDay} currency={currency} />}
        {total ? (
          <Spent label="In total" name={name} spent={spent} limit={total} currency={currency} />
        ) : (
          <p className="text-12 text-neutral-11">{formatMoney(spent, currency)} in total</p>
        )}
      </div>
      {state === 'active' && (
        <Button
          look="quiet"
          size="small"
          aria-label={textWithNames`Revoke mandate for ${name}`}
          onClick={() => setRevoking(true)}
        >
          Revoke
        </Button>
      )}
      {isRevoking && <RevokeDialog mandate={mandate} name={name} onClose={() => setRevoking(false)} />}
    </li>
  )
}

function Scope({ mandate: { payees, methods, expiresAt } }: { mandate: Mandate }) {
  return (
    <>
      {payees.length > 0 ? t`to ${payees.join(', ')}` : t`to any payee`}
      {methods.length > 0 && t` · by ${methods.map((method) => METHOD_LABELS[method]).join(', ')}`}
      {expiresAt && (
        <>
          {' '}
          · ends <Time at={expiresAt} isExpected />
        </>
      )}
    </>
  )
}

interface SpentProps {
  label: string
  name: string
  spent: string
  limit: string
  currency: string
}

const Spent = ({ label, name, spent, limit, currency }: SpentProps) => (
  <div className="flex flex-col gap-4">
    <div className="flex justify-between gap-16 text-12 text-neutral-11 tabular-nums">
      <span>{label}</span>
      <span>
        {formatMoney(spent, currency)} of {formatMoney(limit, currency)}
      </span>
    </div>
    <progress
      aria-label={textWithNames`${name}, spent ${labelInSentence(label)}`}
      className="h-4 w-full appearance-none overflow-hidden rounded-4 bg-neutral-4 [&::-moz-progress-bar]:bg-neutral-9 [&::-webkit-progress-bar]:bg-neutral-4 [&::-webkit-progress-value]:bg-neutral-9"
      value={Math.min(Number(spent), Number(limit))}
      max={Number(limit)}
    />
  </div>
)

function RevokeDialog({ mandate, name, onClose }: { mandate: Mandate; name: string; onClose: () => void }) {
  const revoke = useMutation({
    mutationFn: () => paymentApi.mandates.revoke({ id: mandate.id }),
    onSuccess: async () => {
      await refreshPayments()
      toast(t`Mandate revoked`)
      onClose()
    },
  })
  return (
    <FormDialog
      title="Revoke mandate"
      action="Revoke mandate"
      failure={failureMessage(revoke.error)}
      busy={revoke.isPending}
      onSubmit={revoke.mutate}
      onClose={onClose}
    >
      <p className="break-words text-neutral-11">
        From now on, payments by <Name>{name}</Name> under this mandate need approval. You can’t restore it,
        but you can create a new one.
      </p>
    </FormDialog>
  )
}

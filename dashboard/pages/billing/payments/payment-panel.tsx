import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { type PaymentDetails, paymentApi, paymentQuery } from '../../../api/payments.ts'
import { formatMoney } from '../../../components/amounts.ts'
import { Button } from '../../../components/button.tsx'
import { Copy } from '../../../components/copy.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Failure, FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Fact } from '../../../components/layout/fact.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { approvalReason, METHOD_LABELS, PAYMENT_LABELS } from './payment-labels.ts'
import { localizeStep } from './timeline-sentences.ts'
import { useDecidePayment } from './use-decide-payment.ts'

const route = getRouteApi('/app/settings/organization/payments/$paymentId')

export function PaymentPanel() {
  const { paymentId } = route.useParams()
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useQuery(paymentQuery(paymentId))
  const close = async () => {
    await navigate({ to: '/settings/organization/payments', search: (current) => current })
    focusRow(paymentId)
  }
  return (
    <Panel title="Payment" subtitle={data && <Time at={data.createdAt} />} onClose={close}>
      {isPending && <SkeletonRows rows={4} />}
      {error && !data && <Failure error={error} onRetry={() => refetch()} />}
      {data && <Details key={paymentId} payment={data} />}
    </Panel>
  )
}

function Details({ payment }: { payment: PaymentDetails }) {
  const { status, amount, currency, reason, failure, timeline } = payment
  const { label, meaning, text } = PAYMENT_LABELS[status]
  return (
    <>
      <PanelSection>
        <p className="flex flex-wrap items-baseline justify-between gap-x-16 gap-y-4">
          <span className="font-strong text-20 tabular-nums">{formatMoney(amount, currency)}</span>
          <Status meaning={meaning}>{label}</Status>
        </p>
        <p className="mt-8 break-words">{reason}</p>
        <p className="mt-8 break-words text-12 text-neutral-11">{failure?.message ?? text}</p>
        {status === 'requires_approval' && <PaymentDecision payment={payment} />}
        {(status === 'succeeded' || payment.refund) && <PaymentRefund payment={payment} />}
      </PanelSection>
      <PanelSection title="Details">
        <Facts payment={payment} />
      </PanelSection>
      <PanelSection title="Timeline">
        <PaymentTimeline entries={timeline} approval={payment.approval} />
      </PanelSection>
    </>
  )
}

function Facts({ payment }: { payment: PaymentDetails }) {
  const { id, payee, method, providerReference, receipt, runId, mandateId, metadata } = payment
  return (
    <dl className="flex flex-col gap-8 text-13">
      {payee && (
        <Fact label="Payee">
          <Name>{payee.name}</Name>
          {(payee.account ?? payee.url) && (
            <span className="block break-all text-12 text-neutral-11">{payee.account ?? payee.url}</span>
          )}
        </Fact>
      )}
      <Fact label="Method">{METHOD_LABELS[method]}</Fact>
      {mandateId && (
        <Fact label="Paid under">
          <Link to="/settings/organization/payments/mandates" className="underline underline-offset-4">
            a mandate
          </Link>
        </Fact>
      )}
      {runId && (
        <Fact label="Run">
          <Link to="/runs/$runId" params={{ runId }} className="underline underline-offset-4">
            Open run
          </Link>
        </Fact>
      )}
      {providerReference && <Fact label="Provider reference">{<Id text={providerReference} />}</Fact>}
      {receipt?.url && (
        <Fact label="Receipt">
          <a href={receipt.url} target="_blank" rel="noreferrer" className="underline underline-offset-4">
            Open in Stripe
          </a>
        </Fact>
      )}
      <Fact label="ID">{<Id text={id} />}</Fact>
      {Object.keys(metadata).length > 0 && (
        <Fact label="Metadata">
          <code className="break-all font-mono text-12">{JSON.stringify(metadata)}</code>
        </Fact>
      )}
    </dl>
  )
}

const Id = ({ text }: { text: string }) => (
  <span className="flex items-center gap-4">
    <code className="min-w-0 truncate font-mono text-12">{text}</code>
    <Copy value={text} what="ID" />
  </span>
)

function PaymentDecision({ payment }: { payment: PaymentDetails }) {
  const { amount, currency, approval } = payment
  const [note, setNote] = useState('')
  const decide = useDecidePayment(payment)
  return (
    <div className="mt-16 flex flex-col gap-12 border border-warning-line bg-warning-wash p-12">
      {approval && (
        <p className="text-13">
          {approvalReason(approval)}. It’s denied automatically <Time at={approval.expiresAt} isExpected />.
        </p>
      )}
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      <TextField
        label="Note (optional)"
        limit={1000}
        autoComplete="off"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="flex flex-wrap gap-8">
        <Button
          look="primary"
          busy={decide.isPending && decide.variables.decision === 'approve'}
          onClick={() => decide.mutate({ decision: 'approve', note })}
        >
          Approve {formatMoney(amount, currency)}
        </Button>
        <Button
          busy={decide.isPending && decide.variables.decision === 'deny'}
          onClick={() => decide.mutate({ decision: 'deny', note })}
        >
          Deny
        </Button>
      </div>
    </div>
  )
}

function PaymentRefund({ payment }: { payment: PaymentDetails }) {
  const { id, status, amount, currency, refund } = payment
  const [open, setOpen] = useState(false)
  if (status === 'refunded') return null
  if (refund?.status === 'processing')
    return <p className="mt-12 text-13 text-neutral-11">Refund in progress.</p>
  return (
    <div className="mt-12 flex flex-col items-start gap-8">
      {refund?.failure && (
        <p role="status" className="text-13 text-bad-text">
          Refund failed: {refund.failure.message}
        </p>
      )}
      <Button onClick={() => setOpen(true)}>Refund</Button>
      {open && (
        <ConfirmDialog
          title="Refund payment"
          phrase="refund"
          action={t`Refund ${formatMoney(amount, currency)}`}
          mutate={() => paymentApi.machinePayments.refund({ id })}
          invalidates={[['payments']]}
          success={t`Refund requested`}
          onClose={() => setOpen(false)}
        >
          <p>The provider returns the full amount to the payment method. You can’t undo a refund.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

interface PaymentTimelineProps {
  entries: PaymentDetails['timeline']
  approval: PaymentDetails['approval']
}

const PaymentTimeline = ({ entries, approval }: PaymentTimelineProps) => (
  <ol aria-label="Timeline" className="flex flex-col gap-12 text-13">
    {entries.map((entry, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end
      <li key={index} className="flex items-baseline gap-8">
        <span aria-hidden className="size-8 shrink-0 self-center rounded-round bg-neutral-8" />
        <span className="min-w-0 flex-1 break-words">
          {localizeStep(entry, approval)}
          {entry.userName && (
            <span className="text-neutral-11">
              {' '}
              · <Name>{entry.userName}</Name>
            </span>
          )}
        </span>
        <span className="text-12 text-neutral-11">
          <Time at={entry.at} />
        </span>
      </li>
    ))}
  </ol>
)

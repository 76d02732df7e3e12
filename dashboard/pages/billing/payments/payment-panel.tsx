import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type PaymentDetails, paymentQuery } from '../../../api/payments.ts'
import { Copy } from '../../../components/copy.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Fact } from '../../../components/layout/fact.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { Time } from '../../../components/time.tsx'
import { focusRow } from '../../../frame/list-keys.ts'
import { PaymentDecision } from './payment-decision.tsx'
import { formatMoney, METHOD_LABELS, PAYMENT_LABELS } from './payment-labels.ts'
import { PaymentRefund } from './payment-refund.tsx'
import { PaymentTimeline } from './payment-timeline.tsx'

const route = getRouteApi('/app/billing/payments/$paymentId')

export function PaymentPanel() {
  const { paymentId } = route.useParams()
  const navigate = useNavigate()
  const { data, error, isPending, refetch } = useQuery(paymentQuery(paymentId))
  const close = async () => {
    await navigate({ to: '/billing/payments', search: (current) => current })
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
        <PaymentTimeline entries={timeline} />
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
          <Link to="/billing/mandates" className="underline underline-offset-4">
            a mandate
          </Link>
        </Fact>
      )}
      {runId && (
        <Fact label="Run">
          <Link to="/runs/$runId" params={{ runId }} className="underline underline-offset-4">
            Open the run
          </Link>
        </Fact>
      )}
      {providerReference && <Fact label="Provider reference">{<Id text={providerReference} />}</Fact>}
      {receipt?.url && (
        <Fact label="Receipt">
          <a href={receipt.url} target="_blank" rel="noreferrer" className="underline underline-offset-4">
            Open at Stripe
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

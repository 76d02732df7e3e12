import { t } from '../../../../contract/text.ts'
import type { PaymentDetails } from '../../../api/payments.ts'
import { renderSentence, type Sentence } from '../../../components/server-sentences.ts'
import { approvalReason } from './payment-labels.ts'

/** The server writes the timeline in English (`server/features/billing/machine-payments/read.ts`). */
export function localizeStep(
  { type, text }: PaymentDetails['timeline'][number],
  approval: PaymentDetails['approval'],
): string {
  if (type === 'approval_requested' && approval) return t`Waiting for approval: ${approvalReason(approval)}`
  return renderSentence(SENTENCES, text)
}

const SENTENCES: Sentence[] = [
  [/^Created$/, () => t`Created`],
  [/^A run requested the payment$/, () => t`A run requested the payment`],
  [
    /^Recorded: no provider is configured, so no money moved$/,
    () => t`Recorded: no provider is configured, so no money moved`,
  ],
  [/^Approved$/, () => t`Approved`],
  [/^Denied$/, () => t`Denied`],
  [/^Not decided within 24 hours$/, () => t`Not decided within 24 hours`],
  [/^Charge sent to Stripe$/, () => t`Charge sent to Stripe`],
  [/^Requested the result from Stripe$/, () => t`Requested the result from Stripe`],
  [/^Refund sent to Stripe$/, () => t`Refund sent to Stripe`],
  [/^Stripe charged the payment method$/, () => t`Stripe charged the payment method`],
  [/^Stripe is processing the payment$/, () => t`Stripe is processing the payment`],
  [/^Stripe returned the amount$/, () => t`Stripe returned the amount`],
  [/^Failed$/, () => t`Failed`],
  [/^Failed: (.+)$/, (reason) => t`Failed: ${reason!}`],
  [/^The result is not known$/, () => t`The result is not known`],
  [/^The result is not known: (.+)$/, (reason) => t`The result is not known: ${reason!}`],
]

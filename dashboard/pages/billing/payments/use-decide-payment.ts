import { useMutation } from '@tanstack/react-query'
import { ApiFailure } from '../../../../client/client.ts'
import { t } from '../../../../contract/text.ts'
import { isDeclinedStepUp } from '../../../api/explain.ts'
import { type Payment, paymentApi, refreshPayments } from '../../../api/payments.ts'
import { toast } from '../../../components/toast.tsx'

interface Decision {
  decision: 'approve' | 'deny'
  note: string
}

/** The client asks for step-up. */
export function useDecidePayment({ id }: Pick<Payment, 'id'>, onDecided?: () => void) {
  return useMutation({
    mutationFn: ({ decision, note }: Decision) =>
      paymentApi.machinePayments.decide({ id, decision, ...(note.trim() && { note: note.trim() }) }),
    onSuccess: async (_payment, { decision }) => {
      onDecided?.()
      await refreshPayments()
      toast(decision === 'approve' ? t`Payment approved` : t`Payment denied`)
    },
    onError: async (error) => {
      if (isDeclinedStepUp(error)) return
      // Another member decided first, or the payment has expired.
      if (error instanceof ApiFailure && error.code === 'CONFLICT') await refreshPayments()
    },
  })
}

import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../../../../contract/text.ts'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { queryClient } from '../../../api/query-client.ts'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { type Webhook, webhookApi } from '../webhooks-queries.ts'

/** Refetches all webhook queries on success. */
export function useWebhookMutation<T>(
  mutationFn: () => Promise<T>,
  onSuccess: (result: T) => void,
  /** For callers that don't render `failure` themselves. */
  onFailure?: (message: string) => void,
) {
  const mutation = useMutation({
    mutationFn,
    onError: (error) => {
      if (!isDeclinedStepUp(error)) onFailure?.(shortMessage(error))
    },
    onSuccess: (result) => {
      void refreshWebhooks()
      onSuccess(result)
    },
  })
  const failure =
    mutation.error && !isDeclinedStepUp(mutation.error) ? shortMessage(mutation.error) : undefined
  return { run: () => mutation.mutate(), busy: mutation.isPending, failure, error: mutation.error }
}

const MESSAGES: Record<Webhook['status'], (name: string) => ReactNode> = {
  active: (name) => withNames`${name} is active`,
  paused: (name) => withNames`Paused ${name}`,
  disabled: (name) => withNames`Disabled ${name}`,
}

/** Undo isn't offered to and from `disabled`: disabling cancels deliveries, which stay canceled. */
export async function setStatus(webhook: Webhook, status: Webhook['status']): Promise<void> {
  const { id, name, status: before } = webhook
  try {
    await webhookApi.webhooks.update({ id, status })
    const undo = { label: t`Undo`, run: () => void setStatus({ ...webhook, status }, before) }
    toast(MESSAGES[status](name), [before, status].includes('disabled') ? undefined : undo)
  } catch (error) {
    if (!isDeclinedStepUp(error)) toast(shortMessage(error))
  } finally {
    await refreshWebhooks()
  }
}

const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] })

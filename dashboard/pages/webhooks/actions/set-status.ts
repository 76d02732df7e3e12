import type { ReactNode } from 'react'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { queryClient } from '../../../api/query-client.ts'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { webhookApi } from '../webhooks-api.ts'
import type { Webhook } from '../webhooks-queries.ts'

const MESSAGES: Record<Webhook['status'], (name: string) => ReactNode> = {
  active: (name) => withNames`${name} is active`,
  paused: (name) => withNames`Paused ${name}`,
  disabled: (name) => withNames`Disabled ${name}`,
}

/** The toast offers undo, except to and from `disabled`: a disabled webhook cancels deliveries, which stay canceled. */
export async function setStatus(webhook: Webhook, status: Webhook['status']): Promise<void> {
  const { id, name, status: before } = webhook
  try {
    await webhookApi.webhooks.update({ id, status })
    const undo = { label: 'Undo', run: () => void setStatus({ ...webhook, status }, before) }
    toast(MESSAGES[status](name), [before, status].includes('disabled') ? undefined : undo)
  } catch (error) {
    if (!isDeclinedStepUp(error)) toast(shortMessage(error))
  } finally {
    await refreshWebhooks()
  }
}

/** Refetches every mounted query of webhooks and events. */
export const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] })

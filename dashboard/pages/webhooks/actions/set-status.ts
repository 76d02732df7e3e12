import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { queryClient } from '../../../api/query-client.ts'
import { toast } from '../../../components/toast.tsx'
import type { Webhook } from '../webhooks-queries.ts'

const DONE: Record<Webhook['status'], (name: string) => string> = {
  active: (name) => `${name} is active again`,
  paused: (name) => `Paused ${name}. What happens meanwhile is kept`,
  disabled: (name) => `Disabled ${name}`,
}

/** Says what was done and offers the way back, except from disabled: what was called off by that stays so. */
export async function setStatus(webhook: Webhook, status: Webhook['status']): Promise<void> {
  const { id, name, status: before } = webhook
  try {
    await api.webhooks.update({ id, status })
    const undo = { label: 'Undo', run: () => void setStatus({ ...webhook, status }, before) }
    toast(DONE[status](name), [before, status].includes('disabled') ? undefined : undo)
  } catch (error) {
    if (!isDeclinedStepUp(error)) toast(explainShortly(error))
  } finally {
    await refreshWebhooks()
  }
}

/** Whatever is on the screen of webhooks and events is looked up again. */
export const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] })

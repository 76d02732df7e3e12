import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Table } from '../../components/table/table.tsx'
import { focusedRow } from '../../frame/list-keys.ts'
import { Page } from '../../frame/page.tsx'
import { usePageKeys } from '../../frame/page-keys.ts'
import { useWebhookActions } from './actions/use-webhook-actions.tsx'
import { useWebhookKeys } from './actions/use-webhook-keys.ts'
import { WebhookSummaries } from './for-members/webhook-summaries.tsx'
import { NewWebhookLink, NoWebhooks } from './no-webhooks.tsx'
import { webhookColumns } from './webhook-columns.tsx'
import { WebhookTabs } from './webhook-tabs.tsx'
import { webhooksQuery } from './webhooks-queries.ts'

export function WebhooksPage() {
  const { role } = useSession()
  return role === 'member' ? <WebhookSummaries /> : <ManagedWebhooks />
}

function ManagedWebhooks() {
  const [filter, setFilter] = useState('')
  const navigate = useNavigate()
  const webhooks = useQuery(webhooksQuery)
  const { actions, dialog } = useWebhookActions()
  const items = webhooks.data?.items ?? []
  const query = filter.trim().toLowerCase()
  const found = items.filter(({ name, url }) => `${name} ${url}`.toLowerCase().includes(query))
  useWebhookKeys(actions, () => items.find(({ id }) => id === focusedRow()))
  const create = () => void navigate({ to: '/webhooks/new' })
  usePageKeys([
    { label: 'New webhook', keys: 'c', icon: Plus, unlisted: true, run: create },
    { label: 'New webhook', keys: 'n', icon: Plus, unlisted: true, run: create },
  ])
  return (
    <Page
      title="Webhooks"
      count={webhooks.data && items.length}
      filter={
        items.length > 0 ? { value: filter, onChange: setFilter, label: 'Filter by name or URL' } : undefined
      }
      action={items.length > 0 && <NewWebhookLink />}
      tabs={<WebhookTabs />}
    >
      {webhooks.isPending && <SkeletonRows rows={4} />}
      {webhooks.error && !webhooks.data && (
        <Failure error={webhooks.error} onRetry={() => webhooks.refetch()} />
      )}
      {webhooks.data && items.length === 0 && <NoWebhooks />}
      {items.length > 0 && (
        <Table
          label="Webhooks"
          columns={webhookColumns(actions)}
          rows={found}
          rowKey={(webhook) => webhook.id}
          version={(webhook) => webhook.updatedAt}
        />
      )}
      {items.length > 0 && found.length === 0 && (
        <p className="px-16 py-12 text-13 text-neutral-11 md:px-24">No webhooks match your filter.</p>
      )}
      {dialog}
      <Outlet />
    </Page>
  )
}

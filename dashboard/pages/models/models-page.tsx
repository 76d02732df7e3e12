import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import { useState } from 'react'
import { modelListQuery } from '../../api/models.ts'
import { useSession } from '../../api/session.ts'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/failure.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Table } from '../../components/table/table.tsx'
import { Page } from '../../frame/page.tsx'
import { DefaultModel } from './default-model.tsx'
import { modelColumns } from './model-columns.tsx'
import { PriceDialog } from './price-dialog.tsx'
import { Providers } from './providers.tsx'

const ROUTE = '/settings/organization/models'

const NEXT_STEPS = {
  member: 'Ask an admin of the organization to add one.',
  admin: 'Add one with its API key; the operator can also configure providers for the whole server.',
}

/** The language models that the organization can use, and their providers. */
export function ModelsPage() {
  const { role } = useSession()
  const [filter, setFilter] = useState('')
  const { model: priced } = useSearch({ from: '/app/settings/organization/models' })
  const navigate = useNavigate()
  const openPrice = (model: string | undefined) =>
    void navigate({ to: ROUTE, search: { model }, replace: true })
  const canEdit = role !== 'member'
  const columns = modelColumns(canEdit ? ({ id }) => openPrice(id) : undefined)
  const models = useQuery(modelListQuery)
  const items = models.data?.items ?? []
  const query = filter.trim().toLowerCase()
  const found = items.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(query))
  const add = canEdit && (
    <Link to="/settings/organization/models/new" className={buttonClass('primary')}>
      Add provider
    </Link>
  )
  return (
    <Page
      title="Models"
      count={models.data && items.length}
      filter={items.length > 0 ? { value: filter, onChange: setFilter, label: 'Filter models' } : undefined}
      action={models.data && models.data.providers.length > 0 && add}
    >
      {models.isPending && <SkeletonRows />}
      {models.error && !models.data && <Failure error={models.error} onRetry={() => models.refetch()} />}
      {models.data?.hint && (
        <Empty inline icon={Bot} title="No model provider yet" action={add}>
          Agents answer with the models of a provider. Without one, only test models are available.{' '}
          {NEXT_STEPS[role === 'member' ? 'member' : 'admin']}
        </Empty>
      )}
      {models.data && models.data.providers.length > 0 && (
        <Section title="Providers" lead="A model id begins with the id of its provider.">
          <Providers states={models.data.providers} />
        </Section>
      )}
      {items.length > 0 && <DefaultModel models={items} />}
      {items.length > 0 && (
        <Table label="Models" columns={columns} rows={found} rowKey={(model) => model.id} />
      )}
      {items.length > 0 && found.length === 0 && (
        <p className="px-16 py-12 text-13 text-neutral-11 md:px-24">No models match your filter.</p>
      )}
      <Outlet />
      {priced && canEdit && models.data && (
        <PriceDialog
          key={priced}
          model={items.find(({ id }) => id === priced) ?? { id: priced }}
          onClose={() => openPrice(undefined)}
        />
      )}
    </Page>
  )
}

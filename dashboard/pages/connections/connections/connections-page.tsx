import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { connectionsQuery, connectorsQuery } from '../../../api/connections.ts'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { SectionTabs } from '../../../frame/section-tabs.tsx'
import { Catalog } from './catalog/catalog.tsx'
import { ConnectorPanel } from './catalog/connector-panel.tsx'
import { MyConnections } from './my-connections.tsx'
import { useCompletedConnections } from './use-completed-connections.ts'

const route = getRouteApi('/app/integrations/')

export function ConnectionsPage() {
  const { q = '', category, connector: slug } = route.useSearch()
  const { typed, setTyped } = useSearchInput(q)
  const navigate = useNavigate()
  const catalog = useQuery(connectorsQuery)
  const list = useQuery(connectionsQuery)
  useCompletedConnections()
  const connectors = catalog.data?.items ?? []
  // A connection that failed before it ever worked is only an attempt.
  const connections = (list.data?.items ?? []).filter(({ status }) => status !== 'failed')
  const openConnector = connectors.find((each) => each.slug === slug)
  const error = catalog.error ?? list.error
  const close = () =>
    void navigate({ to: '/integrations', search: (current) => ({ ...current, connector: undefined }) })
  return (
    <Page
      title="Integrations"
      tabs={<SectionTabs of="integrations" />}
      count={connections.length > 0 ? connections.length : undefined}
      filter={{ value: typed, onChange: setTyped, label: t`Search apps` }}
      panel={
        openConnector && (
          <ConnectorPanel connector={openConnector} connections={connections} onClose={close} />
        )
      }
    >
      {(catalog.isPending || list.isPending) && <SkeletonRows />}
      {error && !(catalog.data && list.data) && (
        <Failure error={error} onRetry={() => Promise.all([catalog.refetch(), list.refetch()])} />
      )}
      {catalog.data && list.data && (
        <>
          <MyConnections connections={connections} words={typed} />
          <Catalog
            connectors={connectors}
            connections={connections}
            words={typed}
            category={category}
            current={openConnector?.slug}
          />
        </>
      )}
    </Page>
  )
}

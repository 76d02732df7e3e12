import lines from 'virtual:organization-routes'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import type {
  ORGANIZATION_STATUSES,
  OrganizationSort,
} from '../../contract/organizations/lifecycle-options.ts'
import { type LateContract, signedInApi } from './client.ts'
import { requestStepUp } from './step-up.ts'

export const organizationApi = signedInApi<LateContract<'organization'>>(lines)

export type OrganizationDetails = OutputOf<Contract['operatedOrganizations']['get']>
export type OperatedOrganization = OutputOf<Contract['operatedOrganizations']['list']>['items'][number]
export type OrganizationExport = OutputOf<Contract['organizationExports']['list']>['items'][number]
export type Erasure = OutputOf<Contract['erasures']['list']>['items'][number]
export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number]

const EXPORT_POLL_MS = 1500

export interface OrganizationFilter {
  search: string
  status: OrganizationStatus | undefined
  sort: OrganizationSort
}

export const organizationsQuery = ({ search, status, sort }: OrganizationFilter) =>
  infiniteQueryOptions({
    queryKey: ['organizations', 'list', search, status ?? 'all', sort],
    queryFn: ({ pageParam: cursor, signal }) =>
      organizationApi.operatedOrganizations.list(
        { cursor, search: search || undefined, status, sort },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export const operatedOrganizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['organizations', id],
    queryFn: ({ signal }) => organizationApi.operatedOrganizations.get({ id }, { signal }),
  })

export const organizationQuotasQuery = (id: string) =>
  queryOptions({
    queryKey: ['organizations', id, 'quotas'],
    queryFn: ({ signal }) => organizationApi.quotas.listOf({ id }, { signal }),
  })

/** `id` is null for owners, who see their organization's exports. */
export const exportsQuery = (id: string | null) =>
  queryOptions({
    queryKey: ['organizations', id ?? 'own', 'exports'],
    queryFn: ({ signal }) =>
      id === null
        ? organizationApi.organizationExports.list(undefined, { signal })
        : organizationApi.organizationExports.listOf({ id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(isExportInProgress) ? EXPORT_POLL_MS : false),
  })

export const isExportInProgress = ({ status }: OrganizationExport) =>
  status === 'queued' || status === 'running'

export const erasuresQuery = infiniteQueryOptions({
  queryKey: ['organizations', 'erasures'],
  queryFn: ({ pageParam: cursor, signal }) => organizationApi.erasures.list({ cursor }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
})

/** A browser link can't trigger step-up, so this requests it before opening the link. */
export async function downloadExport(
  organizationId: string | null,
  exportId: string,
  methods: Parameters<typeof requestStepUp>[0],
): Promise<void> {
  const base = organizationId === null ? '/api/v1/org' : `/api/v1/admin/organizations/${organizationId}`
  const url = `${base}/exports/${exportId}/content`
  const { status } = await fetch(url, { method: 'HEAD' })
  if (status === 403 && !(await requestStepUp(methods))) return
  window.location.assign(url)
}

export type OrgSettings = OutputOf<Contract['orgSettings']['get']>

export const orgSettingsQuery = queryOptions({
  queryKey: ['org-settings'],
  queryFn: ({ signal }) => organizationApi.orgSettings.get(undefined, { signal }),
})

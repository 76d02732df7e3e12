import { infiniteQueryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { organizationApi } from '../../../api/organizations.ts'

export type AuditRecord = OutputOf<Contract['organization']['audit']>['items'][number]

export interface AuditFilter {
  action?: string
  userId?: string
  search?: string
  from?: string
  to?: string
}

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['organization', 'audit', filter],
    queryFn: ({ pageParam, signal }) =>
      organizationApi.organization.audit({ ...filter, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

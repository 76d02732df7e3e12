import { ORGANIZATION_SORTS, ORGANIZATION_STATUSES } from '../../contract/organizations/lifecycle-options.ts'
import type { ListRequest } from './list-request.ts'
import type { World } from './seed.ts'

/** The lists of organizations, for operators, and of the exports and erasures of owners. */
export function organizationRequests({ owner: { orgId } }: World): ListRequest[] {
  const queries = [
    ...['', '?search=org'],
    ...ORGANIZATION_STATUSES.map((status) => `?status=${status}`),
    ...ORGANIZATION_SORTS.map((sort) => `?sort=${sort}`),
  ]
  const organization = `/admin/organizations/${orgId}`
  const lists = [
    ...queries.map((query) => ['operatedOrganizations.list', `/admin/organizations${query}`] as const),
    ['organizationExports.listOf', `${organization}/exports`] as const,
    ['erasures.list', '/admin/erasures'] as const,
    ['quotas.listOf', `${organization}/quotas`] as const,
  ]
  return [
    ...lists.map(([name, path]): ListRequest => ({ name, path, by: 'operator' })),
    { name: 'organizationExports.list', path: '/org/exports' },
  ]
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { BudgetScope } from '../../../../../contract/billing/budget-options.ts'
import { t } from '../../../../../contract/text.ts'
import { agentsQuery } from '../../../../api/agents.ts'
import { api } from '../../../../api/client.ts'
import { organizationApi } from '../../../../api/organizations.ts'
import { newestProjectsQuery } from '../../../../api/projects.ts'

interface Subject {
  id: string
  name: string
}

/** Always includes the record `id`, which comes from a link. */
export function useSubjects(scope: BudgetScope, id: string, name: string | null): Subject[] {
  const projects = useQuery({ ...newestProjectsQuery, enabled: scope === 'project' })
  const agents = useInfiniteQuery({ ...agentsQuery({}), enabled: scope === 'agent' })
  const members = useQuery({
    queryKey: ['budget-subjects', 'members'],
    queryFn: ({ signal }) => organizationApi.organization.members({ limit: 100 }, { signal }),
    enabled: scope === 'user',
  })
  const keys = useQuery({
    queryKey: ['budget-subjects', 'keys'],
    queryFn: ({ signal }) => api.apiKeys.list(undefined, { signal }),
    enabled: scope === 'key',
  })
  const subjectsByScope: Record<BudgetScope, readonly Subject[]> = {
    org: [],
    project: projects.data?.items ?? [],
    agent: agents.data?.pages.flatMap(({ items }) => items) ?? [],
    user: members.data?.items ?? [],
    key: keys.data?.items ?? [],
  }
  const list = subjectsByScope[scope].map((subject) => ({ id: subject.id, name: subject.name }))
  return id === '' || list.some((subject) => subject.id === id)
    ? list
    : [...list, { id, name: name ?? t`Current selection` }]
}

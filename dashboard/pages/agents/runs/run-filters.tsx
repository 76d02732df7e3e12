import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { agentsQuery } from '../../../api/agents.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { Button } from '../../../components/button.tsx'
import { InlineSelect, recordOptions } from '../../../components/forms/select.tsx'
import { STATUS_OPTIONS, TRIGGER_OPTIONS } from './run-labels.ts'
import type { RunsSearch } from './runs-search.ts'

/** The filters of the list; their state is in the URL. */
export function RunFilters({ search }: { search: RunsSearch }) {
  const navigate = useNavigate()
  const agents = useInfiniteQuery(agentsQuery({})).data?.pages.flatMap(({ items }) => items) ?? []
  const projects = useQuery(newestProjectsQuery).data?.items ?? []
  const change = (next: Partial<RunsSearch>) =>
    void navigate({ to: '.', search: (previous) => ({ ...previous, ...next }), replace: true })
  const { state, trigger, project, agent, schedule } = search
  return (
    <div className="flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8 md:px-24">
      <InlineSelect
        small
        label="Status"
        value={state ?? ''}
        options={[{ value: '', label: 'Any status' }, ...STATUS_OPTIONS]}
        onChoose={(value) => change({ state: value || undefined })}
      />
      <InlineSelect
        small
        narrow
        label="Project"
        value={project ?? ''}
        options={[{ value: '', label: 'Any project' }, ...recordOptions(projects, project, 'This project')]}
        onChoose={(value) => change({ project: value || undefined })}
      />
      <InlineSelect
        small
        narrow
        label="Agent"
        value={agent ?? ''}
        options={[{ value: '', label: 'Any agent' }, ...recordOptions(agents, agent, 'This agent')]}
        onChoose={(value) => change({ agent: value || undefined })}
      />
      <InlineSelect
        small
        label="Trigger"
        value={trigger ?? ''}
        options={[{ value: '', label: 'Any trigger' }, ...TRIGGER_OPTIONS]}
        onChoose={(value) => change({ trigger: value || undefined })}
      />
      {(state ?? trigger ?? project ?? agent ?? schedule) !== undefined && (
        <Button
          look="quiet"
          size="small"
          onClick={() =>
            change({
              state: undefined,
              trigger: undefined,
              project: undefined,
              agent: undefined,
              schedule: undefined,
            })
          }
        >
          <X aria-hidden className="icon" />
          Clear
        </Button>
      )}
    </div>
  )
}

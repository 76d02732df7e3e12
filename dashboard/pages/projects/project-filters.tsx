import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import { workspacesQuery } from '../../api/workspaces.ts'
import { Button } from '../../components/button.tsx'
import { InlineSelect } from '../../components/forms/inline-select.tsx'
import { asVisibility, VISIBILITIES, VISIBILITY_NAMES } from './project-labels.ts'
import type { ProjectsSearch } from './projects-search.ts'

interface ProjectFiltersProps {
  search: ProjectsSearch
  /** The tags of the listed projects. */
  tags: string[]
  onChange: (change: Partial<ProjectsSearch>) => void
}

export function ProjectFilters({ search, tags, onChange }: ProjectFiltersProps) {
  const { workspace } = useSession()
  const workspaces = useQuery(workspacesQuery).data?.items ?? []
  const activeId = workspace?.id
  const isFiltered = Boolean(search.visibility ?? search.tag ?? search.workspace)
  const tagOptions = search.tag && !tags.includes(search.tag) ? [search.tag, ...tags] : tags
  return (
    <div className="flex flex-wrap items-center gap-8 border-neutral-6 border-b px-16 py-8 md:px-24">
      {workspaces.length > 1 && (
        <InlineSelect
          small
          narrow
          label="Workspace"
          value={search.workspace ?? activeId ?? 'all'}
          options={[
            ...workspaces.map(({ id, name }) => ({ value: id, label: name })),
            { value: 'all', label: 'All workspaces' },
          ]}
          onChoose={(id) => onChange({ workspace: id === activeId ? undefined : id })}
        />
      )}
      <InlineSelect
        small
        label="Visibility"
        value={search.visibility ?? ''}
        options={[
          { value: '', label: 'Any visibility' },
          ...VISIBILITY_NAMES.map((value) => ({ value, label: VISIBILITIES[value].label })),
        ]}
        onChoose={(value) => onChange({ visibility: asVisibility(value) })}
      />
      {tagOptions.length > 0 && (
        <InlineSelect
          small
          narrow
          label="Tag"
          value={search.tag ?? ''}
          options={[
            { value: '', label: 'Any tag' },
            ...tagOptions.map((tag) => ({ value: tag, label: tag })),
          ]}
          onChoose={(tag) => onChange({ tag: tag || undefined })}
        />
      )}
      {isFiltered && (
        <Button
          look="quiet"
          size="small"
          onClick={() => onChange({ visibility: undefined, tag: undefined, workspace: undefined })}
        >
          <X aria-hidden className="icon" />
          Clear
        </Button>
      )}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { useSession } from '../../../api/session.ts'
import { workspacesQuery } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { Filter } from '../../../components/forms/filters.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { VISIBILITIES, VISIBILITY_NAMES } from './project-labels.ts'
import type { ProjectsSearch } from './projects-search.ts'
import { ViewsMenu } from './views/views-menu.tsx'

interface ProjectFiltersProps {
  search: ProjectsSearch
  tags: string[]
  onChange: (change: Partial<ProjectsSearch>) => void
}

const SORTS: { value: NonNullable<ProjectsSearch['sort']> | 'newest'; label: string }[] = [
  { value: 'newest', label: t`Newest first` },
  { value: 'oldest', label: t`Oldest first` },
  { value: 'updated', label: t`Last activity` },
  { value: 'opened', label: t`Recently opened` },
  { value: 'name', label: t`Name, A to Z` },
  { value: 'name-desc', label: t`Name, Z to A` },
]

const FAVOURITES = [
  { value: '', label: t`All projects` },
  { value: 'only', label: t`Favorites` },
  { value: 'first', label: t`Favorites first` },
] as const

const LAYOUTS = [
  { value: 'list', label: t`List` },
  { value: 'cards', label: t`Cards` },
  { value: 'board', label: t`Board` },
] as const

export function ProjectFilters({ search, tags, onChange }: ProjectFiltersProps) {
  const { workspace } = useSession()
  const workspaces = useQuery(workspacesQuery).data?.items ?? []
  const activeId = workspace?.id
  const isFiltered = Boolean(search.visibility ?? search.tag ?? search.workspace ?? search.fav)
  const tagOptions = search.tag && !tags.includes(search.tag) ? [search.tag, ...tags] : tags
  return (
    <div className="flex min-h-row shrink-0 items-center gap-8 overflow-x-auto border-neutral-6 border-b px-16 py-4 [scrollbar-width:none] *:shrink-0 sm:flex-wrap md:px-24">
      {workspaces.length > 1 && (
        <InlineSelect
          small
          narrow
          label="Workspace"
          value={search.workspace ?? activeId ?? 'all'}
          options={[
            ...workspaces.map(({ id, name }) => ({ value: id, label: name })),
            { value: 'all', label: t`All workspaces` },
          ]}
          onChoose={(id) => onChange({ workspace: id === activeId ? undefined : id })}
        />
      )}
      <InlineSelect
        small
        label="Favorites"
        value={search.fav ?? ''}
        options={search.layout === 'board' ? FAVOURITES.slice(0, 2) : FAVOURITES}
        onChoose={(fav) => onChange({ fav: fav || undefined })}
      />
      <Filter
        label="Visibility"
        any={t`Any visibility`}
        value={search.visibility}
        options={VISIBILITY_NAMES.map((value) => ({ value, label: VISIBILITIES[value].label }))}
        onChoose={(visibility) => onChange({ visibility })}
      />
      {tagOptions.length > 0 && (
        <Filter
          narrow
          label="Tag"
          any={t`Any tag`}
          value={search.tag}
          options={tagOptions.map((tag) => ({ value: tag, label: tag }))}
          onChoose={(tag) => onChange({ tag })}
        />
      )}
      {isFiltered && (
        <Button
          look="quiet"
          size="small"
          onClick={() =>
            onChange({ visibility: undefined, tag: undefined, workspace: undefined, fav: undefined })
          }
        >
          <X aria-hidden className="icon" />
          Clear
        </Button>
      )}
      <span className="flex items-center gap-8 sm:ml-auto">
        <ViewsMenu search={search} />
        <InlineSelect
          small
          label="Sort"
          value={search.sort ?? 'newest'}
          options={SORTS}
          onChoose={(sort) => onChange({ sort: sort === 'newest' ? undefined : sort })}
        />
        <Segments
          label="Layout"
          value={search.layout ?? 'list'}
          options={LAYOUTS}
          onChoose={(layout) => onChange({ layout: layout === 'list' ? undefined : layout })}
        />
      </span>
    </div>
  )
}

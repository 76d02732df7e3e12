import { useInfiniteQuery } from '@tanstack/react-query'
import { projectsQuery } from '../../../api/projects.ts'
import { InlineSelect, Select } from '../../../components/forms/select.tsx'

/** The organization and its projects. */
function useSpaces() {
  const { data } = useInfiniteQuery(projectsQuery({}))
  const projects = data?.pages.flatMap((page) => page.items) ?? []
  return [
    { value: 'org', label: 'The organization' },
    ...projects.map(({ id, name }) => ({ value: id, label: name })),
  ]
}

interface SpaceFilterProps {
  space: string | undefined
  onChange: (space: string | undefined) => void
}

/** Limits the list to one project, or to the organization. */
export function SpaceFilter({ space, onChange }: SpaceFilterProps) {
  const spaces = useSpaces()
  return (
    <div className="border-neutral-6 border-b px-16 py-8 md:px-24">
      <InlineSelect
        small
        narrow
        label="Project"
        value={space ?? ''}
        options={[{ value: '', label: 'Any project' }, ...spaces]}
        onChoose={(value) => onChange(value || undefined)}
      />
    </div>
  )
}

/** Selects the project or the organization of a new memory. */
export function SpaceSelect({ space, onChange }: { space: string; onChange: (space: string) => void }) {
  return (
    <Select label="For" value={space} onChange={(event) => onChange(event.target.value)}>
      {useSpaces().map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  )
}
